import type { Interval } from '../measure/results.ts';
import type { Agreement, AgreementOptions } from '../stats/agreement/agreement.ts';
import { cohenKappa } from '../stats/agreement/cohen-kappa.ts';
import { fleissKappa } from '../stats/agreement/fleiss-kappa.ts';
import { krippendorffAlpha } from '../stats/agreement/krippendorff-alpha.ts';
import type { Ratings } from '../stats/agreement/rating.ts';
import type { RatedUnit } from './rated-units.ts';

/** A coefficient by its name. */
export interface NamedCoefficient {
  readonly name: string;
  of(ratings: Ratings, options: AgreementOptions): Agreement;
}

export const ORDINAL_ALPHA: NamedCoefficient = {
  name: 'Krippendorff’s alpha (ordinal)',
  of: (ratings, options) => krippendorffAlpha(ratings, { ...options, metric: 'ordinal' }),
};

export const COHEN: NamedCoefficient = { name: 'Cohen’s kappa', of: cohenKappa };

export const WEIGHTED_COHEN: NamedCoefficient = {
  name: 'Cohen’s kappa (quadratic weights)',
  of: (ratings, options) => cohenKappa(ratings, { ...options, weights: 'quadratic' }),
};

/** Cohen's kappa of two people; Fleiss' of more, on things with as many ratings as most of them have. */
export function kappaFor(units: readonly RatedUnit[], raters: number): NamedCoefficient {
  if (raters <= 2) return COHEN;
  const perItem = usualRatings(units);
  return { name: 'Fleiss’ kappa', of: (ratings, options) => fleissKappa(ratings, { ...options, perItem }) };
}

/** So that a few things with one rating more, or less, do not throw all others out; of two as usual, the larger. */
function usualRatings(units: readonly RatedUnit[]): number {
  const times = new Map<number, number>();
  for (const { rows } of units)
    for (const row of rows) {
      const given = row.filter((rating) => rating !== null).length;
      if (given >= 2) times.set(given, (times.get(given) ?? 0) + 1);
    }
  const [usual] = [...times].sort(([a, x], [b, y]) => y - x || b - a);
  return usual?.[0] ?? 2;
}

export interface UnitAgreement {
  readonly value: number | null;
  readonly undefined: string | null;
  readonly n: number;
  readonly interval: Interval | null;
  readonly noInterval: string | null;
  readonly notes: readonly string[];
}

/**
 * A coefficient over the rows of all items, its interval from resamples of whole items: the parts and things of one item
 * hang together, and to draw them one by one would make the interval too narrow.
 */
export function agreementOfUnits(
  units: readonly RatedUnit[],
  coefficient: NamedCoefficient,
  options: AgreementOptions,
): UnitAgreement {
  const rows = units.flatMap((unit) => unit.rows);
  if (rows.length === 0) {
    const why = 'nobody has committed an answer to it yet';
    return { value: null, undefined: why, n: 0, interval: null, noInterval: 'there is no value', notes: [] };
  }
  const clusters = units.flatMap((unit, at) => unit.rows.map(() => at));
  return coefficient.of(rows, { ...options, clusters });
}
