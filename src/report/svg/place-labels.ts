import type { Area } from './axes.ts';

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Named {
  readonly x: number;
  readonly y: number;
  /** Of its text. */
  readonly width: number;
}

export interface LabelPlace {
  readonly x: number;
  /** The baseline. */
  readonly y: number;
  readonly anchor: 'start' | 'middle' | 'end';
}

const HEIGHT = 11;
const AWAY = 6;

/** The sides of a point, the most usual first. */
const SIDES = [
  [1, -1],
  [1, 1],
  [-1, -1],
  [-1, 1],
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
] as const;

/** For each point the side where its name covers the least of what is drawn; names keep off one another first. */
export function placeLabels(points: readonly Named[], taken: readonly Box[], area: Area): LabelPlace[] {
  const names: Box[] = [];
  return points.map((point) => {
    const options = SIDES.map((side) => {
      const box = boxAt(point, side);
      const cost = 100 * outside(box, area) + 20 * covered(box, names) + covered(box, taken);
      return { side, box, cost };
    });
    const { side, box } = options.reduce((best, option) => (option.cost < best.cost - 1e-9 ? option : best));
    names.push(box);
    const y = box.bottom - 2;
    if (side[0] === 0) return { x: point.x, y, anchor: 'middle' };
    return side[0] > 0 ? { x: box.left, y, anchor: 'start' } : { x: box.right, y, anchor: 'end' };
  });
}

function boxAt({ x, y, width }: Named, [dx, dy]: readonly [number, number]): Box {
  const aside = dy === 0 ? AWAY : AWAY - 2;
  const left = dx === 0 ? x - width / 2 : dx > 0 ? x + aside : x - aside - width;
  const top = dy === 0 ? y - HEIGHT / 2 : dy > 0 ? y + 3 : y - 3 - HEIGHT;
  return { left, right: left + width, top, bottom: top + HEIGHT };
}

function covered(box: Box, others: readonly Box[]): number {
  return others.reduce((sum, other) => sum + common(box, other), 0);
}

function outside(box: Box, area: Area): number {
  return (box.right - box.left) * (box.bottom - box.top) - common(box, area);
}

function common(a: Box, b: Box): number {
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return wide > 0 && high > 0 ? wide * high : 0;
}
