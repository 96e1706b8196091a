import { hitCredit, type Scope, verdictCount } from './counters.ts';
import { type Measure, nothingToDivide, type ZeroDivision } from './measure.ts';

/**
 * F = (1 + b²) P R / (b² P + R), b = 1 for F1; higher is better.
 * 0 when there is gold or a prediction but no hit; undefined only when there is neither (van Rijsbergen 1979; the
 * counts form 2 TP / (2 TP + FP + FN) decides the edge cases).
 * Example: P 1, R 0.16: 2 · 0.16 / 1.16 = 0.2759.
 */
export function f1(name: string, scope: Scope, beta: number, zeroDivision: ZeroDivision): Measure {
  const credit = hitCredit(scope);
  const hits = verdictCount('hit', scope);
  const spurious = verdictCount('spurious', scope);
  const missed = verdictCount('missed', scope);
  return {
    name,
    about:
      beta === 1
        ? 'harmonic mean of precision and recall'
        : `weighted harmonic mean of precision and recall (beta ${beta})`,
    direction: 'higher',
    range: [0, 1],
    counters: [credit, hits, spurious, missed],
    caseCounters: [],
    proportion: false,
    byLabel: true,
    byCase: true,
    value(sums) {
      const worth = credit.total(sums);
      const predicted = sums.get(hits.key) + sums.get(spurious.key);
      const gold = sums.get(hits.key) + sums.get(missed.key);
      const n = predicted + sums.get(missed.key);
      if (n === 0) return nothingToDivide('there is neither gold nor a prediction that counts', 0, zeroDivision);
      if (worth === 0) return { value: 0, undefined: null, n };
      const p = worth / predicted;
      const r = worth / gold;
      const b2 = beta * beta;
      return { value: ((1 + b2) * (p * r)) / (b2 * p + r), undefined: null, n };
    },
  };
}
