import { createHash } from 'node:crypto';
import { basename } from 'node:path';

import { hashedSource } from '../data/source.ts';
import { UsageError } from '../data/problems.ts';
import type { ReadFile } from '../data/read-rows.ts';
import { readReviewLines } from '../review/read-review-lines.ts';
import type { ReviewLine } from '../review/review-line.ts';
import { sourceOf } from '../data/source.ts';
import { writeReviewLines } from '../review/review-line.ts';
import type { OpenedSystems, SystemAnswers } from '../formats/case-format.ts';
import type { Plan } from '../recipe/plan.ts';
import type { GivenReviews } from '../review/evaluation.ts';
import { fitLines } from '../review/fit-lines.ts';
import { reviewLines } from '../review/review-lines.ts';
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

const NO_LANGUAGES = { languages: [] };

/** The reviews that a call names, as far as they are about what is scored; null where it names none. */
export async function reviewsOf(flags: ReviewFlags, opened: OpenedSystems): Promise<GivenReviews | null> {
  const { plan } = opened;
  if (flags.review !== undefined && flags.reviews !== undefined && flags.reviews.length > 0)
    throw new UsageError('--review and --reviews both name reviews', 'give one: NAME of the store, or FILE');
  if (flags.review !== undefined) {
    const store = openStore(localFolder(flags), { readOnly: true });
    try {
      return storedReviews(loadSnapshot(store, flags.review), plan, await opened.hold());
    } finally {
      store.close();
    }
  }
  if (flags.reviews === undefined || flags.reviews.length === 0) return null;
  const form = plan.review;
  if (form === null)
    throw new UsageError(`${plan.name} has no review form, so reviews mean nothing to it`, 'add a review section');
  const files = await opened.hold();
  const read: ReadFile[] = [];
  const lines: ReviewLine[] = [];
  for (const path of flags.reviews) {
    const hashed = hashedSource(sourceOf(path));
    const classField = plan.consult === null ? {} : { classField: plan.consult.question };
    const own = await readReviewLines([hashed.source], { form: lineForm(form), ...classField });
    lines.push(...own);
    read.push({
      role: 'reviews',
      name: hashed.source.name,
      path: hashed.source.path,
      format: 'lines',
      ...hashed.digest(),
      rows: own.length,
    });
  }
  const fitted = fitLines(lines, form, files, plan.consult ?? NO_LANGUAGES);
  const only = files.length === 1 ? files[0]!.system : null;
  return { snapshot: snapshotOfLines(fitted.lines, form, only), files: read, notices: fitted.notices };
}

/** A review of the store: its answers as they stand are what the manifest names. */
export function storedReviews(snapshot: ReviewSnapshot, plan: Plan, files: readonly SystemAnswers[]): GivenReviews {
  const lines = reviewLines(snapshot);
  const text = writeReviewLines(lines, 'jsonl');
  const { notices } = fitLines(lines, snapshot.form, files, plan.consult ?? NO_LANGUAGES);
  return {
    snapshot,
    files: [
      {
        role: 'reviews',
        name: `review ${basename(snapshot.review.name)}`,
        path: null,
        format: 'store',
        sha256: createHash('sha256').update(text).digest('hex'),
        bytes: Buffer.byteLength(text),
        rows: lines.length,
      },
    ],
    notices,
  };
}
