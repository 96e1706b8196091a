import { excusedCount, hitCredit, type Scope, verdictCount } from './counters.ts';
import { type Measure, ratio, type ZeroDivision } from './measure.ts';

/**
 * precision = credit of hits / (hits + spurious); higher is better.
 * Undefined when nothing was predicted. Excused predictions stay out of it, unless `countExcused` puts them below the line.
 * Example: 3 hits, 1 spurious: 3 / 4 = 0.75.
 */
export function precision(name: string, scope: Scope, countExcused: boolean, zeroDivision: ZeroDivision): Measure {
  const credit = hitCredit(scope);
  const hits = verdictCount('hit', scope.kind);
  const spurious = verdictCount('spurious', scope.kind);
  const excused = excusedCount('predicted', scope.kind);
  return {
    name,
    about: 'hits / predicted items that count',
    direction: 'higher',
    range: [0, 1],
    counters: countExcused ? [credit, hits, spurious, excused] : [credit, hits, spurious],
    caseCounters: [],
    byLabel: true,
    byCase: true,
    value(sums) {
      const n = sums.get(hits.key) + sums.get(spurious.key) + (countExcused ? sums.get(excused.key) : 0);
      return ratio(sums.get(credit.key), n, n, 'nothing was predicted', zeroDivision);
    },
  };
}
