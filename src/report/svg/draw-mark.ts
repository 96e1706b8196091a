import {
  area as areaShape,
  curveLinear,
  curveStepAfter,
  line as lineShape,
  symbol,
  symbolCircle,
  symbolDiamond2,
  symbolPlus,
  symbolSquare,
  symbolStar,
  symbolTimes,
  symbolTriangle,
  type SymbolType,
} from 'd3-shape';

import { BOLDER, HEADING, INK, PAPER, type SymbolShape, TEXT } from './look.ts';
import type { AreaMark, BarMark, LabelMark, LineMark, Mark, MarkData, PointMark, RuleMark } from './marks.ts';
import { element, type Markup, moved } from './markup.ts';
import { fitted, singleLine, textWidth } from './text-width.ts';
import type { Ends } from './ticks.ts';

/** From values to places; y grows downwards. */
export interface Frame {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

/** Places are units of the figure. */
export const UNITS: Frame = { x: (value) => value, y: (value) => value };

const WHOLE: Ends = [-Infinity, Infinity];

export function drawMark(mark: Mark, frame: Frame): Markup[] {
  switch (mark.mark) {
    case 'line':
      return [drawLine(mark, frame)];
    case 'area':
      return [drawArea(mark, frame)];
    case 'point':
      return drawPoint(mark, frame);
    case 'bar':
      return [drawBar(mark, frame)];
    case 'rule':
      return [drawRule(mark, frame)];
    case 'label':
      return drawLabel(mark, frame);
    case 'group': {
      const inner = mark.marks.flatMap((one) => drawMark(one, frame));
      return [element('g', { class: mark.class, ...dataOf(mark.data) }, [...titled(mark.title), ...inner])];
    }
  }
}

function drawLine(
  { points, colour, width = 1.6, dashes, steps, dx = 0, class: name }: LineMark,
  { x, y }: Frame,
): Markup {
  const path = lineShape<LineMark['points'][number]>(
    (at) => x(at![0]) + dx,
    (at) => y(at![1]),
  );
  path.defined((at) => at !== null).curve(steps === true ? curveStepAfter : curveLinear);
  return element('path', { d: path.digits(2)(points) ?? '', ...stroked(colour, width, dashes), class: name });
}

function drawArea({ points, colour, opacity, class: name }: AreaMark, { x, y }: Frame): Markup {
  const path = areaShape<AreaMark['points'][number]>(
    (at) => x(at![0]),
    (at) => y(at![1]),
    (at) => y(at![2]),
  );
  path.defined((at) => at !== null);
  return element('path', { d: path.digits(2)(points) ?? '', fill: colour, opacity, class: name });
}

/** Signs without an area, with the width of their strokes. */
const STROKES: ReadonlyMap<SymbolShape, number> = new Map([
  ['plus', 1.6],
  ['cross', 1.6],
  ['tick', 1.2],
]);
const SYMBOLS: Readonly<Record<SymbolShape, SymbolType>> = {
  circle: symbolCircle,
  square: symbolSquare,
  up: symbolTriangle,
  down: symbolTriangle,
  diamond: symbolDiamond2,
  star: symbolStar,
  plus: symbolPlus,
  cross: symbolTimes,
  tick: {
    draw(context, size) {
      const reach = Math.sqrt(size / Math.PI);
      context.moveTo(0, -reach);
      context.lineTo(0, reach);
    },
  },
};
const CAP = 2.5;

function drawPoint(point: PointMark, { x, y }: Frame): Markup[] {
  const { shape, colour, size = 3.4, hollow, rim, opacity, xInterval, yInterval, title } = point;
  const [atX, atY] = [x(point.x) + (point.dx ?? 0), y(point.y) + (point.dy ?? 0)];
  const whisker = (x1: number, y1: number, x2: number, y2: number): Markup => {
    const [dx, dy] = x1 === x2 ? [CAP, 0] : [0, CAP];
    const cap = (cx: number, cy: number) => [[cx - dx, cy - dy] as const, [cx + dx, cy + dy] as const, null];
    const points = [...cap(x1, y1), ...cap(x2, y2), [x1, y1] as const, [x2, y2] as const];
    return drawLine({ mark: 'line', points, colour, width: 1.1, class: 'interval' }, UNITS);
  };
  const strokes = STROKES.get(shape);
  const paint =
    strokes !== undefined || hollow === true
      ? { fill: strokes === undefined ? PAPER : 'none', stroke: colour, 'stroke-width': strokes ?? 1.2 }
      : { fill: colour, stroke: rim ?? PAPER, 'stroke-width': rim === undefined ? 0.5 : 1.2 };
  const transform = moved(atX, atY) + (shape === 'down' ? ' rotate(180)' : '');
  const d = symbol(SYMBOLS[shape], Math.PI * size * size).digits(2)() ?? '';
  return [
    ...(xInterval == null ? [] : [whisker(x(xInterval.low), atY, x(xInterval.high), atY)]),
    ...(yInterval == null ? [] : [whisker(atX, y(yInterval.low), atX, y(yInterval.high))]),
    element('path', { class: 'point', transform, d, ...paint, opacity }, titled(title)),
  ];
}

function drawBar(bar: BarMark, { x, y }: Frame): Markup {
  const { least = 0, inset = 0, fill, opacity, stroke, width = 1, dashes, title } = bar;
  const [left, right] = sorted((bar.x ?? WHOLE).map(x));
  const [top, bottom] = sorted((bar.y ?? WHOLE).map(y));
  const high = Math.max(least, bottom - top);
  // What is too small grows upwards, from the axis below it.
  const place = { x: left + inset, y: bottom - high, width: Math.max(least, right - left - 2 * inset), height: high };
  const edge = stroke === undefined ? {} : { stroke, 'stroke-width': width, 'stroke-dasharray': dashes };
  const paint = { fill, 'fill-opacity': opacity, ...edge, class: bar.class };
  return element('rect', { ...place, ...paint, ...dataOf(bar.data) }, titled(title));
}

function drawRule(rule: RuleMark, { x, y }: Frame): Markup {
  const [[x1, x2], [y1, y2]] = [endsOf(rule.x).map(x), endsOf(rule.y).map(y)];
  return element('line', { class: rule.class, x1, y1, x2, y2, ...stroked(rule.colour, rule.width ?? 1, rule.dashes) });
}

/** Size of letters in the narrowest cells; all cells of a panel have the same. */
export const SMALLEST = 8;

function drawLabel(label: LabelMark, frame: Frame): Markup[] {
  const { bold = false, anchor, halo } = label;
  const [low, high] = (typeof label.width === 'object' ? label.width.over : WHOLE).map(frame.x);
  const cell = typeof label.width === 'object' ? Math.abs(high! - low!) - 1 : Infinity;
  const size = bold ? HEADING : Math.min(TEXT, Math.max(SMALLEST, cell * 0.45));
  const room = (typeof label.width === 'number' ? label.width : cell) / (bold ? BOLDER : 1);
  const lines = [label.text].flat().map(singleLine);
  const line = lines.find((one) => textWidth(one, size) <= room) ?? lines.at(-1)!;
  // In a cell, part of a number would be another number.
  if (cell !== Infinity && textWidth(line, size) > room) return [];
  const shown = fitted(line, room, size);
  const [x, y] = [frame.x(label.x) + (label.dx ?? 0), frame.y(label.y) + (label.dy ?? 0)];
  const down = size * 0.36;
  const place = {
    ...(label.upright === true ? { transform: `${moved(x + down, y)} rotate(-90)` } : { x, y: y + down }),
    'font-size': size,
    'text-anchor': anchor === 'start' ? undefined : anchor,
    'font-weight': bold ? 'bold' : undefined,
  };
  const whole = titled(shown === line ? undefined : line);
  const written = element('text', { class: 'ink', ...place, fill: INK }, [...whole, shown]);
  if (halo !== true) return [written];
  // Drawn twice: not every program that prints SVG paints the rim first.
  const rim = { stroke: PAPER, 'stroke-width': 3, 'stroke-linejoin': 'round' };
  const behind = element('text', { class: 'paper', ...place, ...rim, fill: PAPER, 'aria-hidden': 'true' }, [shown]);
  return [behind, written];
}

/** Shown when a reader points there. */
function titled(title: string | undefined): Markup[] {
  return title === undefined ? [] : [element('title', {}, [title])];
}

function stroked(colour: string, width: number, dashes?: string) {
  return {
    fill: 'none',
    stroke: colour,
    'stroke-width': width,
    'stroke-dasharray': dashes === '' ? undefined : dashes,
  };
}

function endsOf(place: number | Ends = WHOLE): Ends {
  return typeof place === 'number' ? [place, place] : place;
}

function sorted([a = 0, b = 0]: readonly number[]): Ends {
  return a <= b ? [a, b] : [b, a];
}

function dataOf(data: MarkData = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => (value === null ? [] : [[`data-${name}`, value]])),
  );
}
