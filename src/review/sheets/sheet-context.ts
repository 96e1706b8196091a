import type { Problem, Problems } from '../../data/problems.ts';
import { describe } from '../../data/record-fields.ts';
import { damageIn, isSameText, spoiltBySaving } from '../../data/spreadsheet-damage.ts';
import type { SpreadsheetRow, SpreadsheetTable } from '../../data/spreadsheet-rows.ts';
import { nearestNames } from '../../text/nearest.ts';
import type { ReviewSnapshot } from '../snapshot.ts';
import { type PersonWork, type WorkItem, workOf } from './person-work.ts';
import { shownText } from './rating-sheet.ts';
import { type BlockColumn, headerKey, ITEM, REVIEWER } from './sheet-columns.ts';

/** Texts that differ from what was exported: the first of them, and how saving has spoilt one of them. */
interface ChangedTexts {
  readonly row: SpreadsheetRow;
  readonly column: string;
  how: string | null;
  times: number;
}

/** A sheet that is being read: whose rows they are, what they are about, and what is to be said of it. */
export class SheetContext {
  readonly snapshot: ReviewSnapshot;
  readonly table: SpreadsheetTable;
  readonly problems: Problems;
  readonly notices: Problem[] = [];
  readonly #as: string | null;
  readonly #headers = new Map<string, string>();
  readonly #works = new Map<string, PersonWork>();
  readonly #people = new Map<string, PersonWork | null>();
  readonly #onlyName: string | null;
  readonly #known = new Set<string>();
  #changedTexts: ChangedTexts | null = null;
  #notAsked = 0;

  constructor(snapshot: ReviewSnapshot, as: string | null, table: SpreadsheetTable, problems: Problems) {
    this.snapshot = snapshot;
    this.table = table;
    this.problems = problems;
    this.#as = as;
    for (const column of table.columns)
      if (!this.#headers.has(headerKey(column))) this.#headers.set(headerKey(column), column);
    const names = new Set(table.rows.map((row) => this.cell(row, REVIEWER).trim()).filter((name) => name !== ''));
    this.#onlyName = names.size === 1 ? [...names][0]! : null;
  }

  has(column: string): boolean {
    return this.#headers.has(headerKey(column));
  }

  cell(row: SpreadsheetRow, column: string): string {
    this.#known.add(headerKey(column));
    const header = this.#headers.get(headerKey(column));
    return header === undefined ? '' : row.cell(header);
  }

  place({ line, row }: SpreadsheetRow, column: string): Pick<Problem, 'file' | 'line' | 'field'> {
    return { file: this.table.file, line, field: `row ${row}, ${column}` };
  }

  /** Whose row it is; null, with the problem noted once for each name, where that cannot be told. */
  workFor(row: SpreadsheetRow): PersonWork | null {
    const written = this.cell(row, REVIEWER).trim();
    const name = written === '' && this.#as === null ? (this.#onlyName ?? '') : written;
    const found = this.#people.get(name);
    if (found !== undefined) return found;
    const work = this.#find(name, row);
    this.#people.set(name, work);
    return work;
  }

  #find(name: string, row: SpreadsheetRow): PersonWork | null {
    const problem = (message: string, next: string): null => {
      this.problems.add({ ...this.place(row, REVIEWER), message, next });
      return null;
    };
    const reviewers = this.snapshot.people.filter(({ role }) => role === 'reviewer');
    const named = reviewers.filter((person) => headerKey(person.name) === headerKey(name));
    const person = named.find((one) => one.name === name) ?? (named.length === 1 ? named[0]! : null);
    if (this.#as !== null) {
      if (name === '' || person?.id === this.#as) return this.#work(this.#as);
      const { person: as } = this.#work(this.#as);
      if (headerKey(as.name) === headerKey(name)) return this.#work(as.id);
      return problem(
        `the sheet is ${describe(name)}’s, and was to be read as ${describe(as.name)}’s: these rows are left out`,
        'import it as its own, or empty the column',
      );
    }
    if (person !== null) return this.#work(person.id);
    const near = nearestNames(
      name,
      reviewers.map((one) => one.name),
    );
    return problem(
      name === ''
        ? 'expected the name of the reviewer, found nothing: these rows are left out'
        : `there is no reviewer ${describe(name)} in this review: these rows are left out`,
      near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'say whose sheet it is with --as NAME',
    );
  }

  #work(personId: string): PersonWork {
    const work = this.#works.get(personId) ?? workOf(this.snapshot, personId);
    this.#works.set(personId, work);
    return work;
  }

  /** The item of a row, one of the person's own; null, with the problem noted, where it is none. */
  itemFor(row: SpreadsheetRow, work: PersonWork): WorkItem | null {
    const id = this.cell(row, ITEM).trim();
    const item = work.items.find(({ record }) => record.id === id);
    if (item !== undefined) return item;
    const damage = damageIn(id);
    const exists = this.snapshot.items.some((one) => one.id === id);
    this.problems.add({
      ...this.place(row, ITEM),
      message:
        id === ''
          ? 'expected the item that the row is about, found nothing'
          : `${exists ? `the item ${describe(id)} is not in the queue of ${describe(work.person.name)}` : `there is no item ${describe(id)} in this review`}${damage === null ? '' : `; it ${damage}`}`,
      ...(damage === null ? {} : { next: 'copy it from the sheet as it was written' }),
    });
    return null;
  }

  /** Texts are not read back, but that they differ may mean that answers have suffered too. */
  compareTexts(row: SpreadsheetRow, item: WorkItem, blocks: readonly BlockColumn[]): void {
    for (const { name, block } of blocks) {
      const found = this.cell(row, name);
      const written = shownText(item, block);
      if (found.trim() === '' || isSameText(written, found)) continue;
      this.#changedTexts ??= { row, column: name, how: null, times: 0 };
      this.#changedTexts.how ??= spoiltBySaving(written, found);
      this.#changedTexts.times += 1;
    }
  }

  /** A cell that is filled in although its question is not asked of the item. */
  noteNotAsked(): void {
    this.#notAsked += 1;
  }

  /** What is worth knowing and hinders nothing, each thing once. `others`: columns of the sheet that are not read. */
  finish(others: RegExp): void {
    const { file } = this.table;
    if (this.#changedTexts !== null) {
      const { row, column, how, times } = this.#changedTexts;
      this.notices.push({
        ...this.place(row, column),
        message: `the text ${how ?? 'differs from what was exported'}${times > 1 ? `, here and in ${times - 1} more` : ''}; it is not read back`,
        next: 'answers are; look at one or two of them',
      });
    }
    if (this.#notAsked > 0)
      this.notices.push({
        file,
        line: null,
        message: `${this.#notAsked} filled cell${this.#notAsked === 1 ? '' : 's'} left out: the question is not asked of that item`,
      });
    // Without anybody's rows nothing is known of the columns.
    if (this.#works.size === 0) return;
    for (const column of this.table.columns) {
      if (this.#known.has(headerKey(column)) || others.test(column)) continue;
      const near = nearestNames(column, this.#known, 1);
      this.notices.push({
        file,
        line: 1,
        field: 'header',
        message: `the column ${describe(column)} is none of this sheet’s and was left out`,
        ...(near.length === 0 ? {} : { next: `did you mean ${near[0]!}?` }),
      });
    }
  }
}
