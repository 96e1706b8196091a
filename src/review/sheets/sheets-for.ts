import type { ReviewSnapshot } from '../snapshot.ts';
import { claimSheet } from './claim-sheet.ts';
import { howToFill } from './how-to-fill.ts';
import { workOf } from './person-work.ts';
import { ratingSheet } from './rating-sheet.ts';
import { CLAIM_SHEET, GUIDE, RATING_SHEET } from './sheet-columns.ts';

export interface Sheet {
  /** Of a file in the reviewer's folder. */
  readonly name: string;
  readonly content: string;
}

/**
 * The files by which a person does without the app what they would do in it: ratings, claims, and what the columns mean.
 * Only those for which there are questions. Nothing in them names a system, a gold label or an automatic score.
 */
export function sheetsFor(snapshot: ReviewSnapshot, personId: string): Sheet[] {
  const work = workOf(snapshot, personId);
  const ratings = ratingSheet(snapshot.form, work);
  const claims = claimSheet(snapshot.form, work);
  if (ratings === null && claims === null) return [];
  return [
    ...(ratings === null ? [] : [{ name: RATING_SHEET, content: ratings }]),
    ...(claims === null ? [] : [{ name: CLAIM_SHEET, content: claims }]),
    { name: GUIDE, content: howToFill(snapshot, work) },
  ];
}
