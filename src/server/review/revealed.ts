import { isRecord } from '../../data/record-fields.ts';
import type { ReviewCell, ReviewPerson } from '../../store/review-records.ts';
import type { Store } from '../../store/store.ts';
import type { Revealed } from '../../review/api.ts';
import { fieldsFor } from '../../review/questions.ts';
import type { FrozenReviewItem, FrozenReview } from './frozen-reviews.ts';
import { reviewerNumbers } from '../../review/people.ts';

/**
 * What a person who has committed an item is shown of it: what the form names, as far as there is any, for the questions
 * that they were asked; null if that is nothing. Gold and automatic verdicts reveal something of the case as well, so they
 * wait until all of the person's items of that case are committed.
 */
export function revealedOf(
  store: Store,
  { record, form, items }: FrozenReview,
  item: FrozenReviewItem,
  person: ReviewPerson,
): Revealed | null {
  if (form.reveal.length === 0) return null;
  const { system = null, hidden = null } = store.reviews.item(record.id, item.id) ?? {};
  const fields = fieldsFor(form, person.groups, item);
  const isShown = (what: (typeof form.reveal)[number]): boolean => form.reveal.includes(what);
  const isCaseDone = () =>
    ofSameCase(store, items, item, person).every(({ id }) => store.reviews.state(id, person.id)?.committed === true);
  const automatic = isShown('automatic') && isCaseDone() ? automaticOf(hidden) : null;
  const judge = isShown('judge') ? judgeCells(store, record.id, item.id, fields) : [];
  const others = isShown('others') ? othersOf(store, record.id, item.id, person, fields) : [];
  const revealed: Revealed = {
    ...(isShown('system') && system !== null ? { system } : {}),
    ...(automatic !== null ? { automatic } : {}),
    ...(judge.length > 0 ? { judge } : {}),
    ...(others.length > 0 ? { others } : {}),
  };
  return Object.keys(revealed).length > 0 ? revealed : null;
}

/** Whether a person was shown anything of an item, or of another one of the same case: their answers are final then. */
export function wasShown(store: Store, review: FrozenReview, item: FrozenReviewItem, person: ReviewPerson): boolean {
  if (review.form.reveal.length === 0) return false;
  return ofSameCase(store, review.items, item, person).some(
    (one) =>
      store.reviews.state(one.id, person.id)?.committed === true && revealedOf(store, review, one, person) !== null,
  );
}

/** The item itself among them. */
function ofSameCase(
  store: Store,
  items: FrozenReview['items'],
  { caseId }: FrozenReviewItem,
  person: ReviewPerson,
): FrozenReviewItem[] {
  return store.reviews
    .queue(person.id)
    .flatMap(({ itemId }) => items.get(itemId) ?? [])
    .filter((one) => one.caseId === caseId);
}

/** Not where scores are sent. */
function automaticOf(hidden: unknown): Readonly<Record<string, unknown>> | null {
  if (!isRecord(hidden)) return null;
  const { traceId: _, ...shown } = hidden;
  return Object.keys(shown).length === 0 ? null : shown;
}

/** The last label for each question holds. */
function judgeCells(store: Store, reviewId: string, itemId: string, fields: readonly string[]): ReviewCell[] {
  const last = new Map<string, ReviewCell>();
  for (const { itemId: of, field, part, value } of store.reviews.judgements(reviewId)) {
    if (of === itemId && fields.includes(field)) last.set(JSON.stringify([field, part]), { field, part, value });
  }
  return [...last.values()];
}

function othersOf(
  store: Store,
  reviewId: string,
  itemId: string,
  person: ReviewPerson,
  fields: readonly string[],
): { readonly reviewer: string; readonly cells: readonly ReviewCell[] }[] {
  const numbers = reviewerNumbers(store.reviews.people(reviewId));
  return [...numbers]
    .filter(([id]) => id !== person.id)
    .flatMap(([id, reviewer]) => {
      const state = store.reviews.state(itemId, id);
      const cells = state?.committed === true ? state.cells.filter(({ field }) => fields.includes(field)) : [];
      return cells.length > 0 ? [{ reviewer, cells }] : [];
    });
}
