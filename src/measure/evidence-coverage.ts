import type { Verdict } from '../judge/verdict.ts';
import { type Measure, ratio, type ZeroDivision } from './measure.ts';

/**
 * evidence coverage = predicted items whose quote is a non-empty verbatim substring of the text / predicted items;
 * higher is better. Predictions that a rule dropped still count here: dropping must not hide them.
 * Undefined when nothing was predicted, or no quote was looked up (no text, or `prepare.ground` is off).
 * Example: 26 of 28 quotes found: 0.929.
 */
export function evidenceCoverage(name: string, kind: string | null, zeroDivision: ZeroDivision): Measure {
  const inScope = (v: Verdict): boolean =>
    v.predicted !== null && v.predicted.grounded !== null && (kind === null || v.kind === kind);
  const total = { key: `quotes:${kind ?? '*'}`, of: (v: Verdict) => (inScope(v) ? 1 : 0) };
  const found = {
    key: `quotes-found:${kind ?? '*'}`,
    of: (v: Verdict) => (inScope(v) && v.predicted?.grounded === true ? 1 : 0),
  };
  return {
    name,
    about: 'predicted items whose quote stands verbatim in the text / predicted items',
    direction: 'higher',
    range: [0, 1],
    counters: [total, found],
    caseCounters: [],
    proportion: true,
    byLabel: true,
    byCase: true,
    value: (sums) =>
      ratio(
        sums.get(found.key),
        sums.get(total.key),
        sums.get(total.key),
        'no prediction has a quote that was looked up',
        zeroDivision,
      ),
  };
}
