import { type Problem, Problems } from '../../data/problems.ts';
import { isSameText } from '../../data/spreadsheet-damage.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import type { ReviewSection } from '../../recipe/review-section.ts';
import type { CellValue, NewReviewEvent, ReviewCell } from '../../store/review-records.ts';
import { cellFault, missingCells } from '../questions.ts';
import { sheetEventId } from './event-id.ts';
import { cellKey, type WorkItem } from './person-work.ts';

/** Beyond this a file is not worth naming cell by cell; they are still counted. */
const MOST_NAMED = 1000;

/** All problems of a sheet, not the first few: each is a cell that somebody has to mend. */
export class SheetProblems extends Problems {
  readonly list: Problem[] = [];

  override add(problem: Problem): void {
    super.add(problem);
    if (this.list.length < MOST_NAMED) this.list.push(problem);
  }
}

/** What a sheet says to one question of one item. */
export interface SheetAnswer {
  readonly personId: string;
  readonly item: WorkItem;
  readonly field: string;
  readonly part: string | null;
  readonly value: CellValue;
  /** It stood there when the sheet was written: nobody has given this answer now. */
  readonly asWritten: boolean;
  readonly place: Pick<Problem, 'file' | 'line' | 'field'>;
}

export interface SettledAnswers {
  readonly events: readonly NewReviewEvent[];
  readonly unchanged: number;
  /** Items of the sheet that have all their answers now, and are not committed. */
  readonly complete: readonly { readonly personId: string; readonly itemId: string }[];
}

/** Makes events of what a sheet says, where it says something new. */
export class SheetAnswers {
  readonly #form: ReviewSection;
  readonly #problems: Problems;
  readonly #answers = new Map<string, SheetAnswer[]>();
  readonly #seen = new Map<string, { readonly personId: string; readonly item: WorkItem }>();

  constructor(form: ReviewSection, problems: Problems) {
    this.#form = form;
    this.#problems = problems;
  }

  /** An item that the sheet has a row for, whether or not it is filled in. */
  see(personId: string, item: WorkItem): void {
    this.#seen.set(JSON.stringify([personId, item.record.id]), { personId, item });
  }

  add(answer: SheetAnswer): void {
    const key = JSON.stringify([answer.personId, answer.item.record.id, answer.field, answer.part]);
    const before = this.#answers.get(key);
    if (before === undefined) this.#answers.set(key, [answer]);
    else before.push(answer);
  }

  settle(): SettledAnswers {
    const events: NewReviewEvent[] = [];
    let unchanged = 0;
    for (const given of this.#answers.values()) {
      const [answer] = given;
      if (answer === undefined || this.#differ(given)) continue;
      if (answer.asWritten || isSame(answer.item.answer(answer.field, answer.part), answer.value)) unchanged += 1;
      else {
        const event = this.#eventOf(answer);
        if (event !== null) events.push(event);
      }
    }
    return { events, unchanged, complete: this.#complete(events) };
  }

  /** Two rows that say different things of the same item: neither is taken. */
  #differ(given: readonly SheetAnswer[]): boolean {
    const [first] = given;
    const other = given.find(({ value }) => first !== undefined && !isSame(first.value, value));
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
    return { id: sheetEventId(event, item.version), ...event };
  }

  #complete(events: readonly NewReviewEvent[]): SettledAnswers['complete'] {
    return [...this.#seen.values()].flatMap(({ personId, item }) => {
      if (item.committed) return [];
      const cells = new Map<string, ReviewCell>(item.cells.map((cell) => [cellKey(cell.field, cell.part), cell]));
      for (const event of events)
        if (event.personId === personId && event.itemId === item.record.id)
          cells.set(cellKey(event.field, event.part), event);
      const now = [...cells.values()];
      const isAnswered = now.some(({ value }) => value !== null);
      const isWhole = missingCells(this.#form, item.asked, now, item.content.proposed).length === 0;
      return isAnswered && isWhole ? [{ personId, itemId: item.record.id }] : [];
    });
  }
}

function isSame(one: CellValue, other: CellValue): boolean {
  if (typeof one === 'string' && typeof other === 'string') return isSameText(one, other);
  return sortedJson(one) === sortedJson(other);
}
