import { UsageError } from '../data/problems.ts';
import { readReviewLines } from '../data/read-review-lines.ts';
import { sourceOf } from '../data/source.ts';
import type { Plan } from '../recipe/plan.ts';
import { lineForm } from '../review/sheets/line-form.ts';
import { loadSnapshot, type ReviewSnapshot } from '../review/snapshot.ts';
import { snapshotOfLines } from '../review/snapshot-of-lines.ts';
import { openStore } from '../store/store.ts';
import { localFolder } from './backend-of.ts';

/** Where people's judgement is: files of lines, or a review in the store. */
export interface ReviewFlags {
  readonly reviews?: readonly string[];
  readonly review?: string;
  readonly data?: string;
}

/** The reviews that a call names; null where it names none. `system`: whose answers lines mean that name none. */
export async function reviewsOf(flags: ReviewFlags, plan: Plan, system: string | null): Promise<ReviewSnapshot | null> {
  if (flags.review !== undefined && flags.reviews !== undefined)
    throw new UsageError('--review and --reviews both name reviews', 'give one: NAME of the store, or FILE');
  if (flags.review !== undefined) {
    const store = openStore(localFolder(flags), { readOnly: true });
    try {
      return loadSnapshot(store, flags.review);
    } finally {
      store.close();
    }
  }
  if (flags.reviews === undefined) return null;
  if (plan.review === null)
    throw new UsageError(`${plan.name} has no review form, so reviews mean nothing to it`, 'add a review section');
  const classField = plan.consult?.question;
  const lines = await readReviewLines(flags.reviews.map(sourceOf), {
    form: lineForm(plan.review),
    ...(classField === undefined ? {} : { classField }),
  });
  return snapshotOfLines(lines, plan.review, system);
}
