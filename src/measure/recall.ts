import { hitCredit, type Scope, verdictCount } from './counters.ts';
import { type Measure, ratio, type ZeroDivision } from './measure.ts';

/**
 * recall = credit of hits / (hits + missed); higher is better.
 * Undefined when there is no gold that counts. Excused gold stays out of it.
 * Example: 3 hits, 2 missed: 3 / 5 = 0.6.
 */
export function recall(name: string, scope: Scope, zeroDivision: ZeroDivision): Measure {
  const credit = hitCredit(scope);
  const hits = verdictCount('hit', scope.kind);
  const missed = verdictCount('missed', scope.kind);
  return {
    name,
    about: 'hits / gold items that count',
    direction: 'higher',
    range: [0, 1],
    counters: [credit, hits, missed],
    caseCounters: [],
    proportion: true,
    byLabel: true,
    byCase: true,
    value(sums) {
      const n = sums.get(hits.key) + sums.get(missed.key);
      return ratio(credit.total(sums), n, n, 'there is no gold that counts', zeroDivision);
    },
  };
}
