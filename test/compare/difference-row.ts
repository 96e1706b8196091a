import type { Direction } from '../../src/measure/measure.ts';
import type { Interval } from '../../src/measure/results.ts';
import type { PairedDifference } from '../../src/stats/paired-difference.ts';

export interface RowInit {
  readonly difference: number | null;
  readonly p: number | null;
  readonly interval: Interval | null;
  readonly constant?: boolean;
  readonly units: number;
  readonly standardised?: number | null;
  readonly direction?: Direction;
  readonly baseline?: number;
}

/** A difference of which only what a verdict looks at is of interest. */
export function differenceRow({
  difference,
  p,
  interval,
  constant = false,
  units,
  standardised = null,
  direction = 'higher',
  baseline = 0.5,
}: RowInit): PairedDifference & { name: string; slice: Record<string, string>; direction: Direction; system: number } {
  const test = { pValue: p, undefined: p === null ? 'none' : null, method: 'exact', statistic: difference, n: units };
  return {
    name: 'f1',
    slice: {},
    direction,
    system: 1,
    baseline,
    other: difference === null ? null : baseline + difference,
    difference,
    undefined: difference === null ? 'none' : null,
    interval,
    noInterval: interval === null ? 'none' : null,
    constant,
    units,
    differing: units,
    fixed: false,
    permutation: test,
    wilcoxon: test,
    mcnemar: null,
    effect: { dz: null, rankBiserial: null, standardised },
    wins: 0,
    losses: 0,
    ties: 0,
    withoutPair: 0,
  };
}
