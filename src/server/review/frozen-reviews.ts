import { type ReviewSection, reviewSection } from '../../recipe/review-section.ts';
import { damagedCell } from '../../store/cells.ts';
import type { ReviewRecord } from '../../store/review-records.ts';
import type { Store } from '../../store/store.ts';
import { textUnderReview, contentOf } from '../../review/content.ts';
import { isOfMarks } from '../../review/gold-marks.ts';

export interface FrozenReviewItem {
  readonly id: string;
  readonly kind: 'case' | 'answer';
  readonly language: string | null;
  readonly caseId: string;
  readonly title: string;
  /** How many UTF-16 units the text under review has: no place is beyond. */
  readonly length: number;
}

/** What of a review never changes once it was made. */
export interface FrozenReview {
  readonly record: ReviewRecord;
  readonly form: ReviewSection;
  readonly items: ReadonlyMap<string, FrozenReviewItem>;
}

/** Read once for each review, by its id: every save needs it. */
export function frozenReviews(store: Store): (reviewId: string) => FrozenReview {
  const known = new Map<string, FrozenReview>();
  return (reviewId) => {
    const found = known.get(reviewId) ?? readReview(store, reviewId);
    if (!isOfMarks(found.record)) known.set(reviewId, found);
    return found;
  };
}

function readReview(store: Store, reviewId: string): FrozenReview {
  const record = store.reviews.list().find(({ id }) => id === reviewId);
  // Left out of the list if it cannot be read.
  if (record === undefined) return damagedCell('review_seq');
  const form = reviewSection.safeParse(record.form);
  if (!form.success) return damagedCell('form');
  const items = store.reviews.items(reviewId).map((item): [string, FrozenReviewItem] => {
    const { id, kind, language, caseId } = item;
    const length = textUnderReview(item)?.length ?? 0;
    return [id, { id, kind, language, caseId, title: contentOf(item).title, length }];
  });
  return { record, form: form.data, items: new Map(items) };
}
