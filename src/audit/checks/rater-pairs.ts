import { rankCorrelation } from '../../stats/rank-correlation.ts';
import { compareText } from '../../text/compare.ts';
import { Evidence } from '../evidence.ts';
import type { Rating } from './rating-forms.ts';

/** Cells of all tables together; a pair that would need more of them is not looked at. */
const MOST_CELLS = 200_000;

/** Everybody is compared with everybody: of a crowd, those who rate first have to do. */
const MOST_PEOPLE = 30;

/** Two people who rated the same things, and how often each pair of values occurred. */
export interface RaterPair {
  readonly people: readonly [string, string];
  /** Things that both rated. */
  readonly shared: number;
  readonly same: number;
  /** Cases with a thing that both rated. */
  readonly cases: number;
  /** How often the first gave each value to something that both rated. */
  readonly values: ReadonlyMap<number, number>;
  /** Spearman's; null where one of them gave everything the same value. */
  readonly correlation: number | null;
}

class Table {
  readonly people: readonly [string, string];
  readonly cells = new Map<number, Map<number, number>>();
  cases = 0;
  isWhole = true;

  constructor(people: readonly [string, string]) {
    this.people = people;
  }
}

/** Who rated the same things as whom under one question: counts of values, not the ratings. */
export class RaterPairs {
  readonly #evidence = new Evidence();
  readonly #people = new Set<string>();
  readonly #tables = new Map<string, Table>();
  readonly #room: { cells: number };

  /** `room` is what all questions share. */
  constructor(room: { cells: number }) {
    this.#room = room;
  }

  static room(): { cells: number } {
    return { cells: MOST_CELLS };
  }

  /** Cases with a thing that two people rated. */
  get cases(): Evidence['cases'] {
    return this.#evidence.cases;
  }

  /** The ratings of one answer. */
  add(id: string, ratings: readonly Rating[]): void {
    const met = new Set<Table>();
    for (const things of Map.groupBy(ratings, ({ dimension }) => dimension).values()) {
      for (const { person } of things) if (this.#people.size < MOST_PEOPLE) this.#people.add(person);
      const sorted = things
        .filter(({ person }) => this.#people.has(person))
        .sort((a, b) => compareText(a.person, b.person));
      for (const [at, first] of sorted.entries())
        for (const second of sorted.slice(at + 1)) {
          const table = this.#table(first.person, second.person);
          if (table === null) continue;
          met.add(table);
          this.#count(table, first.value, second.value);
        }
    }
    if (met.size === 0) return;
    this.#evidence.addCase(id);
    for (const table of met) table.cases += 1;
  }

  /** In the order of the names. */
  list(): RaterPair[] {
    return [...this.#tables.values()]
      .filter(({ isWhole }) => isWhole)
      .map(pairOf)
      .sort((a, b) => compareText(a.people[0], b.people[0]) || compareText(a.people[1], b.people[1]));
  }

  #table(first: string, second: string): Table | null {
    const key = JSON.stringify([first, second]);
    const known = this.#tables.get(key);
    if (known !== undefined) return known;
    if (this.#room.cells === 0) return null;
    const table = new Table([first, second]);
    this.#tables.set(key, table);
    return table;
  }

  #count(table: Table, a: number, b: number): void {
    let row = table.cells.get(a);
    if (row === undefined) table.cells.set(a, (row = new Map<number, number>()));
    const known = row.get(b);
    if (known === undefined) {
      if (this.#room.cells === 0) {
        table.isWhole = false;
        return;
      }
      this.#room.cells -= 1;
    }
    row.set(b, (known ?? 0) + 1);
  }
}

function pairOf({ people, cells, cases }: Table): RaterPair {
  const [first, second]: [number[], number[]] = [[], []];
  const values = new Map<number, number>();
  let same = 0;
  for (const [a, row] of cells)
    for (const [b, n] of row) {
      if (a === b) same += n;
      values.set(a, (values.get(a) ?? 0) + n);
      for (let times = 0; times < n; times += 1) {
        first.push(a);
        second.push(b);
      }
    }
  return { people, shared: first.length, same, cases, values, correlation: rankCorrelation(first, second) };
}
