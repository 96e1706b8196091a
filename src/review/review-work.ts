import type { ReviewSection } from '../recipe/review-section.ts';
import type {
  CellValue,
  Decision,
  ItemAnswer,
  ItemState,
  ReviewItemRecord,
  ReviewPerson,
} from '../store/review-records.ts';
import { compareNatural } from '../text/compare.ts';
import { contentOf } from './content.ts';
import { fieldOf, fieldsFor, isAnswerList } from './questions.ts';
import { queuedItems } from './review-progress.ts';
import type { ReviewSnapshot } from './snapshot.ts';

/** One reviewer's work on one item, as far as the questions are theirs. */
export interface Work {
  readonly person: ReviewPerson;
  readonly state: ItemState;
  answer(field: string, part: string | null): CellValue;
}

/** An item with the work of those who have committed it, in the order of the people of the review. */
export interface ReviewedItem {
  readonly item: ReviewItemRecord;
  readonly done: readonly Work[];
  readonly begun: readonly Work[];
  /** How many of the reviewers in whose queue it is are asked this question, and how many of them have not finished it. */
  asked(field: string): { readonly people: number; readonly waiting: number };
  /** Newest first. */
  readonly decisions: readonly Decision[];
}

const known = new WeakMap<ReviewSnapshot, readonly ReviewedItem[]>();

/**
 * The items in the order in which they are reported: by case in natural order, the case itself before its answers, then by
 * system and language. Worked out once for a snapshot, which never changes.
 */
export function reviewedItems(snapshot: ReviewSnapshot): readonly ReviewedItem[] {
  const found = known.get(snapshot) ?? gather(snapshot);
  known.set(snapshot, found);
  return found;
}

/** One of them; null if the review has no such item. */
export function reviewedItem(snapshot: ReviewSnapshot, itemId: string): ReviewedItem | null {
  const items = byId.get(snapshot) ?? new Map(reviewedItems(snapshot).map((one) => [one.item.id, one]));
  byId.set(snapshot, items);
  return items.get(itemId) ?? null;
}
const byId = new WeakMap<ReviewSnapshot, ReadonlyMap<string, ReviewedItem>>();

/** The lists of labelled things that reviewers committed, each with whose it is; those who gave none are left out. */
export function listsOf(
  { done }: ReviewedItem,
  field: string,
): { readonly work: Work; readonly answers: readonly ItemAnswer[] }[] {
  return done.flatMap((work) => {
    const answers = work.answer(field, null);
    return isAnswerList(answers) ? [{ work, answers }] : [];
  });
}

function gather(snapshot: ReviewSnapshot): ReviewedItem[] {
  const { form, people, items, states, decisions } = snapshot;
  const reviewers = new Map(people.filter(({ role }) => role === 'reviewer').map((person) => [person.id, person]));
  const order = new Map([...reviewers.keys()].map((id, at) => [id, at]));
  const statesByItem = Map.groupBy(states, ({ itemId }) => itemId);
  const queuedByItem = Map.groupBy(queuedItems(snapshot), ({ itemId }) => itemId);
  const decisionsByItem = Map.groupBy(decisions, ({ itemId }) => itemId);
  return items.toSorted(compareItems).map((item): ReviewedItem => {
    const work = (statesByItem.get(item.id) ?? [])
      .flatMap((state) => {
        const person = reviewers.get(state.personId);
        return person === undefined ? [] : [workOf(person, state, form, item)];
      })
      .sort((a, b) => order.get(a.person.id)! - order.get(b.person.id)!);
    const done = work.filter(({ state }) => state.committed);
    const queued = (queuedByItem.get(item.id) ?? []).map(({ person, state }) => ({
      fields: new Set(fieldsFor(form, person.groups, item)),
      waits: state !== 'done',
    }));
    return {
      item,
      done,
      begun: work.filter(({ state }) => !state.committed),
      asked(field) {
        const asked = queued.filter(({ fields }) => fields.has(field));
        return { people: asked.length, waiting: asked.filter(({ waits }) => waits).length };
      },
      decisions: (decisionsByItem.get(item.id) ?? [])
        .filter(({ value }) => value !== null)
        .toSorted((a, b) => b.seq - a.seq),
    };
  });
}

/**
 * What was answered to a question that is not theirs is nobody's answer. Finishing an item in which nothing was proposed,
 * without adding anything, answers that there is nothing: an empty list. Lines of reviews record no such items.
 */
function workOf(person: ReviewPerson, state: ItemState, form: ReviewSection, item: ReviewItemRecord): Work {
  const fields = fieldsFor(form, person.groups, item);
  const answers = new Map<string, Map<string | null, CellValue>>();
  for (const { field, part, value } of state.cells) {
    if (!fields.includes(field)) continue;
    const own = answers.get(field) ?? new Map<string | null, CellValue>();
    answers.set(field, own.set(part, value));
  }
  const isEmptyList = (name: string): boolean => {
    const field = state.committed && fields.includes(name) ? fieldOf(form, name) : null;
    if (field?.type !== 'items' || field.optional) return false;
    const { proposed } = contentOf(item);
    return Object.hasOwn(proposed, name) && proposed[name]!.length === 0;
  };
  const answer = (name: string, part: string | null): CellValue =>
    answers.get(name)?.get(part) ?? (part === null && isEmptyList(name) ? [] : null);
  return { person, state, answer };
}

function compareItems(a: ReviewItemRecord, b: ReviewItemRecord): number {
  return (
    compareNatural(a.caseId, b.caseId) ||
    Number(a.kind === 'answer') - Number(b.kind === 'answer') ||
    compareNatural(a.system ?? '', b.system ?? '') ||
    compareNatural(a.language ?? '', b.language ?? '') ||
    compareNatural(a.id, b.id)
  );
}
