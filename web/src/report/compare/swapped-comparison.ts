import type { Comparison, MeasureComparison, MovedCase } from '../../../../src/compare/comparison.ts';

/**
 * A comparison of two runs as if the other were the baseline. Every test in it is two-sided and every interval is one of
 * a difference, so that nothing has to be drawn again: signs, sides and verdicts change places.
 */
export function swappedComparison(comparison: Comparison): Comparison {
  const { failedOtherwise: otherwise } = comparison;
  return {
    ...comparison,
    systems: comparison.systems.toReversed(),
    measures: comparison.measures.map(swappedMeasure),
    changes: {
      ...comparison.changes,
      systems: comparison.changes.systems.map((one) => ({
        ...one,
        worse: one.better,
        better: one.worse,
        errors: { baseline: one.errors.other, other: one.errors.baseline },
      })),
    },
    moved: comparison.moved.map((one): MovedCase => ({ ...one, ...swappedSides(one), change: OPPOSITE[one.change] })),
    ...(otherwise === undefined
      ? {}
      : {
          failedOtherwise: {
            ...otherwise,
            measures: otherwise.measures.map((one) => ({ ...one, values: one.values.toReversed() })),
          },
        }),
  };
}

const OPPOSITE = {
  better: 'worse',
  worse: 'better',
  'no difference shown': 'no difference shown',
  'too little data': 'too little data',
} as const;

function swappedMeasure(row: MeasureComparison): MeasureComparison {
  const { interval, permutation, mcnemar, effect, wins, losses } = row;
  return {
    ...row,
    ...swappedSides(row),
    interval: interval && { ...interval, low: negative(interval.high), high: negative(interval.low) },
    permutation: { ...permutation, statistic: negative(permutation.statistic) },
    mcnemar: mcnemar && { ...mcnemar, onlyBaseline: mcnemar.onlyOther, onlyOther: mcnemar.onlyBaseline },
    effect: {
      ...effect,
      dz: negative(effect.dz),
      rankBiserial: negative(effect.rankBiserial),
      standardised: negative(effect.standardised),
    },
    wins: losses,
    losses: wins,
    verdict: OPPOSITE[row.verdict],
  };
}

function swappedSides<Value extends number | null>(row: {
  readonly baseline: Value;
  readonly other: Value;
  readonly difference: Value;
}) {
  return { baseline: row.other, other: row.baseline, difference: negative(row.difference) };
}

/** 0 has no sign. */
function negative<Value extends number | null>(value: Value): Value;
function negative(value: number | null): number | null {
  return value === null || value === 0 ? value : -value;
}
