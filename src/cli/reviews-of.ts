import { createHash } from 'node:crypto';

import { hashedSource, sourceOf, UsageError } from '../plugin.ts';
import type { OpenedSystems, Plan, ReadFile, SystemAnswers } from '../index.ts';
import { openStore } from '../experiment.ts';
import * as reviews from '../review.ts';
import { localFolder } from './backend-of.ts';

/** The source of reviewers' answers: files of lines, or a review in the store. */
interface ReviewFlags {
  readonly reviews?: readonly string[];
  readonly review?: string;
  readonly data?: string;
}

const NO_LANGUAGES = { languages: [] };

/** The reviews that a call names, as far as they are about what is scored; null if it names none. */
export async function reviewsOf(
  { review, reviews: paths = [], ...place }: ReviewFlags,
  opened: OpenedSystems,
): Promise<reviews.ReviewInput | null> {
  const { plan } = opened;
  if (review !== undefined && paths.length > 0)
    throw new UsageError('--review and --reviews both name reviews', 'give one: NAME of the store, or FILE');
  if (review !== undefined) {
    const store = openStore(localFolder(place), { readOnly: true });
    try {
      return storedReviews(reviews.loadSnapshot(store, review), plan, await opened.hold());
    } finally {
      store.close();
    }
  }
  if (paths.length === 0) return null;
  const form = plan.review;
  if (form === null)
    throw new UsageError(`${plan.name} has no review form, so reviews mean nothing to it`, 'add a review section');
  const systems = await opened.hold();
  const files: ReadFile[] = [];
  const lines: reviews.ReviewLine[] = [];
  for (const file of paths) {
    const { source, digest } = hashedSource(sourceOf(file));
    const classField = plan.consult === null ? {} : { classField: plan.consult.question };
    const read = await reviews.readReviewLines([source], { form: reviews.lineForm(form), ...classField });
    lines.push(...read);
    const { name, path } = source;
    files.push({ role: 'reviews', name, path, format: 'lines', ...digest(), rows: read.length });
  }
  const fitted = reviews.fitLines(lines, form, systems, plan.consult ?? NO_LANGUAGES);
  const only = systems.length === 1 ? systems[0]!.system : null;
  return { snapshot: reviews.snapshotOfLines(fitted.lines, form, only), files, notices: fitted.notices };
}

/** A review of the store: the manifest names its current answers. */
export function storedReviews(
  snapshot: reviews.ReviewSnapshot,
  plan: Plan,
  files: readonly SystemAnswers[],
): reviews.ReviewInput {
  const lines = reviews.reviewLines(snapshot);
  const text = reviews.writeReviewLines(lines, 'jsonl');
  const { notices } = reviews.fitLines(lines, snapshot.form, files, plan.consult ?? NO_LANGUAGES);
  return {
    snapshot,
    files: [
      {
        role: 'reviews',
        name: reviews.reviewInputName(snapshot.review.name),
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
