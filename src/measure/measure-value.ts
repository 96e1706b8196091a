import type { CaseSpread } from './case-spread.ts';
import type { Measure, Sums } from './measure.ts';
import type { MeasureValue, Slice, Sureness } from './results.ts';

/** A measure worked out from sums, with all that is told about its value. */
export function measureValue(
  measure: Measure,
  slice: Slice,
  sums: Sums,
  cases: CaseSpread | null,
  units: number,
  sure: Sureness,
): MeasureValue {
  const outcome = measure.value(sums);
  const notes = [outcome.note, measure.leftOut?.(sums)].filter((note) => note !== undefined && note !== null);
  return {
    name: measure.name,
    slice,
    value: outcome.value,
    undefined: outcome.undefined,
    n: outcome.n,
    units,
    interval: outcome.value === null ? null : sure.interval,
    noInterval: outcome.value === null ? 'there is no value' : sure.noInterval,
    direction: measure.direction,
    range: measure.range,
    ...(measure.unit === undefined ? {} : { unit: measure.unit }),
    ...(measure.best === undefined ? {} : { best: measure.best }),
    note: notes.length === 0 ? null : notes.join('; '),
    cases,
  };
}
