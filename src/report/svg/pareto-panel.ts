import { type Area, BELOW, bottomAxis, leftAxis, type Tick, widthOfTicks } from './axes.ts';
import { coordinate } from './coordinate.ts';
import { figure } from '../../text/figures.ts';
import type { Block } from './frame.ts';
import { type LegendEntry, signEntry } from './legend.ts';
import { marker, type MarkerStyle, type Shape } from './marker.ts';
import { element, type Markup } from './markup.ts';
import { INK, MARGIN, WIDTH } from './paper.ts';
import { linearScale, type Scale } from './scale.ts';
import { COLOURS } from './series-style.ts';
import { type Ticks, ticksOver, tickText } from './ticks.ts';

export interface ParetoPoint {
  readonly id: string;
  readonly x: number;
  /** Milliseconds. */
  readonly y: number;
  readonly onFront: boolean;
  readonly chosen: boolean;
}

type Standing = 'beaten' | 'front' | 'chosen';

const SIGNS: Readonly<Record<Standing, MarkerStyle & { readonly shape: Shape; readonly radius: number }>> = {
  beaten: { shape: 'circle', radius: 1.8, colour: '#999999', hollow: true },
  front: { shape: 'square', radius: 2.8, colour: COLOURS.blue },
  chosen: { shape: 'star', radius: 5.2, colour: COLOURS.vermilion, rim: INK },
};
const LINE_STYLE = { fill: 'none', stroke: COLOURS.blue, 'stroke-width': 1.1, 'stroke-dasharray': '4 2' };
const HEIGHT = 150;
const NOT_NEGATIVE = [0, Infinity] as const;

/** Updates to the right, waiting upwards: the better corner is below on the left. */
export function paretoPanel(points: readonly ParetoPoint[], across: string): Block {
  const yTicks = ticksOver(
    points.map(({ y }) => y / 1000),
    4,
    NOT_NEGATIVE,
  );
  const xTicks = ticksOver(
    points.map(({ x }) => x),
    5,
    NOT_NEGATIVE,
  );
  const left = MARGIN + widthOfTicks(named(yTicks, ' s'));
  const area: Area = { left, right: WIDTH - MARGIN - 8, top: 6, bottom: HEIGHT - BELOW };
  const x = linearScale(xTicks.ends, [area.left, area.right]);
  const inSeconds = linearScale(yTicks.ends, [area.bottom, area.top]);
  const y: Scale = (ms) => inSeconds(ms / 1000);
  const of = (standing: Standing): Markup[] =>
    points.filter((point) => standingOf(point) === standing).map((point) => sign(point, standing, x, y));
  return {
    height: HEIGHT,
    content: [
      ...leftAxis(area, inSeconds, named(yTicks, ' s')),
      ...bottomAxis(area, x, named(xTicks), `${across} (lower is better)`),
      ...oncePerPlace(of('beaten')),
      element('path', { d: staircase(envelope(points), x, y), ...LINE_STYLE }),
      ...of('front'),
      ...of('chosen'),
    ],
  };
}

/** Of hundreds of policies many do the same: their signs would lie on one another. */
function oncePerPlace(signs: readonly Markup[]): Markup[] {
  return [...new Map(signs.map((one) => [one.markup, one])).values()];
}

export function policyEntry(name: string, standing: Standing): LegendEntry {
  const { shape, radius, ...style } = SIGNS[standing];
  return signEntry(name, shape, style, radius);
}

export function frontEntry(name: string): LegendEntry {
  return { name, wide: 20, sample: element('line', { x1: -10, y1: 0, x2: 10, y2: 0, ...LINE_STYLE }) };
}

function standingOf({ chosen, onFront }: ParetoPoint): Standing {
  return chosen ? 'chosen' : onFront ? 'front' : 'beaten';
}

function sign(point: ParetoPoint, standing: Standing, x: Scale, y: Scale): Markup {
  const { shape, radius, ...style } = SIGNS[standing];
  // Hundreds of beaten policies need no names; those that count have theirs.
  const title =
    standing === 'beaten' ? undefined : `${point.id}: ${figure(point.x)} updates, ${figure(point.y / 1000)} s`;
  return marker(shape, x(point.x), y(point.y), radius, style, title);
}

/**
 * The policies of the front that no other of it beats in the two figures of this panel, by rising updates. The front
 * itself has a third figure, so that a line through all of it would run to and fro.
 */
export function envelope(points: readonly ParetoPoint[]): ParetoPoint[] {
  const front = points.filter(({ onFront }) => onFront).sort((a, b) => a.x - b.x || a.y - b.y);
  const kept: ParetoPoint[] = [];
  for (const point of front) if (kept.length === 0 || point.y < kept.at(-1)!.y) kept.push(point);
  return kept;
}

/** What can be had: level until the next policy allows less. */
function staircase(points: readonly ParetoPoint[], x: Scale, y: Scale): string {
  return points
    .map((point, at) =>
      at === 0
        ? `M${coordinate(x(point.x))} ${coordinate(y(point.y))}`
        : `H${coordinate(x(point.x))}V${coordinate(y(point.y))}`,
    )
    .join('');
}

function named({ values, step }: Ticks, unit = ''): Tick[] {
  return values.map((value) => ({ value, text: tickText(value, step) + unit }));
}
