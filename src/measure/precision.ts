import { excusedCount, hitCredit, type Scope, verdictCount } from './counters.ts';
import { type Measure, ratio, type ZeroDivision } from './measure.ts';

export interface ExcusedBelow {
  /** Whether excused predictions count below the line after all. */
  readonly countExcused: boolean;
  /** Only those that these rules excused; none means all. */
  readonly excusedBy: readonly string[];
  /** Where gold and predictions are judged apart: the rules that found predictions right, instead of hits. */
  readonly rightBy?: readonly string[] | undefined;
}

/**
 * precision = credit of hits / (hits + spurious); higher is better.
 * Undefined when nothing was predicted. Excused predictions stay out of it, unless `countExcused` puts them below the line.
 * With `rightBy`, predictions that these rules accepted take the place of hits (masking counts hits on gold).
 * Example: 3 hits, 1 spurious: 3 / 4 = 0.75.
 */
export function precision(name: string, scope: Scope, below: ExcusedBelow, zeroDivision: ZeroDivision): Measure {
  const right = below.rightBy === undefined ? null : excusedCount('predicted', scope.kind, below.rightBy);
  const credit = hitCredit(scope);
  const hits = right ?? verdictCount('hit', scope);
  const spurious = verdictCount('spurious', scope);
  const excused = below.countExcused ? [excusedCount('predicted', scope.kind, below.excusedBy)] : [];
  const predicted = [hits, spurious, ...excused];
  return {
    name,
    about: right === null ? 'hits / predicted items that count' : 'right predictions / predictions that count',
    direction: 'higher',
    range: [0, 1],
    counters: right === null ? [credit, ...predicted] : predicted,
    caseCounters: [],
    proportion: true,
    byLabel: true,
    byCase: true,
    value(sums) {
      const n = predicted.reduce((sum, counter) => sum + sums.get(counter.key), 0);
      return ratio(
        right === null ? credit.total(sums) : sums.get(right.key),
        n,
        n,
        'nothing was predicted',
        zeroDivision,
      );
    },
  };
}
