import type { SweepAxis } from '../../compare/sweep/sweep.ts';
import type { Tick } from './axes.ts';
import { linearScale, type Scale } from './scale.ts';
import { oneLine } from './text-width.ts';
import { drawable } from './ticks.ts';

const SIDE = 8;
const LONGEST = 14;

/** An axis of a sweep with its place on the paper. */
export interface PlacedAxis {
  readonly texts: readonly string[];
  /** From the place of a value among the others. */
  readonly at: Scale;
  /** From a tick's value. */
  readonly scale: Scale;
  readonly ticks: readonly Tick[];
  /** Where the stretch of a value begins: half way from the one before. */
  edge(place: number): number;
  /** Where the recipe's own value lies; null: outside, or not known. */
  readonly own: number | null;
}

/** Numbers stand at their distances, other values side by side. */
export function placedAxis(axis: SweepAxis, left: number, right: number): PlacedAxis {
  const { texts } = axis;
  const numbers = axis.numeric ? axis.values.map(Number) : null;
  const isLinear = numbers !== null && numbers.every(drawable);
  const places = isLinear ? numbers : texts.map((_, at) => at);
  const scale = linearScale([places[0]!, places.at(-1)!], [left + SIDE, right - SIDE]);
  const at: Scale = (place) => scale(places[place]!);
  return {
    texts,
    at,
    scale,
    ticks: places.map((value, place) => ({ value, text: oneLine(shortened(texts[place]!)) })),
    edge: (place) => (place <= 0 ? left : place >= places.length ? right : (at(place - 1) + at(place)) / 2),
    own: ownPlace(axis, isLinear, scale, at, [left, right]),
  };
}

function ownPlace(
  { own }: SweepAxis,
  isLinear: boolean,
  scale: Scale,
  at: Scale,
  [left, right]: readonly [number, number],
): number | null {
  if (own === null) return null;
  if (own.at !== null) return at(own.at);
  if (!isLinear || typeof own.value !== 'number') return null;
  const place = scale(own.value);
  return place >= left && place <= right ? place : null;
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
