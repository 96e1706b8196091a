import { boundText } from './bound.ts';
import { hitCredit, numberedHits, type Scope, verdictCount, type Within } from './counters.ts';
import { type Measure, ratio, type ZeroDivision } from './measure.ts';

/**
 * recall = credit of hits / (hits + missed); higher is better.
 * Undefined when there is no gold that counts. Excused gold stays out of it.
 * With `within`, a hit whose number is beyond the bound counts as missed (what was covered within a budget), and recall is
 * undefined where there are hits and not one has the number.
 * Example: 3 hits, 2 missed: 3 / 5 = 0.6. With the hits at 100, 240 and 400 CTU, at most 250: 2 / 5 = 0.4.
 */
export function recall(name: string, scope: Scope, zeroDivision: ZeroDivision, within?: Within): Measure {
  const credit = hitCredit(scope, within);
  const hits = verdictCount('hit', scope);
  const missed = verdictCount('missed', scope);
  const numbered = within === undefined ? null : numberedHits(scope.kind, within.field);
  return {
    name,
    about: `hits${within === undefined ? '' : ` with ${within.field} ${boundText(within)}`} / gold items that count`,
    direction: 'higher',
    range: [0, 1],
    counters: [credit, hits, missed, ...(numbered === null ? [] : [numbered])],
    caseCounters: [],
    proportion: true,
    byLabel: true,
    byCase: true,
    value(sums) {
      const n = sums.get(hits.key) + sums.get(missed.key);
      if (numbered !== null && sums.get(hits.key) > 0 && sums.get(numbered.key) === 0)
        return { value: null, undefined: `no hit has a number in ${within?.field ?? ''}`, n };
      return ratio(credit.total(sums), n, n, 'there is no gold that counts', zeroDivision);
    },
    leftOut(sums) {
      const without = numbered === null ? 0 : sums.get(hits.key) - sums.get(numbered.key);
      return without > 0 ? `${without} of ${sums.get(hits.key)} hits without a number in ${within?.field ?? ''}` : null;
    },
  };
}
