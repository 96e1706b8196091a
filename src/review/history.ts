import type { CellValue, Decision } from '../store/review-records.ts';
import type { Store } from '../store/store.ts';
import type { ReviewSnapshot } from './snapshot.ts';

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
  const events = store.reviews.history(review.id, {}).map((event): HistoryEntry => {
    const { at, ...entry } = entryOf(event);
    const kind = event.field.startsWith('#') ? 'commit' : 'answer';
    return { at, kind, ...entry, because: null, origin: event.origin };
  });
  const decisions = store.reviews.decisionHistory(review.id).map((decision): HistoryEntry => {
    const { at, ...entry } = entryOf(decision);
    return { at, kind: 'decision', ...entry, because: decision.because, origin: null };
  });
  // Both lists are in their order; a sort by time keeps it for what came at the same moment.
  return [...events, ...decisions].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}
