import type { ItemKind } from '../data/item.ts';
import { compareNatural } from '../text/compare.ts';
import { addCounts, creditOf, type F1Counts, noCounts } from './f1-counts.ts';
import type { AlonePerson } from './run-figures.ts';

type ByKind = ReadonlyMap<ItemKind, F1Counts>;

interface Person {
  cases: number;
  /** Cases that the recipe scored as they are: with `annotator: each` there are none. */
  scored: number;
  readonly alone: Map<ItemKind, F1Counts>;
  readonly own: Map<ItemKind, F1Counts>;
}

/** The system with the gold of one person at a time, beside what the recipe makes of the same cases. */
export class AloneCounts {
  readonly #people = new Map<string, Person>();
  #case: { readonly id: string; readonly people: Person[] } | null = null;

  /** Another case, which need not be one of several people. */
  next(): void {
    this.#case = null;
  }

  /** The case by one person's gold. */
  add(id: string, name: string, system: ByKind): void {
    let person = this.#people.get(name);
    if (person === undefined)
      this.#people.set(name, (person = { cases: 0, scored: 0, alone: new Map(), own: new Map() }));
    person.cases += 1;
    addTo(person.alone, system);
    if (this.#case === null) this.#case = { id, people: [] };
    this.#case.people.push(person);
  }

  /** Whether the case that was added last is this one. */
  isAt(id: string): boolean {
    return this.#case?.id === id;
  }

  /** The same case by the recipe's own choice of gold. */
  own(system: ByKind): void {
    for (const person of this.#case?.people ?? []) {
      person.scored += 1;
      addTo(person.own, system);
    }
  }

  /** By name; null where the recipe scored other cases than these. */
  list(kind: ItemKind): AlonePerson[] | null {
    const people = [...this.#people].sort(([a], [b]) => compareNatural(a, b));
    if (people.some(([, { cases, scored }]) => scored !== cases)) return null;
    return people.map(([name, { cases, alone, own }]) => ({
      name,
      cases,
      value: f1As(alone.get(kind) ?? noCounts()),
      own: f1As(own.get(kind) ?? noCounts()),
    }));
  }
}

/** From precision and recall as the measure does it: the last digit decides how a value is rounded. */
function f1As(counts: F1Counts): number | null {
  const { hit, missed, spurious } = counts;
  if (hit + missed + spurious === 0) return null;
  const worth = creditOf(counts);
  if (worth === 0) return 0;
  const precision = worth / (hit + spurious);
  const recall = worth / (hit + missed);
  return (2 * (precision * recall)) / (precision + recall);
}

function addTo(sums: Map<ItemKind, F1Counts>, counts: ByKind): void {
  for (const [kind, one] of counts) {
    let sum = sums.get(kind);
    if (sum === undefined) sums.set(kind, (sum = noCounts()));
    addCounts(sum, one);
  }
}
