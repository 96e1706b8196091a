import { type Area, BELOW, bottomAxis, leftAxis, widthOfTicks } from './axes.ts';
import { type Drawn, extent } from './estimate.ts';
import type { Block } from './frame.ts';
import { intervalBar } from './interval-bar.ts';
import { label } from './label.ts';
import { marker } from './marker.ts';
import type { Markup } from './markup.ts';
import { MARGIN, TEXT, WIDTH } from './paper.ts';
import { type Box, placeLabels } from './place-labels.ts';
import { linearScale, type Scale } from './scale.ts';
import type { SeriesStyle } from './series-style.ts';
import { textWidth } from './text-width.ts';
import { type Ticks, ticksOver, tickText } from './ticks.ts';

export interface PanelPoint {
  readonly name: string;
  readonly style: SeriesStyle;
  readonly x: Drawn;
  readonly y: Drawn;
  readonly cases: readonly { readonly x: number; readonly y: number }[];
  readonly title: string;
}

const HEIGHT = 156;
const NAME_ROOM = 60;
/** Summaries longer than the trace make the ratio negative. */
const RATIO = [-Infinity, 1] as const;
const SHARE = [0, 1] as const;

/** One panel: compression to the right, unsupported upwards, so that the better corner is below on the right. */
export function faithfulnessPanel(points: readonly PanelPoint[]): Block {
  const cases = points.flatMap((point) => point.cases);
  const xTicks = ticksOver([...extent(points.map((point) => point.x)), ...cases.map((one) => one.x)], 5, RATIO);
  const yTicks = ticksOver([...extent(points.map((point) => point.y)), ...cases.map((one) => one.y)], 4, SHARE);
  const left = MARGIN + widthOfTicks(named(yTicks));
  const area: Area = { left, right: WIDTH - MARGIN - 8, top: 6, bottom: HEIGHT - BELOW };
  const x = linearScale(xTicks.ends, [area.left, area.right]);
  const y = linearScale(yTicks.ends, [area.bottom, area.top]);
  return {
    height: HEIGHT,
    content: [
      ...leftAxis(area, y, named(yTicks)),
      ...bottomAxis(area, x, named(xTicks), 'compression ratio (higher is better)'),
      ...points.flatMap(({ cases: own, style }) =>
        own.map((one) =>
          marker(style.shape, x(one.x), y(one.y), 1.6, { colour: style.colour, hollow: true, opacity: 0.4 }),
        ),
      ),
      ...points.flatMap((point) => bars(point, x, y)),
      ...points.map(({ style, x: at, y: up, title }) =>
        marker(style.shape, x(at.value), y(up.value), 3.6, style, title),
      ),
      ...names(points, x, y, area),
    ],
  };
}

function named({ values, step }: Ticks): { value: number; text: string }[] {
  return values.map((value) => ({ value, text: tickText(value, step) }));
}

function bars({ x, y, style }: PanelPoint, toX: Scale, toY: Scale): Markup[] {
  const [atX, atY] = [toX(x.value), toY(y.value)];
  return [
    ...(x.interval === null ? [] : [intervalBar(toX(x.interval.low), atY, toX(x.interval.high), atY, style.colour)]),
    ...(y.interval === null ? [] : [intervalBar(atX, toY(y.interval.low), atX, toY(y.interval.high), style.colour)]),
  ];
}

function names(points: readonly PanelPoint[], toX: Scale, toY: Scale, area: Area): Markup[] {
  const short = points.filter(({ name }) => textWidth(name, TEXT) <= NAME_ROOM);
  const taken = points.flatMap(({ x, y }): Box[] => {
    const [atX, atY] = [toX(x.value), toY(y.value)];
    const wide = x.interval === null ? [atX, atX] : [toX(x.interval.low), toX(x.interval.high)];
    const high = y.interval === null ? [atY, atY] : [toY(y.interval.high), toY(y.interval.low)];
    return [
      { left: atX - 4, right: atX + 4, top: atY - 4, bottom: atY + 4 },
      { left: wide[0]!, right: wide[1]!, top: atY - 1, bottom: atY + 1 },
      { left: atX - 1, right: atX + 1, top: high[0]!, bottom: high[1]! },
    ];
  });
  const wanted = short.map(({ name, x, y }) => ({ x: toX(x.value), y: toY(y.value), width: textWidth(name, TEXT) }));
  return placeLabels(wanted, taken, area).map((place, at) =>
    label(place.x, place.y, short[at]!.name, { anchor: place.anchor, halo: true }),
  );
}
