import { InputError, type Problem, type Problems } from '../../data/problems.ts';
import { describe } from '../../data/record-fields.ts';
import { shorten, visible } from '../../data/visible.ts';
import type { ReviewSection } from '../../recipe/review-section.ts';
import { closestNames } from '../../text/closest-names.ts';
import { textFault } from '../questions.ts';
import { contentOf } from '../content.ts';
import type { ReviewSnapshot } from '../snapshot.ts';
import { type HistoryOf, PastAnswers, versionIn } from './past-answers.ts';
import type { PersonWork, WorkItem } from './person-work.ts';
import type { SheetAnswers } from './sheet-answers.ts';
import { AS_WRITTEN, type BlockColumn, headerKey, isNotAsked, ITEM } from './sheet-columns.ts';
import { type SheetOwner, SheetPeople } from './sheet-people.ts';
import { shownText } from './write-sheets.ts';
import { damageIn, isFormulaError, isSameText, lostIn, spoiltBySaving } from './spreadsheet-cells.ts';
import type { SpreadsheetRow, SpreadsheetTable } from './spreadsheet-rows.ts';

export type CellPlace = Pick<Problem, 'file' | 'line' | 'field'>;

/** Texts that differ from what was exported: the first of them, and how saving has spoilt one of them. */
interface ChangedTexts {
  readonly row: SpreadsheetRow;
  readonly column: string;
  how: string | null;
  times: number;
}

export interface SheetRow<Columns> {
  readonly at: SpreadsheetRow;
  readonly person: string;
  readonly item: WorkItem;
  readonly columns: Columns;
  /** What was in it when the sheet was written. */
  readonly marks: string;
}

/** A sheet that is being read: whose rows they are, what they are about, and what is to be said of it. */
export class SheetContext {
  readonly snapshot: ReviewSnapshot;
  readonly table: SpreadsheetTable;
  readonly problems: Problems;
  readonly notices: Problem[] = [];
  /** Cells whose answer was given before and changed since: what holds was kept. */
  readonly kept: CellPlace[] = [];
  readonly #history: HistoryOf | null;
  readonly #headers = new Map<string, string>();
  readonly #known = new Set<string>();
  readonly #people: SheetPeople;
  readonly #pasts = new Map<string, PastAnswers>();
  readonly #placed = new Map<string, boolean>();
  #changedTexts: ChangedTexts | null = null;
  #found = 0;

