import type { AgreementFigure } from '../../../src/review/api.ts';
import { along, type Axis } from '../along.ts';

/** A little below what chance gives, up to perfect. */
export const AGREEMENT: Axis = [-0.2, 1];

export interface GrowthPath {
  readonly line: string;
  /** From the first to the last point that has an interval, straight across those without; null where not two have one. */
  readonly band: string | null;
  /** The intervals themselves. */
  readonly reaches: readonly { readonly x: number; readonly low: number; readonly high: number }[];
  readonly last: { readonly x: number; readonly y: number };
}

/** The figure as it grew, left to right by number of items; null where there are not two points to join. */
export function growthPath(growth: AgreementFigure['growth'], width: number, height: number): GrowthPath | null {
  const first = growth[0];
  const end = growth.at(-1);
  if (first === undefined || end === undefined || growth.length < 2 || end.n === first.n) return null;
  const x = (n: number): number => round(((n - first.n) / (end.n - first.n)) * width);
  const y = (value: number): number => round((1 - along(value, AGREEMENT).share) * height);
  const reaches = growth.flatMap(({ n, low, high }) =>
    low === null || high === null ? [] : [{ x: x(n), low: y(low), high: y(high) }],
  );
  return {
    line: growth.map((point, index) => `${index === 0 ? 'M' : 'L'}${x(point.n)} ${y(point.value)}`).join(''),
    band: reaches.length < 2 ? null : bandOf(reaches),
    reaches,
    last: { x: x(end.n), y: y(end.value) },
  };
}

function bandOf(reaches: GrowthPath['reaches']): string {
  const over = reaches.map((point) => `${point.x} ${point.high}`);
  const under = reaches.map((point) => `${point.x} ${point.low}`).reverse();
  return `M${[...over, ...under].join('L')}Z`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
