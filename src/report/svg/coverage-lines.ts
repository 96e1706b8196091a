import type { Area } from './axes.ts';
import { coordinate } from './coordinate.ts';
import type { CoverageVariant } from './coverage-data.ts';
import { drawn, estimateText } from './estimate.ts';
import { intervalBar } from './interval-bar.ts';
import { label } from './label.ts';
import { lineStyle } from './legend.ts';
import { marker } from './marker.ts';
import { element, type Markup } from './markup.ts';
import { AXIS, LINE, TEXT } from './paper.ts';
import type { Scale } from './scale.ts';
import { seriesStyle } from './series-style.ts';
import { spreadLabels } from './spread-labels.ts';
import { textWidth } from './text-width.ts';

/** Room for a name at the end of its line; a longer one is in the legend only. */
export const NAME_ROOM = 44;

export interface CoverageLine {
  readonly name: string;
  readonly bars: readonly Markup[];
  readonly line: readonly Markup[];
  /** Where the line ends; null: it has no point. */
  readonly end: { readonly x: number; readonly y: number } | null;
}

/** The most that all variants together spread over at one budget. */
const SPREAD = 28;

/** One variant: moved a little aside, so that the intervals of several do not hide one another. */
export function coverageLine(variant: CoverageVariant, at: number, of: number, x: Scale, y: Scale): CoverageLine {
  const style = seriesStyle(at);
  const aside = (at - (of - 1) / 2) * Math.min(5.5, SPREAD / Math.max(1, of - 1));
  const places = variant.points.map(({ budget, coverage }) => {
    const found = drawn(coverage);
    if (found === null) return null;
    const title = `${variant.name} at ${budget} CTU: ${estimateText(coverage)}`;
    return { x: x(budget) + aside, y: y(found.value), interval: found.interval, title };
  });
  const here = places.filter((place) => place !== null);
  return {
    name: variant.name,
    end: here.at(-1) ?? null,
    bars: here.flatMap((place) =>
      place.interval === null
        ? []
        : [intervalBar(place.x, y(place.interval.low), place.x, y(place.interval.high), style.colour)],
    ),
    line: [
      ...(here.length > 1 ? [element('path', { d: through(places), ...lineStyle(style) })] : []),
      ...here.map((place) => marker(style.shape, place.x, place.y, 3, style, place.title)),
    ],
  };
}

/** A line through the places; one that is missing leaves a gap, and is not bridged. */
function through(places: readonly ({ readonly x: number; readonly y: number } | null)[]): string {
  let open = false;
  let path = '';
  for (const place of places) {
    if (place !== null) path += `${open ? 'L' : 'M'}${coordinate(place.x)} ${coordinate(place.y)}`;
    open = place !== null;
  }
  return path;
}

/** Names at the ends of the lines, moved apart where they would touch, with a thin line to where they belong. */
export function endLabels(lines: readonly CoverageLine[], area: Area): Markup[] {
  const named = lines.flatMap(({ name, end }) =>
    end === null || textWidth(name, TEXT) > NAME_ROOM ? [] : [{ name, end }],
  );
  const places = spreadLabels(
    named.map(({ end }) => end.y),
    LINE - 2,
    area.top,
    area.bottom,
  );
  if (places === null) return [];
  return named.flatMap(({ name, end }, at) => {
    const y = places[at]!;
    const line = { x1: end.x + 4, y1: end.y, x2: area.right + 10, y2: y };
    return [
      element('line', { class: 'axis', ...line, stroke: AXIS, 'stroke-width': 0.5 }),
      label(area.right + 12, y + 4, name),
    ];
  });
}
