import type { Frame } from './draw-mark.ts';
import { AXIS, TEXT } from './look.ts';
import type { Mark, PointMark } from './marks.ts';
import { textWidth } from './text-width.ts';
import type { Ends } from './ticks.ts';

/** A rectangle of a figure; y grows downwards. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export type NamedPoint = PointMark & { readonly name: string };

const HEIGHT = 13;

/** The sides of a point, the preferred one first. */
const SIDES = [
  ['start', -1],
  ['start', 1],
  ['end', -1],
  ['end', 1],
  ['start', 0],
  ['end', 0],
  ['middle', -1],
  ['middle', 1],
] as const;

/** Names on that side of their points where they cover the least of what is drawn; names keep off one another first. */
export function namesBeside(named: readonly NamedPoint[], marks: readonly Mark[], frame: Frame, area: Box): Mark[] {
  const taken = marks.flatMap((mark) => boxesOf(mark, frame));
  const chosen: Box[] = [];
  return named.map(({ name, x, y }) => {
    const [atX, atY, width] = [frame.x(x), frame.y(y), textWidth(name, TEXT)];
    const options = SIDES.map(([anchor, side]) => {
      const aside = anchor === 'middle' ? 0 : (side === 0 ? 8 : 5) * (anchor === 'start' ? 1 : -1);
      const left = atX + aside - { start: 0, middle: width / 2, end: width }[anchor];
      const middle = atY + side * (4 + HEIGHT / 2);
      const box = { left, right: left + width, top: middle - HEIGHT / 2, bottom: middle + HEIGHT / 2 };
      const outside = width * HEIGHT - common(box, area);
      return {
        box,
        x: atX + aside,
        y: middle,
        anchor,
        cost: 100 * outside + 20 * covered(box, chosen) + covered(box, taken),
      };
    });
    const best = options.reduce((least, option) => (option.cost < least.cost - 1e-9 ? option : least));
    chosen.push(best.box);
    return { mark: 'label', x: best.x, y: best.y, text: name, anchor: best.anchor, halo: true };
  });
}

/** Names in a column at the right, as near to their points as the others allow, each with a thin line to its point. */
export function namesInColumn(named: readonly NamedPoint[], frame: Frame, { right, top, bottom }: Box): Mark[] {
  const points = named.toSorted((a, b) => frame.y(a.y) - frame.y(b.y));
  let last = -Infinity;
  const places = points.map(({ y }) => (last = Math.max(frame.y(y), last + HEIGHT)));
  const off = places.reduce((sum, place, at) => sum + place - frame.y(points[at]!.y), 0) / points.length;
  const shift = Math.max(top - places[0]!, Math.min(bottom - last, -off));
  return points.flatMap(({ name, x, y, dx = 0 }, at): Mark[] => {
    const middle = places[at]! + shift;
    const line = { x: [frame.x(x) + dx + 5, right + 12], y: [frame.y(y), middle] } as const;
    return [
      { mark: 'rule', ...line, colour: AXIS, width: 0.6, class: 'axis' },
      { mark: 'label', x: right + 14, y: middle, text: name },
    ];
  });
}

/** What a name should not cover: lines, signs that are not faint, and their intervals. */
function boxesOf(mark: Mark, { x, y }: Frame): Box[] {
  const box = (xs: Ends, ys: Ends, reach: number): Box => ({
    left: x(xs[0]) - reach,
    right: x(xs[1]) + reach,
    top: y(ys[1]) - reach,
    bottom: y(ys[0]) + reach,
  });
  if (mark.mark === 'line')
    return mark.points.flatMap((at) => (at === null ? [] : [box([at[0], at[0]], [at[1], at[1]], 3)]));
  if (mark.mark !== 'point' || mark.opacity !== undefined) return [];
  const { xInterval, yInterval } = mark;
  const [xs, ys]: [Ends, Ends] = [
    [mark.x, mark.x],
    [mark.y, mark.y],
  ];
  return [
    box(xs, ys, 5),
    ...(xInterval == null ? [] : [box([xInterval.low, xInterval.high], ys, 1)]),
    ...(yInterval == null ? [] : [box(xs, [yInterval.low, yInterval.high], 1)]),
  ];
}

function covered(box: Box, others: readonly Box[]): number {
  return others.reduce((sum, other) => sum + common(box, other), 0);
}

function common(a: Box, b: Box): number {
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return Math.max(0, wide) * Math.max(0, high);
}