  constructor(
    snapshot: ReviewSnapshot,
    owner: SheetOwner,
    table: SpreadsheetTable,
    problems: Problems,
    history: HistoryOf | null,
  ) {
    this.snapshot = snapshot;
    this.table = table;
    this.problems = problems;
    this.#history = history;
    for (const column of table.columns)
      if (!this.#headers.has(headerKey(column))) this.#headers.set(headerKey(column), column);
    this.#people = new SheetPeople(this, owner);
  }

  /** The rows that are about an item of a person, each with the columns of that person's sheet. */
  *rows<Columns extends { readonly blocks: readonly BlockColumn[] }>(
    answers: SheetAnswers,
    columnsOf: (form: ReviewSection, work: PersonWork) => Columns,
  ): Generator<SheetRow<Columns>, undefined> {
    const layouts = new Map<PersonWork, Columns>();
    for (const at of this.table.rows) {
      const work = this.#people.workFor(at);
      const item = work === null ? null : this.#itemFor(at, work);
      if (work === null || item === null) continue;
      const columns = layouts.get(work) ?? columnsOf(this.snapshot.form, work);
      layouts.set(work, columns);
      const marks = this.cell(at, AS_WRITTEN);
      answers.see(work.person.id, item, versionIn(marks));
      this.#compareTexts(at, item, columns.blocks);
      yield { at, person: work.person.id, item, columns, marks };
    }
  }

  has(column: string): boolean {
    return this.#headers.has(headerKey(column));
  }

  cell(row: SpreadsheetRow, column: string): string {
    this.#known.add(headerKey(column));
    const header = this.#headers.get(headerKey(column));
    return header === undefined ? '' : row.cell(header);
  }

  place({ line, row }: SpreadsheetRow, column: string): CellPlace {
    return { file: this.table.file, line, field: `row ${row}, ${column}` };
  }

  problem(row: SpreadsheetRow, column: string, message: string, next?: string): void {
    this.problems.add({ ...this.place(row, column), message, next });
  }

  notice(row: SpreadsheetRow, column: string, message: string, next: string): void {
    this.notices.push({ ...this.place(row, column), message, next });
  }

  /**
   * Whether words can take the place of those that hold: not if saving has spoilt them, or if nobody could read them. The
   * problem states what happens instead (`keeps`); characters that may be lost are only noticed.
   */
  acceptsWords(row: SpreadsheetRow, column: string, now: string | null, words: string, keeps: string): boolean {
    if (isFormulaError(words)) {
      this.problem(row, column, `found ${describe(words)}: the words were taken for a formula`, 'write them again');
      return false;
    }
    const spoilt = now === null ? null : spoiltBySaving(now, words);
    const fault = spoilt === null ? textFault(words) : `the text ${spoilt}`;
    if (fault !== null) {
      this.problem(row, column, `${fault}: ${keeps}`, spoilt === null ? undefined : 'save the sheet as UTF-8');
      return false;
    }
    const lost = lostIn(words);
    if (lost !== null) this.notice(row, column, `the text ${lost}`, 'fix it in the app, or in the sheet');
    return true;
  }

  keep(row: SpreadsheetRow, column: string): void {
    this.kept.push(this.place(row, column));
  }

  /** Rises with each cell that is not taken over. */
  get trouble(): number {
    return this.problems.count + this.kept.length;
  }

  get names(): ReadonlyMap<string, string> {
    return this.#people.names;
  }

  past(personId: string, itemId: string): PastAnswers {
    const key = JSON.stringify([personId, itemId]);
    const past = this.#pasts.get(key) ?? new PastAnswers(this.#history?.(itemId, personId) ?? null);
    this.#pasts.set(key, past);
    return past;
  }

  /** Whether all that is proposed for a question, in the whole review, are places in the text under review. */
  isPlaced(field: string): boolean {
    const isPlaced =
      this.#placed.get(field) ??
      this.snapshot.items.every((item) => {
        const { proposed } = contentOf(item);
        return !Object.hasOwn(proposed, field) || proposed[field]!.every(({ start }) => start >= 0);
      });
    this.#placed.set(field, isPlaced);
    return isPlaced;
  }

  /** A sheet of another review does not belong to this one: that is reported once, and nothing else of it. */
  refuseStrange(): void {
    const known = new Set(this.snapshot.items.map(({ id }) => id));
    const strange = this.table.rows.filter((row) => this.cell(row, ITEM).trim() !== '');
    const [first] = strange;
    if (strange.length < 2 || first === undefined) return;
    if (strange.some((row) => known.has(this.cell(row, ITEM).trim()))) return;
    const id = this.cell(first, ITEM).trim();
    const damage = damageIn(id);
    const message = `none of its items is in the review ${visible(shorten(this.snapshot.review.name))}, found ${describe(id)}${damage === null ? '' : `, which ${damage}`}`;
    const next = damage === null ? 'is it a sheet of another review?' : 'copy them from the sheet as it was written';
    throw new InputError([{ ...this.place(first, ITEM), message, next }]);
  }

  /** The item of a row, one of the person's own; null, with the problem noted, if it is none. */
  #itemFor(row: SpreadsheetRow, work: PersonWork): WorkItem | null {
    const id = this.cell(row, ITEM).trim();
    const item = work.items.find(({ record }) => record.id === id);
    if (item !== undefined) {
      this.#found += 1;
      return item;
    }
    const damage = damageIn(id);
    const exists = this.snapshot.items.some((one) => one.id === id);
    this.problem(
      row,
      ITEM,
      id === ''
        ? 'expected the item that the row is about, found nothing'
        : `${exists ? `the item ${describe(id)} is not in the queue of ${describe(work.person.name)}` : `there is no item ${describe(id)} in this review`}${damage === null ? '' : `; it ${damage}`}`,
      damage === null ? undefined : 'copy it from the sheet as it was written',
    );
    return null;
  }

  /** Texts are not read back, but that they differ may mean that answers have suffered too. */
  #compareTexts(row: SpreadsheetRow, item: WorkItem, blocks: readonly BlockColumn[]): void {
    for (const { name, block } of blocks) {
      const found = this.cell(row, name);
      const written = shownText(item, block);
      if (found.trim() === '' || isSameText(written, found)) continue;
      this.#changedTexts ??= { row, column: name, how: null, times: 0 };
      this.#changedTexts.how ??= spoiltBySaving(written, found);
      this.#changedTexts.times += 1;
    }
  }

  /** What is to be said of the sheet as a whole, each thing once. `others`: columns of the sheet that are not read. */
  finish(others: RegExp): void {
    if (this.#changedTexts !== null) {
      const { row, column, how, times } = this.#changedTexts;
      this.notices.push({
        ...this.place(row, column),
        message: `the text ${how ?? 'differs from what was exported'}${times > 1 ? `, here and in ${times - 1} more` : ''}; it is not read back`,
        next: 'answers are; look at one or two of them',
      });
    }
    // Without a row that is somebody's nothing is known of the columns.
    if (this.#found === 0) return;
    for (const column of this.table.columns)
      if (!this.#known.has(headerKey(column)) && !others.test(column)) this.#leaveOut(column);
  }

  #leaveOut(column: string): void {
    const filled = this.table.rows.filter((row) => row.cell(column).trim() !== '' && !isNotAsked(row.cell(column)));
    const missing = [...this.#known].filter((name) => !this.has(name));
    const [near] = closestNames(column, missing, 1);
    const next = near === undefined ? undefined : `did you mean ${near}?`;
    const what = `the column ${describe(column)} is not a column of this sheet`;
    const [first] = filled;
    if (first === undefined)
      this.notices.push({ file: this.table.file, line: 1, field: 'header', message: `${what}, and is empty`, next });
    else
      this.problems.add({
        ...this.place(first, column),
        message: `${what}: ${filled.length === 1 ? 'a filled cell is' : `${filled.length} filled cells are`} left out`,
        next,
      });
  }
}
