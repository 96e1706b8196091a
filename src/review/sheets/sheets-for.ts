import type { ReviewSnapshot } from '../snapshot.ts';
import { claimSheet } from './claim-sheet.ts';
import { howToFill } from './how-to-fill.ts';
import { contentFor } from '../content-for.ts';
import type { ReviewSection } from '../../recipe/review-section.ts';
import { type PersonWork, workOf } from './person-work.ts';
import { ratingSheet } from './rating-sheet.ts';
import { CLAIM_SHEET, GUIDE, PASSAGES, RATING_SHEET } from './sheet-columns.ts';

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
  const passages = passageList(snapshot.form, work);
  return [
    ...(ratings === null ? [] : [{ name: RATING_SHEET, content: ratings }]),
    ...(claims === null ? [] : [{ name: CLAIM_SHEET, content: claims }]),
    ...(passages === null ? [] : [{ name: PASSAGES, content: passages }]),
    { name: GUIDE, content: howToFill(snapshot, work) },
  ];
}

/** All that was retrieved, item by item: the sheet has the best for each claim only. Null where nothing is shown of it. */
function passageList(form: ReviewSection, { items }: PersonWork): string | null {
  const parts = items.flatMap(({ record, asked, content }) => {
    const { passages } = contentFor(form, asked, content);
    if (passages.length === 0) return [];
    const all = passages.map(({ source, text }, at) => `[${at + 1}]${source === null ? '' : ` ${source}`}\n${text}\n`);
    return [`Item ${record.id}\n\n${all.join('\n')}`];
  });
  return parts.length === 0 ? null : parts.join('\n');
}
