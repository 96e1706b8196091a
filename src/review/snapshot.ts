import { UsageError } from '../data/problems.ts';
import { shorten, visible } from '../data/visible.ts';
import { type ReviewSection, reviewSection } from '../recipe/review-section.ts';
import type {
  CellValue,
  Decision,
  ItemAnswer,
  ItemState,
  Judgement,
  ReviewAssignment,
  ReviewEvent,
  ReviewItemRecord,
  ReviewPerson,
  ReviewRecord,
} from '../store/review-records.ts';
import type { Store } from '../store/store.ts';
import { closestNames } from '../text/closest-names.ts';
import { proposedFor } from './content.ts';
import { type ListChange, listChanges, untouched } from './corrections.ts';
import { isAnswerList } from './questions.ts';
import { proposedById } from './segments.ts';

/** A review as it stands at one moment: all that figures, conflicts and exports are made of. */
export interface ReviewSnapshot {
  readonly review: ReviewRecord;
  readonly form: ReviewSection;
  readonly people: readonly ReviewPerson[];
  readonly items: readonly ReviewItemRecord[];
  readonly assignments: readonly ReviewAssignment[];
  readonly states: readonly ItemState[];
  readonly decisions: readonly Decision[];
  readonly judgements: readonly Judgement[];
}

/** Everything about the review of this name; a UsageError with the closest name if it does not exist. */
export function loadSnapshot(store: Store, name: string): ReviewSnapshot {
  const review = store.reviews.find(name) ?? missing(store, name);
  const form = reviewSection.safeParse(review.form);
  if (!form.success)
    throw new UsageError(
      `the form of the review ${visible(shorten(name))} cannot be read: ${form.error.issues[0]?.message ?? 'it is no form'}`,
      'it was made by another version of Assay: use that one',
    );
  const { id } = review;
  return {
    review,
    form: form.data,
    people: store.reviews.people(id),
    items: store.reviews.items(id),
    assignments: store.reviews.assignments(id),
    states: store.reviews.states(id),
    decisions: store.reviews.decisions(id),
    judgements: store.reviews.judgements(id),
  };
}

function missing(store: Store, name: string): never {
  const names = store.reviews.list().map((review) => review.name);
  const near = closestNames(name, names);
  throw new UsageError(
    `there is no review named ${visible(shorten(name))}`,
    near.length > 0
      ? `did you mean ${near.map(visible).join(' or ')}?`
      : names.length === 0
        ? 'make one with assay review create'
        : `reviews: ${names.slice(0, 10).map(visible).join(', ')}`,
  );
}

/** One answer or decision as it was given; later ones stand beside it, not in its place. */
export interface HistoryEntry {
  readonly at: string;
  readonly kind: 'answer' | 'commit' | 'decision';
  readonly who: string;
  readonly case_id: string;
  readonly system: string | null;
  readonly language: string | null;
  readonly field: string;
  readonly part: string | null;
  /** Null: taken back. */
  readonly value: CellValue;
  /** Of a list: what became of each thing since the answer before, or since it was proposed. */
  readonly changes?: readonly ListChange[];
  readonly because: string | null;
  /** How it came: app, sheet or library; null for decisions. */
  readonly origin: string | null;
}

/** Everything that people ever answered, committed or decided in a review, in the order of time. */
export function reviewHistory(store: Store, { review, people, items }: ReviewSnapshot): HistoryEntry[] {
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const about = new Map(items.map(({ id, caseId, system, language }) => [id, { case_id: caseId, system, language }]));
  const entryOf = ({ at, personId, itemId, field, part, value }: Omit<Decision, 'id' | 'seq' | 'because'>) => ({
    at,
    who: names.get(personId) ?? '',
    ...(about.get(itemId) ?? { case_id: '', system: null, language: null }),
    field,
    part,
    value,
  });
  const byId = new Map(items.map((item) => [item.id, item]));
  const last = new Map<string, readonly ItemAnswer[]>();
  const changesOf = ({ itemId, personId, field, value }: ReviewEvent): Pick<HistoryEntry, 'changes'> => {
    const item = byId.get(itemId);
    if (item === undefined || !isAnswerList(value)) return {};
    const proposed = proposedById(proposedFor(item, field));
    const key = JSON.stringify([itemId, personId, field]);
    const changes = listChanges(last.get(key) ?? untouched([...proposed.values()]), value, proposed);
    last.set(key, value);
    return { changes };
  };
  const events = store.reviews.history(review.id, {}).map((event): HistoryEntry => {
    const { at, ...entry } = entryOf(event);
    const kind = event.field.startsWith('#') ? 'commit' : 'answer';
    return { at, kind, ...entry, ...changesOf(event), because: null, origin: event.origin };
  });
  const decisions = store.reviews.decisionHistory(review.id).map((decision): HistoryEntry => {
    const { at, ...entry } = entryOf(decision);
    return { at, kind: 'decision', ...entry, because: decision.because, origin: null };
  });
  // Both lists are in their order; a sort by time keeps it for what came at the same moment.
  return [...events, ...decisions].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}
