import { type Problem, Problems } from '../../data/problems.ts';
import type { ReviewSection } from '../../recipe/review-section.ts';
import type { CellValue, NewReviewEvent, ReviewCell } from '../../store/review-records.ts';
import { cellFault, fieldOf, type MissingCell, missingCells } from '../questions.ts';
import { isSameAnswer, type PastAnswers, sheetEventId, type Standing } from './past-answers.ts';
import { cellKey, type WorkItem } from './person-work.ts';

/** Beyond this a file is not worth naming cell by cell; they are still counted. */
const MOST_NAMED = 1000;

/** All problems of a sheet, not the first few: each is a cell that somebody has to fix. */
export class SheetProblems extends Problems {
  readonly list: Problem[] = [];

  override add(problem: Problem): void {
    super.add(problem);
    if (this.list.length < MOST_NAMED) this.list.push(problem);
  }
}

export interface SheetAnswer {
  readonly personId: string;
  readonly item: WorkItem;
  readonly field: string;
  readonly part: string | null;
  readonly value: CellValue;
  readonly standing: Standing;
  /** How many answers it counts for: a list of claims has many. */
  readonly size: number;
  readonly place: Pick<Problem, 'file' | 'line' | 'field'>;
}

interface PersonItem {
  readonly personId: string;
  readonly itemId: string;
}

export interface SettledAnswers {
  readonly events: readonly NewReviewEvent[];
  /** Answers that are new or changed, and those that hold already: cells of ratings, claims of claims. */
  readonly changed: number;
  readonly unchanged: number;
  /** Of those that changed, the ones in items that were done, which they stay. */
  readonly changedDone: number;
  readonly keptPlaces: readonly SheetAnswer['place'][];
  /** Items of the sheet that have all their answers now, and are not committed. */
  readonly complete: readonly PersonItem[];
  /** Items that were begun and have not, with what is missing. */
  readonly incomplete: readonly (PersonItem & { readonly missing: readonly MissingCell[] })[];
  /** Items that were opened again since the sheet was written: the person who did that decides when they are done. */
  readonly reopened: readonly PersonItem[];
}

interface SeenItem {
  readonly personId: string;
  readonly item: WorkItem;
  readonly since: number;
}

export class SheetAnswers {
  readonly #form: ReviewSection;
  readonly #problems: Problems;
  readonly #pastOf: (personId: string, itemId: string) => PastAnswers;
  readonly #answers = new Map<string, SheetAnswer[]>();
  readonly #seen = new Map<string, SeenItem>();
  readonly #nothing = new Set<string>();

  constructor(form: ReviewSection, problems: Problems, pastOf: (personId: string, itemId: string) => PastAnswers) {
    this.#form = form;
    this.#problems = problems;
    this.#pastOf = pastOf;
  }

  /** An item that the sheet has a row for, whether or not it is filled in, and its version when that was written. */
  see(personId: string, item: WorkItem, since: number | null): void {
    const key = JSON.stringify([personId, item.record.id]);
    const before = this.#seen.get(key)?.since ?? Infinity;
    this.#seen.set(key, { personId, item, since: Math.min(before, since ?? 0) });
  }

  /** An item in which nothing was found according to the sheet. */
  seeNothing(personId: string, item: WorkItem): void {
    this.#nothing.add(JSON.stringify([personId, item.record.id]));
  }

  add(answer: SheetAnswer): void {
    const key = JSON.stringify([answer.personId, answer.item.record.id, answer.field, answer.part]);
    const before = this.#answers.get(key);
    if (before === undefined) this.#answers.set(key, [answer]);
    else before.push(answer);
  }

  settle(): SettledAnswers {
    const events: NewReviewEvent[] = [];
    const keptPlaces: SheetAnswer['place'][] = [];
    let [changed, unchanged, changedDone] = [0, 0, 0];
    for (const given of this.#answers.values()) {
      const [answer] = given;
      if (answer === undefined || this.#differ(given)) continue;
      if (answer.standing === 'as-before') unchanged += answer.size;
      if (answer.standing === 'kept') keptPlaces.push(answer.place);
      const event = answer.standing === 'new' ? this.#eventOf(answer) : null;
      if (event === null) continue;
      events.push(event);
      changed += answer.size;
      if (answer.item.committed) changedDone += answer.size;
    }
    return { events, changed, unchanged, changedDone, keptPlaces, ...this.#standing(events) };
  }

  /** Two rows that say different things of the same item: neither is taken. */
  #differ(given: readonly SheetAnswer[]): boolean {
    const [first] = given;
    const other = given.find(({ value }) => first !== undefined && !isSameAnswer(first.value, value));
    if (first === undefined || other === undefined) return false;
    this.#problems.add({
      ...other.place,
      message: `the item was given another answer before (line ${first.place.line ?? 1}); neither is taken`,
      next: 'keep one of the rows',
    });
    return true;
  }

  #eventOf({ personId, item, field, part, value, place }: SheetAnswer): NewReviewEvent | null {
    const fault =
      item.committed && this.#form.reveal.length > 0
        ? 'the item was committed, and is final since more of it was shown then: the answer is left as it is'
        : cellFault(this.#form, { field, part, value });
    if (fault !== null) {
      this.#problems.add({ ...place, message: fault });
      return null;
    }
    const event = { itemId: item.record.id, personId, field, part, value, origin: 'sheet' } as const;
    const times = this.#pastOf(personId, item.record.id).times(field, part, value, item.version);
    return { id: sheetEventId(event, times), ...event };
  }

  #standing(events: readonly NewReviewEvent[]): Pick<SettledAnswers, 'complete' | 'incomplete' | 'reopened'> {
    const own = Map.groupBy(events, ({ personId, itemId }) => JSON.stringify([personId, itemId]));
    const [complete, reopened]: [PersonItem[], PersonItem[]] = [[], []];
    const incomplete: SettledAnswers['incomplete'][number][] = [];
    const empty: (PersonItem & { readonly isOpen: boolean })[] = [];
    const unlabelled = new Set<string>();
    for (const [key, { personId, item, since }] of this.#seen) {
      const cells = new Map<string, ReviewCell>(item.cells.map((cell) => [cellKey(cell.field, cell.part), cell]));
      for (const event of own.get(key) ?? []) cells.set(cellKey(event.field, event.part), event);
      const now = [...cells.values()];
      if (item.committed) continue;
      const missing = missingCells(this.#form, item.asked, now, item.content.proposed);
      if (missing.some(({ field }) => fieldOf(this.#form, field)?.type === 'items')) unlabelled.add(personId);
      const past = this.#pastOf(personId, item.record.id);
      const one = { personId, itemId: item.record.id };
      if (now.every(({ value }) => value === null)) {
        if (this.#nothing.has(key) && missing.length === 0) empty.push({ ...one, isOpen: past.wasReopened(since) });
      } else if (missing.length > 0) incomplete.push({ ...one, missing });
      // A sheet that was written after it was opened again and has something new means it.
      else if (past.wasReopened(since) || (past.wasReopened(0) && !own.has(key))) reopened.push(one);
      else complete.push(one);
    }
    // While other rows wait for their labels the person is still at work, and may not have looked at these.
    for (const { isOpen, ...one } of empty)
      if (isOpen) reopened.push(one);
      else if (!unlabelled.has(one.personId)) complete.push(one);
    return { complete, incomplete, reopened };
  }
}
