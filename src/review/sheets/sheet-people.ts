import { describe } from '../../data/record-fields.ts';
import type { SpreadsheetRow, SpreadsheetTable } from './spreadsheet-rows.ts';
import type { ReviewPerson } from '../../store/review-records.ts';
import { closestNames } from '../../text/closest-names.ts';
import { isUnnamed, nameFault } from '../people.ts';
import type { ReviewSnapshot } from '../snapshot.ts';
import { type PersonWork, workOf } from './person-work.ts';
import { headerKey, ITEM, REVIEWER } from './sheet-columns.ts';

/** Who reads a sheet in: the id of a person of the review, or the name of somebody who takes a place in it. */
export interface SheetOwner {
  readonly id: string | null;
  readonly newName: string | null;
}

interface OwnedSheet {
  readonly snapshot: ReviewSnapshot;
  readonly table: SpreadsheetTable;
  cell(row: SpreadsheetRow, column: string): string;
  problem(row: SpreadsheetRow, column: string, message: string, next?: string): void;
}

/** Whose rows the rows of a sheet are: by its own column, or by the person who reads it in. */
export class SheetPeople {
  readonly #sheet: OwnedSheet;
  readonly #owner: SheetOwner;
  /** Names for places that had none, by the id of the person. */
  readonly names = new Map<string, string>();
  readonly #onlyName: string | null;
  readonly #works = new Map<string, PersonWork>();
  readonly #people = new Map<string, PersonWork | null>();

  constructor(sheet: OwnedSheet, owner: SheetOwner) {
    this.#sheet = sheet;
    this.#owner = owner;
    const names = new Set(
      sheet.table.rows.map((row) => sheet.cell(row, REVIEWER).trim()).filter((name) => name !== ''),
    );
    this.#onlyName = names.size === 1 ? [...names][0]! : null;
  }

  /** Whose row it is; null, with the problem noted once for each name, if that cannot be told. */
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
    const written = this.#sheet.cell(row, REVIEWER).trim();
    return written === '' && this.#owner.id === null && this.#owner.newName === null ? (this.#onlyName ?? '') : written;
  }

  #problem(row: SpreadsheetRow, column: string, message: string, next: string): null {
    this.#sheet.problem(row, column, message, next);
    return null;
  }

  #find(name: string, row: SpreadsheetRow): PersonWork | null {
    const reviewers = this.#sheet.snapshot.people.filter(({ role }) => role === 'reviewer');
    const named = reviewers.filter((person) => headerKey(person.name) === headerKey(name));
    const person = named.find((one) => one.name === name) ?? (named.length === 1 ? named[0]! : null);
    if (this.#owner.newName !== null) return this.#takenBy(this.#owner.newName, name, person, row);
    if (this.#owner.id !== null) {
      const as = this.#work(this.#owner.id);
      // The place that it was written for may have got its name meanwhile.
      const wasPlace = person === null && isUnnamed(this.#sheet.snapshot.form, name);
      if (name === '' || wasPlace || person?.id === this.#owner.id || headerKey(as.person.name) === headerKey(name))
        return as;
      return this.#problem(
        row,
        REVIEWER,
        `the sheet is ${describe(name)}’s, and was to be read as ${describe(as.person.name)}’s: these rows are left out`,
        'import it as its own, or empty the column',
      );
    }
    if (person !== null) return this.#work(person.id);
    const near = closestNames(
      name,
      reviewers.map((one) => one.name),
    );
    const place = name === '' || near.length > 0 ? null : this.#freePlace(name);
    if (place !== null) return this.#name(place, name, row);
    return this.#problem(
      row,
      REVIEWER,
      name === ''
        ? 'expected the name of the reviewer, found nothing: these rows are left out'
        : `there is no reviewer ${describe(name)} in this review: these rows are left out`,
      near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'say whose sheet it is with --as NAME',
    );
  }

  /** Rows that somebody new has filled in: those of a place without a name, or of nobody. */
  #takenBy(newName: string, written: string, person: ReviewPerson | null, row: SpreadsheetRow): PersonWork | null {
    const isTheirs = written === '' || headerKey(written) === headerKey(newName);
    const isPlace = person !== null && isUnnamed(this.#sheet.snapshot.form, person.name);
    const place = isPlace ? person : isTheirs ? this.#freePlace(written) : null;
    const other = [...this.names].find(([id]) => id !== place?.id);
    if (place !== null && other === undefined) return this.#name(place, newName, row);
    return this.#problem(
      row,
      REVIEWER,
      place === null
        ? `no place without a name is left in this review for ${describe(newName)} with these items: these rows are left out`
        : `${describe(newName)} has another place already: these rows are left out`,
      'add a place for them: assay review links NAME --add WHO',
    );
  }

  /** One that nobody has begun, and that has all the items of these rows. */
  #freePlace(name: string): ReviewPerson | null {
    const { people, form, states, assignments } = this.#sheet.snapshot;
    const items = this.#itemsOf(name);
    const isFree = ({ id, role, name: place }: ReviewPerson): boolean => {
      if (role !== 'reviewer' || !isUnnamed(form, place) || states.some(({ personId }) => personId === id))
        return false;
      const queue = new Set(assignments.flatMap(({ personId, itemId }) => (personId === id ? [itemId] : [])));
      return [...items].every((item) => queue.has(item));
    };
    return items.size === 0 ? null : (people.find((person) => !this.names.has(person.id) && isFree(person)) ?? null);
  }

  #name(place: ReviewPerson, name: string, row: SpreadsheetRow): PersonWork | null {
    const isTaken = this.#sheet.snapshot.people.some(
      (one) => one.id !== place.id && one.name.toLowerCase() === name.toLowerCase(),
    );
    const fault = isTaken ? 'somebody else in this review has it' : nameFault(name);
    if (fault !== null)
      return this.#problem(
        row,
        REVIEWER,
        `${describe(name)} cannot be the name of a reviewer: ${fault}`,
        'choose another',
      );
    this.names.set(place.id, name);
    return this.#work(place.id);
  }

  /** Many rows and none of them in the queue: that is one mistake, not one for each row. */
  #hasOne(name: string, work: PersonWork, first: SpreadsheetRow): boolean {
    const queue = new Set(work.items.map(({ record }) => record.id));
    const items = this.#itemsOf(name);
    if (items.size < 2 || [...items].some((item) => queue.has(item))) return true;
    this.#problem(
      first,
      ITEM,
      `none of the ${items.size} items is in the queue of ${describe(work.person.name)}: these rows are left out`,
      'whose sheet is it? Say so with --as NAME',
    );
    return false;
  }

  /** Items of the review in the rows that have this name. */
  #itemsOf(name: string): ReadonlySet<string> {
    const known = new Set(this.#sheet.snapshot.items.map(({ id }) => id));
    return new Set(
      this.#sheet.table.rows.flatMap((row) => {
        const item = this.#sheet.cell(row, ITEM).trim();
        return this.#nameOf(row) === name && known.has(item) ? [item] : [];
      }),
    );
  }

  #work(personId: string): PersonWork {
    const work = this.#works.get(personId) ?? workOf(this.#sheet.snapshot, personId);
    this.#works.set(personId, work);
    return work;
  }
}
