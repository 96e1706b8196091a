import { hash } from 'node:crypto';

import { InputError, problemText } from '../../data/problems.ts';
import type { Source } from '../../data/source.ts';
import { COMMIT_FIELD, type ItemState, type NewReviewEvent } from '../../store/review-records.ts';
import type { Store } from '../../store/store.ts';
import type { MissingCell } from '../questions.ts';
import { loadSnapshot, type ReviewSnapshot } from '../snapshot.ts';
import type { HistoryOf } from './past-answers.ts';
import { cellKey } from './person-work.ts';
import { readSheet, type SheetReading } from './read-sheet.ts';
import type { SheetOwner } from './sheet-people.ts';

export interface SheetImport {
  /** Null for a file that is not a sheet. */
  readonly kind: SheetReading['kind'] | null;
  readonly rows: number;
  /** Answers of a sheet of ratings, claims of one of claims. */
  readonly changed: number;
  readonly unchanged: number;
  readonly changedDone: number;
  readonly kept: number;
  readonly committed: number;
  readonly reopened: number;
  readonly incomplete: readonly IncompleteItem[];
  readonly problems: readonly string[];
  readonly problemCount: number;
  readonly notices: readonly string[];
}

export interface IncompleteItem {
  readonly person: string;
  readonly item: string;
  readonly missing: readonly MissingCell[];
}

interface ImportOptions {
  readonly owner: SheetOwner;
  /** Whether reviewers who have answered everything are done with an item. */
  readonly commit: boolean;
  readonly dryRun: boolean;
}

interface ImportedSheet {
  readonly result: SheetImport;
  readonly whole: readonly Pick<IncompleteItem, 'person' | 'item'>[];
  readonly after: ReviewSnapshot;
}

const NOT_READ = {
  kind: null,
  rows: 0,
  changed: 0,
  unchanged: 0,
  changedDone: 0,
  kept: 0,
  committed: 0,
  reopened: 0,
  incomplete: [],
  notices: [],
} as const;

/** Saves all good cells of a sheet in one transaction. A file that is not a sheet is a result with problems. */
export async function importSheet(
  store: Store,
  snapshot: ReviewSnapshot,
  source: Source,
  { owner, commit, dryRun }: ImportOptions,
): Promise<ImportedSheet> {
  const { review } = snapshot;
  const history: HistoryOf = (itemId, personId) => store.reviews.history(review.id, { itemId, personId });
  let reading: SheetReading;
  try {
    reading = await readSheet(snapshot, owner.id, source, history, owner.newName);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { problems, total } = error;
    const result = { ...NOT_READ, problems: problems.map(problemText), problemCount: total };
    return { result, whole: [], after: snapshot };
  }
  const { names, complete, reopened } = reading;
  const commits = commit ? commitsOf(snapshot, reading) : [];
  const events = [...reading.events, ...commits];
  if (!dryRun)
    store.transaction(() => {
      for (const [personId, name] of names) store.reviews.rename(personId, name);
      store.reviews.append(events);
    });
  const people = snapshot.people.map((person) => ({ ...person, name: names.get(person.id) ?? person.name }));
  const nameOf = (personId: string): string => people.find(({ id }) => id === personId)?.name ?? personId;
  return {
    result: resultOf(reading, commits.length, nameOf),
    whole: [...complete, ...reopened].map(({ personId, itemId }) => ({ person: nameOf(personId), item: itemId })),
    after: dryRun ? { ...afterEvents(snapshot, events), people } : loadSnapshot(store, review.name),
  };
}

function resultOf(reading: SheetReading, committed: number, nameOf: (personId: string) => string): SheetImport {
  const { kind, rows, changed, unchanged, changedDone, kept, reopened, incomplete, problemCount } = reading;
  return {
    kind,
    rows,
    changed,
    unchanged,
    changedDone,
    kept,
    committed,
    reopened: reopened.length,
    incomplete: incomplete.map(({ personId, itemId: item, missing }) => ({ person: nameOf(personId), item, missing })),
    problems: reading.problems.map(problemText),
    problemCount,
    notices: reading.notices.map(problemText),
  };
}

/** A reviewer who has answered everything in a sheet is done with the item. Made of the answers: the same import is one event. */
function commitsOf({ states }: ReviewSnapshot, { complete, events }: SheetReading): NewReviewEvent[] {
  return complete.map(({ personId, itemId }) => {
    const isOf = (entry: { readonly itemId: string; readonly personId: string }): boolean =>
      entry.itemId === itemId && entry.personId === personId;
    const answers = events.filter(isOf).map(({ id }) => id);
    const content = JSON.stringify([itemId, personId, states.find(isOf)?.version ?? 0, answers]);
    const id = `sheet-commit-${hash('sha256', content).slice(0, 32)}`;
    return { id, itemId, personId, field: COMMIT_FIELD, part: null, value: true, origin: 'sheet' };
  });
}

/** A review as it would stand after events that were not kept: one sheet may complete what another began. */
function afterEvents(snapshot: ReviewSnapshot, events: readonly NewReviewEvent[]): ReviewSnapshot {
  const states = new Map(snapshot.states.map((state) => [itemKey(state), state]));
  for (const event of events) {
    const { itemId, personId, field, part, value } = event;
    const before = states.get(itemKey(event));
    const isCommit = field === COMMIT_FIELD;
    const others = (before?.cells ?? []).filter((cell) => cellKey(cell.field, cell.part) !== cellKey(field, part));
    states.set(itemKey(event), {
      itemId,
      personId,
      cells: isCommit || value === null ? others : [...others, { field, part, value }],
      committed: isCommit ? value === true : (before?.committed ?? false),
      version: (before?.version ?? 0) + 1,
      updatedAt: before?.updatedAt ?? '',
    });
  }
  return { ...snapshot, states: [...states.values()] };
}

function itemKey({ itemId, personId }: Pick<ItemState, 'itemId' | 'personId'>): string {
  return JSON.stringify([itemId, personId]);
}
