import type { Sweep, SweepAxis } from '../compare/sweep/sweep.ts';
import { listed } from './comparison-words.ts';

/** The values of a point: `0.5`, or `0.5 and greedy`. Holds text from the call: escape it. */
export function pointText({ axes, points }: Pick<Sweep, 'axes' | 'points'>, point: number): string {
  return points[point]!.at.map((place, axis) => axes[axis]!.texts[place]!).join(' and ');
}

/** The recipe's own values. */
export function ownText({ axes }: Pick<Sweep, 'axes'>): string {
  return axes.map(({ own }) => own?.text ?? 'its own').join(' and ');
}

/**
 * Some places of an axis in words, beginning with a preposition.
 *
 * @example placesText(thresholds, [0, 1, 2]) // 'up to 0.3'
 */
export function placesText(axis: SweepAxis, places: readonly number[]): string {
  const { texts, numeric } = axis;
  if (places.length === texts.length) return 'at every value';
  if (!numeric) return `at ${listed(places.map((at) => texts[at]!))}`;
  return listed(runsOf(places).map(([from, to]) => runText(texts, from, to)));
}

function runText(texts: readonly string[], from: number, to: number): string {
  if (from === to) return `at ${texts[from]!}`;
  if (from === 0) return `up to ${texts[to]!}`;
  return to === texts.length - 1 ? `from ${texts[from]!}` : `from ${texts[from]!} to ${texts[to]!}`;
}

/** Neighbours put together. */
function runsOf(places: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const at of places) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === at - 1) last[1] = at;
    else runs.push([at, at]);
  }
  return runs;
}

/** A range of places. */
export function between(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
