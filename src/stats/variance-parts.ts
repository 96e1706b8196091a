/** How much of the variation of values by case and run comes from the cases, and how much from running again. */
export interface VarianceParts {
  readonly cases: number;
  readonly runs: number;
  /** Variance of the cases' own levels; null where it cannot be estimated. */
  readonly betweenCases: number | null;
  /** Variance of a case's values over the runs, averaged over cases. */
  readonly betweenRuns: number | null;
  /** betweenRuns / (betweenCases + betweenRuns), from 0 to 1. */
  readonly runShare: number | null;
  readonly undefined: string | null;
  readonly note: string | null;
}

/**
 * Parts of the variance of values x[case][run], by a one-way analysis of variance with the cases as groups:
 * betweenRuns = MSW, betweenCases = max(0, (MSB - MSW) / R), runShare = MSW / (betweenCases + MSW) = 1 - ICC(1,1),
 * where MSW = Σ (x[c][r] - mean of c)² / (C (R - 1)) and MSB = R Σ (mean of c - mean)² / (C - 1), C cases, R runs.
 * Undefined with fewer than two cases or two runs, and when all values are equal. Lower is better: a share near 1 means
 * that one run of a case shows little about the case. (Shrout & Fleiss 1979, Psychological Bulletin 86: 420-428;
 * a negative estimate of the part between cases is taken as 0, and reported.)
 * @example varianceParts([[0, 1], [4, 5]]) // MSW 0.5, MSB 16: betweenCases 7.75, betweenRuns 0.5, runShare 2/33
 */
export function varianceParts(values: readonly (readonly number[])[]): VarianceParts {
  const cases = values.length;
  const runs = values[0]?.length ?? 0;
  if (values.some((row) => row.length !== runs)) throw new RangeError('every case needs a value for every run');
  const missing =
    cases < 2
      ? 'fewer than two cases have a value in every run'
      : runs < 2
        ? 'fewer than two runs'
        : values.flat().every((value) => value === values[0]![0])
          ? 'all values are equal: there is no variation to divide'
          : null;
  if (missing !== null)
    return { cases, runs, betweenCases: null, betweenRuns: null, runShare: null, undefined: missing, note: null };

  const means = values.map(meanOf);
  const mean = meanOf(means);
  const within = values.map((row, at) => sumOf(row.map((value) => (value - means[at]!) ** 2)));
  const betweenRuns = sumOf(within) / (cases * (runs - 1));
  const meanSquare = (runs * sumOf(means.map((own) => (own - mean) ** 2))) / (cases - 1);
  const estimate = (meanSquare - betweenRuns) / runs;
  // Of two mean squares that are equal but for rounding, neither is the smaller one.
  const negligible = Math.abs(estimate) <= 1e-12 * betweenRuns;
  const betweenCases = negligible ? 0 : Math.max(0, estimate);
  const note =
    estimate < 0 && !negligible
      ? 'cases differ no more from one another than running again explains: their own part is taken as 0'
      : null;
  const runShare = betweenRuns / (betweenCases + betweenRuns);
  return { cases, runs, betweenCases, betweenRuns, runShare, undefined: null, note };
}

/** Sorted first, so that neither the order of cases nor that of runs shows in the rounding. */
function sumOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b).reduce((sum, value) => sum + value, 0);
}

/** The mean of equal values is that value, whatever rounding gives. */
function meanOf(values: readonly number[]): number {
  return values.every((value) => value === values[0]) ? values[0]! : sumOf(values) / values.length;
}
