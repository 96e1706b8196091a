import type { MeasureValue } from '../../index.ts';
import type { Estimate } from '../../report.ts';

/** What `stream measure` found for one variant: its values over all cases, and case by case. */
export interface VariantValues {
  readonly name: string;
  readonly measures: readonly MeasureValue[];
  readonly cases: readonly { readonly case: string; readonly measures: Readonly<Record<string, number | null>> }[];
}

/** A measure over all cases; one that the run does not have is undefined, with the reason. */
export function estimateOf({ measures }: VariantValues, name: string): Estimate {
  const found = measures.find((measure) => measure.name === name && Object.keys(measure.slice).length === 0);
  if (found === undefined) return { value: null, undefined: 'the run does not have it', n: 0, interval: null };
  return {
    value: found.value,
    undefined: found.undefined,
    n: found.cases?.n ?? found.units,
    interval: found.interval,
  };
}
