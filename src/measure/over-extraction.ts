import { excusedCount, type Scope, verdictCount } from './counters.ts';
import { type Measure, ratio, type ZeroDivision } from './measure.ts';

/**
 * over-extraction = predicted items / gold items, excused ones included on both sides; 1 is best, above it the
 * system says more than there is, below it less. Undefined without gold. Example: 19 extracted, 20 expected: 0.95.
 */
export function overExtraction(
  name: string,
  scope: Pick<Scope, 'kind' | 'requireByLabel'>,
  zeroDivision: ZeroDivision,
): Measure {
  const { kind } = scope;
  const hits = verdictCount('hit', scope);
  const spurious = verdictCount('spurious', scope);
  const missed = verdictCount('missed', scope);
  const excusedGold = excusedCount('gold', kind);
  const excusedPredicted = excusedCount('predicted', kind);
  return {
    name,
    about: 'predicted items / gold items',
    direction: 'lower',
    best: 1,
    range: [0, null],
    counters: [hits, spurious, missed, excusedGold, excusedPredicted],
    caseCounters: [],
    proportion: false,
    byLabel: true,
    byCase: true,
    value(sums) {
      const predicted = sums.get(hits.key) + sums.get(spurious.key) + sums.get(excusedPredicted.key);
      const gold = sums.get(hits.key) + sums.get(missed.key) + sums.get(excusedGold.key);
      return ratio(predicted, gold, gold, 'there is no gold', zeroDivision);
    },
  };
}
