import type { Interval } from '../measure/results.ts';
import type { Agreement, AgreementOptions } from '../stats/agreement/agreement.ts';
import { cohenKappa } from '../stats/agreement/cohen-kappa.ts';
import { fleissKappa } from '../stats/agreement/pair-agreement.ts';
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

/** Cohen's kappa of two people; Fleiss' of more, on things with as many ratings as the form wants of each. */
export function kappaFor(units: readonly RatedUnit[], raters: number): NamedCoefficient {
  if (raters <= 2) return COHEN;
  const perItem = ratingsWanted(units);
  return {
    name: 'Fleiss’ kappa',
    of: (ratings, options) => fleissKappa(ratings, perItem < 2 ? options : { ...options, perItem }),
  };
}

/** As many as the form wants, where any thing has as many; else the most that any has, as for ratings without a form. */
function ratingsWanted(units: readonly RatedUnit[]): number {
  const given = new Set(units.flatMap(({ rows }) => rows.map(ratingsIn)));
  const wanted = units.map((unit) => unit.wanted ?? 0).find((number) => number >= 2 && given.has(number));
  return wanted ?? Math.max(0, ...given);
}

function ratingsIn(row: readonly unknown[]): number {
  return row.filter((rating) => rating !== null).length;
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
  given: readonly RatedUnit[],
  coefficient: NamedCoefficient,
  options: AgreementOptions,
): UnitAgreement {
  const units = given.toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0));
  const rows = units.flatMap((unit) => unit.rows);
  const alone = whyNone(units, rows);
  if (alone !== null)
    return { value: null, undefined: alone, n: 0, interval: null, noInterval: 'there is no value', notes: [] };
  const clusters = units.flatMap((unit, at) => unit.rows.map(() => at));
  return coefficient.of(rows, { ...options, clusters });
}

/** Why nothing can be compared; null where something can. */
function whyNone(units: readonly RatedUnit[], rows: readonly RatedUnit['rows'][number][]): string | null {
  if (rows.length === 0) return 'nobody has committed an answer to it yet';
  const people = new Set(rows.flatMap((row) => row.flatMap((rating, at) => (rating === null ? [] : [at]))));
  if (people.size === 1) return 'one person only has answered: nobody to compare with';
  if (rows.some((row) => ratingsIn(row) >= 2)) return null;
  return units.some(({ ofThings }) => ofThings === true)
    ? 'no claim is labelled by two people'
    : 'no item is answered by two people';
}
