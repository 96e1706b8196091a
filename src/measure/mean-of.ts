import type { Measure, Range } from './measure.ts';

/**
 * mean of several measures, each counting the same (overall_quality = mean of two F1); higher is better.
 * `harmonic`: n / (1/a + 1/b + …), 0 where one of them is 0.
 * Undefined as soon as one of them is: a mean over what happens to be defined would not be the same measure.
 */
export function meanOf(name: string, parts: readonly Measure[], harmonic = false): Measure {
  return {
    name,
    about: `${harmonic ? 'harmonic ' : ''}mean of ${parts.map((part) => part.name).join(' and ')}`,
    direction: parts[0]?.direction ?? 'higher',
    range: sharedRange(parts),
    counters: parts.flatMap((part) => part.counters),
    caseCounters: parts.flatMap((part) => part.caseCounters),
    beside: parts.flatMap((part) => part.beside ?? []),
    proportion: false,
    byLabel: false,
    byCase: true,
    value(sums) {
      const outcomes = parts.map((part) => ({ part, outcome: part.value(sums) }));
      const n = Math.min(...outcomes.map(({ outcome }) => outcome.n));
      let total = 0;
      for (const { part, outcome } of outcomes) {
        if (outcome.value === null)
          return { value: null, undefined: `${part.name} is undefined: ${outcome.undefined}`, n };
        total += harmonic ? 1 / outcome.value : outcome.value;
      }
      return { value: harmonic ? parts.length / total : total / parts.length, undefined: null, n };
    },
  };
}

/** The widest range of the parts: a mean lies between the least and the most of them. */
function sharedRange(parts: readonly Measure[]): Range {
  const lows = parts.map(({ range: [low] }) => low);
  const highs = parts.map(({ range: [, high] }) => high);
  return [
    lows.includes(null) ? null : Math.min(...lows.map((low) => low ?? 0)),
    highs.includes(null) ? null : Math.max(...highs.map((high) => high ?? 0)),
  ];
}
