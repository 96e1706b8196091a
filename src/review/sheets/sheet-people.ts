import type { Problem } from '../../data/problems.ts';
import { describe } from '../../data/record-fields.ts';
import type { SpreadsheetRow } from '../../data/spreadsheet-rows.ts';
import { nearestNames } from '../../text/nearest.ts';
import type { ReviewSnapshot } from '../snapshot.ts';
import { type PersonWork, workOf } from './person-work.ts';
import { headerKey, ITEM, REVIEWER } from './sheet-columns.ts';

/** What of a sheet says whose it is. */
export interface OwnedRows {
  readonly rows: readonly SpreadsheetRow[];
  cell(row: SpreadsheetRow, column: string): string;
  place(row: SpreadsheetRow, column: string): Pick<Problem, 'file' | 'line' | 'field'>;
}

/** Whose rows the rows of a sheet are: by its own column, or by whoever reads it in (`as`). */
export class SheetPeople {
  readonly #snapshot: ReviewSnapshot;
  readonly #as: string | null;
  readonly #rows: OwnedRows;
  readonly #note: (problem: Problem) => void;
  readonly #onlyName: string | null;
  readonly #works = new Map<string, PersonWork>();
  readonly #people = new Map<string, PersonWork | null>();

  constructor(snapshot: ReviewSnapshot, as: string | null, rows: OwnedRows, note: (problem: Problem) => void) {
    this.#snapshot = snapshot;
    this.#as = as;
    this.#rows = rows;
    this.#note = note;
    const names = new Set(rows.rows.map((row) => rows.cell(row, REVIEWER).trim()).filter((name) => name !== ''));
    this.#onlyName = names.size === 1 ? [...names][0]! : null;
  }

  /** Whose row it is; null, with the problem noted once for each name, where that cannot be told. */
  workFor(row: SpreadsheetRow): PersonWork | null {
    const name = this.#nameOf(row);
    const found = this.#people.get(name);
    if (found !== undefined) return found;
    const work = this.#find(name, row);
    const own = work === null || this.#hasOne(name, work, row) ? work : null;
    this.#people.set(name, own);
    return own;
  }

  #nameOf(row: SpreadsheetRow): string {
    const written = this.#rows.cell(row, REVIEWER).trim();
    return written === '' && this.#as === null ? (this.#onlyName ?? '') : written;
  }

  #problem(row: SpreadsheetRow, column: string, message: string, next: string): null {
    this.#note({ ...this.#rows.place(row, column), message, next });
    return null;
  }

  #find(name: string, row: SpreadsheetRow): PersonWork | null {
    const reviewers = this.#snapshot.people.filter(({ role }) => role === 'reviewer');
    const named = reviewers.filter((person) => headerKey(person.name) === headerKey(name));
    const person = named.find((one) => one.name === name) ?? (named.length === 1 ? named[0]! : null);
    if (this.#as !== null) {
      const as = this.#work(this.#as);
      if (name === '' || person?.id === this.#as || headerKey(as.person.name) === headerKey(name)) return as;
      return this.#problem(
        row,
        REVIEWER,
        `the sheet is ${describe(name)}’s, and was to be read as ${describe(as.person.name)}’s: these rows are left out`,
        'import it as its own, or empty the column',
      );
    }
    if (person !== null) return this.#work(person.id);
    const near = nearestNames(
      name,
      reviewers.map((one) => one.name),
    );
    return this.#problem(
      row,
      REVIEWER,
      name === ''
        ? 'expected the name of the reviewer, found nothing: these rows are left out'
        : `there is no reviewer ${describe(name)} in this review: these rows are left out`,
      near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'say whose sheet it is with --as NAME',
    );
  }

  /** Many rows and none of them in the queue: that is one mistake, not one for each row. */
  #hasOne(name: string, work: PersonWork, first: SpreadsheetRow): boolean {
    const queue = new Set(work.items.map(({ record }) => record.id));
    const known = new Set(this.#snapshot.items.map(({ id }) => id));
    const items = new Set(
      this.#rows.rows.flatMap((row) => {
        const item = this.#rows.cell(row, ITEM).trim();
        return this.#nameOf(row) === name && known.has(item) ? [item] : [];
      }),
    );
    if (items.size < 2 || [...items].some((item) => queue.has(item))) return true;
    this.#problem(
      first,
      ITEM,
      `none of the ${items.size} items is in the queue of ${describe(work.person.name)}: these rows are left out`,
      'whose sheet is it? Say so with --as NAME',
    );
    return false;
  }

  #work(personId: string): PersonWork {
    const work = this.#works.get(personId) ?? workOf(this.#snapshot, personId);
    this.#works.set(personId, work);
    return work;
  }
}
