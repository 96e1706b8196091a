import { improvement, type Measure } from '../../measure/measure.ts';
import { NOT_ASKED_FOR } from '../../measure/results.ts';
import type { PairedSettings } from '../../stats/paired-comparison.ts';
import { differenceBetween } from '../../stats/paired-difference.ts';
import type { PointTable } from './measure-points.ts';
import { pairedPoints } from './paired-points.ts';
import type { SweepAxis, SweepStep, SweptSystem } from './result.ts';

/** A step that loses this share of all that the sweep moves is a cliff, where its interval leaves out 0. */
const CLIFF_SHARE = 0.25;

interface Place {
  readonly point: number | null;
  readonly value: number | null;
  readonly table: PointTable;
}

/** How the only axis of a sweep falls and rises: the steepest step, and those to both sides of the recipe's own value. */
export async function stepsAlong(
  axis: SweepAxis,
  places: readonly Place[],
  own: Place,
  measure: Measure,
  settings: PairedSettings | null,
): Promise<Pick<SweptSystem, 'steepest' | 'besideOwn' | 'cliff'>> {
  const between = (from: Place, to: Place): Promise<SweepStep | null> => stepOf(from, to, measure, settings);
  let steepest: { from: Place; to: Place; size: number } | null = null;
  for (const [at, to] of places.entries()) {
    const from = places[at - 1];
    if (from === undefined || from.value === null || to.value === null) continue;
    const size = Math.abs(differenceBetween(from.value, to.value));
    if (size > (steepest?.size ?? 0)) steepest = { from, to, size };
  }
  const besideOwn: SweepStep[] = [];
  for (const place of neighbours(axis, own.point)) {
    const step = await between(own, places[place]!);
    if (step !== null) besideOwn.push(step);
  }
  const values = places.flatMap(({ value }) => (value === null ? [] : [value]));
  const whole = Math.max(...values) - Math.min(...values);
  const lost = (step: SweepStep): number => {
    const to = places[step.to]!.value;
    return own.value === null || to === null || improvement(measure, own.value, to) >= 0 ? 0 : Math.abs(to - own.value);
  };
  const falls = besideOwn
    .filter((step) => step.shown && lost(step) >= CLIFF_SHARE * whole)
    .sort((a, b) => lost(b) - lost(a));
  return {
    steepest: steepest === null ? null : await between(steepest.from, steepest.to),
    besideOwn,
    cliff: places.length < 5 ? null : (falls[0] ?? null),
  };
}

/** The places just below and just above the recipe's own value. */
function neighbours({ numeric, values, own }: SweepAxis, point: number | null): number[] {
  if (!numeric || own === null || typeof own.value !== 'number') return [];
  const { value } = own;
  const below = point !== null ? point - 1 : values.findLastIndex((one) => Number(one) < value);
  const above = point !== null ? point + 1 : values.findIndex((one) => Number(one) > value);
  return [below, above].filter((at) => at >= 0 && at < values.length);
}

async function stepOf(
  from: Place,
  to: Place,
  measure: Measure,
  settings: PairedSettings | null,
): Promise<SweepStep | null> {
  if (from.value === null || to.value === null || to.point === null) return null;
  const ends = { from: from.point, to: to.point };
  const plain = differenceBetween(from.value, to.value);
  if (settings === null) return { ...ends, difference: plain, interval: null, noInterval: NOT_ASKED_FOR, shown: false };
  const found = await pairedPoints(from.table.table, to.table.table, measure, settings);
  return { ...ends, ...found, difference: found.difference ?? plain };
}
