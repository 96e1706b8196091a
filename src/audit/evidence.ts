import { z } from 'zod';

import type { Foldable } from '../data/fold-state.ts';
import { SIDES } from '../data/item.ts';
import { shorten } from '../data/visible.ts';
import type { Behind, Finding, FindingItem, NewFinding } from './finding.ts';
import { parseSaved } from './saved-shape.ts';

/** Enough to see what kind of thing it is; a report of 100,000 cases must not hold all of them. */
export const CASES_SHOWN = 20;
export const ITEMS_SHOWN = 10;
const LONGEST_TEXT = 200;
/** Labels come from data, and there may be a new one in every line: of so many, examples are of no use. */
const MOST_SUBJECTS = 1000;

const COUNT = z.int().nonnegative();
export const savedItem: z.ZodType<FindingItem> = z.object({
  case: z.string().nullable(),
  side: z.enum(SIDES).nullable(),
  label: z.string().nullable(),
  text: z.string(),
  note: z.string().nullable(),
});
const savedEvidence = z.object({
  cases: COUNT,
  items: COUNT,
  last: z.string().nullable(),
  shownCases: z.array(z.string()),
  shownItems: z.array(savedItem),
});

/** Counts the cases and items behind a finding and keeps the first of them. Cases must come one after another. */
export class Evidence implements Foldable {
  #cases = 0;
  #items = 0;
  #last: string | null = null;
  readonly #shownCases: string[] = [];
  readonly #shownItems: FindingItem[] = [];

  /** A case; told again of the one before, it counts once. */
  addCase(id: string): void {
    if (id === this.#last) return;
    this.#last = id;
    this.#cases += 1;
    if (this.#shownCases.length < CASES_SHOWN) this.#shownCases.push(id);
  }

  /** An item and the case that it is in. */
  addItem(item: FindingItem): void {
    if (item.case !== null) this.addCase(item.case);
    this.#items += 1;
    if (this.#shownItems.length < ITEMS_SHOWN) this.#shownItems.push(shortItem(item));
  }

  /** So many items of a case, of which only those are made that are kept. */
  addItems(id: string, n: number, itemAt: (at: number) => FindingItem): void {
    if (n > 0) this.addCase(id);
    this.#items += n;
    for (let at = 0; at < n && this.#shownItems.length < ITEMS_SHOWN; at += 1)
      this.#shownItems.push(shortItem(itemAt(at)));
  }

  get cases(): Finding['cases'] {
    return { total: this.#cases, shown: [...this.#shownCases] };
  }

  get items(): Finding['items'] {
    return { total: this.#items, shown: [...this.#shownItems] };
  }

  save(): z.infer<typeof savedEvidence> {
    const [cases, items, last] = [this.#cases, this.#items, this.#last];
    return { cases, items, last, shownCases: this.#shownCases, shownItems: this.#shownItems };
  }

  merge(saved: unknown): void {
    const { cases, items, last, shownCases, shownItems } = parseSaved(savedEvidence, saved);
    // Its first case may be the one that came last here.
    const known = cases > 0 && shownCases[0] === this.#last ? 1 : 0;
    this.#cases += cases - known;
    this.#items += items;
    this.#last = last ?? this.#last;
    this.#shownCases.push(...shownCases.slice(known, known + CASES_SHOWN - this.#shownCases.length));
    this.#shownItems.push(...shownItems.slice(0, ITEMS_SHOWN - this.#shownItems.length));
  }
}

const savedSubjects = z.object({
  subjects: z.map(z.string(), z.object({ items: COUNT, shown: z.array(savedItem), places: z.map(COUNT, z.string()) })),
  sets: z.map(z.string(), z.object({ subjects: z.array(z.string()), n: COUNT })),
  places: COUNT,
});

/**
 * Evidence that is kept by subject, so that a finding can be told about some of its labels or rules only. Cases must come
 * one after another; how many there are of several subjects is known because each case's set of subjects is counted.
 * Examples are kept of the first subjects, by a number that `numberOf` gives them or in the order in which they are met.
 */
export class SubjectEvidence implements Foldable {
  readonly #own = new Map<
    string,
    { number: number; items: number; shown: FindingItem[]; places: Map<number, string> }
  >();
  readonly #sets = new Map<string, { readonly subjects: readonly string[]; n: number }>();
  readonly #numberOf: (subject: string) => number;
  #open = new Set<string>();
  #last: string | null = null;
  #place = 0;

  constructor(numberOf?: (subject: string) => number) {
    this.#numberOf = numberOf ?? (() => this.#own.size);
  }

  /** An item of a case, made only if it is kept. */
  add(subject: string, id: string, itemOf: () => FindingItem): void {
    if (id !== this.#last) {
      this.#close();
      this.#last = id;
      this.#place += 1;
    }
    this.#open.add(subject);
    const own = this.#entryOf(subject);
    own.items += 1;
    if (own.number >= MOST_SUBJECTS) return;
    if (own.shown.length < ITEMS_SHOWN) own.shown.push(shortItem(itemOf()));
    if (own.places.size < CASES_SHOWN) own.places.set(this.#place, id);
  }

  #entryOf(subject: string) {
    return entryOf(this.#own, subject, () => {
      return { number: this.#numberOf(subject), items: 0, shown: [], places: new Map() };
    });
  }

  of(subjects: Iterable<string>): Required<Behind> {
    this.#close();
    this.#last = null;
    const wanted = new Set(subjects);
    const own = [...wanted].flatMap((subject) => this.#own.get(subject) ?? []);
    const sets = [...this.#sets.values()].filter((set) => set.subjects.some((subject) => wanted.has(subject)));
    const places = new Map(own.flatMap((one) => [...one.places])).entries().toArray();
    const shown = places.sort(([a], [b]) => a - b).slice(0, CASES_SHOWN);
    return {
      cases: { total: sum(sets.map(({ n }) => n)), shown: shown.map(([, id]) => id) },
      items: { total: sum(own.map(({ items }) => items)), shown: inTurns(own.map((one) => one.shown)) },
    };
  }

  save(): z.infer<typeof savedSubjects> {
    this.#close();
    const subjects = new Map(
      [...this.#own].map(([name, { items, shown, places }]) => [name, { items, shown, places }]),
    );
    const sets = new Map([...this.#sets].map(([key, set]) => [key, { subjects: [...set.subjects], n: set.n }]));
    return { subjects, sets, places: this.#place };
  }

  merge(saved: unknown): void {
    const { subjects, sets, places } = parseSaved(savedSubjects, saved);
    this.#close();
    for (const [subject, { items, shown, places: cases }] of subjects) {
      const own = this.#entryOf(subject);
      own.items += items;
      if (own.number >= MOST_SUBJECTS) continue;
      own.shown.push(...shown.slice(0, ITEMS_SHOWN - own.shown.length));
      for (const [place, id] of cases) if (own.places.size < CASES_SHOWN) own.places.set(this.#place + place, id);
    }
    for (const [key, { subjects: ofSet, n }] of sets)
      entryOf(this.#sets, key, () => ({ subjects: ofSet, n: 0 })).n += n;
    this.#place += places;
    this.#last = null;
  }

  #close(): void {
    if (this.#open.size === 0) return;
    const subjects = [...this.#open].sort();
    entryOf(this.#sets, JSON.stringify(subjects), () => ({ subjects, n: 0 })).n += 1;
    this.#open = new Set();
  }
}

/** A finding about parts with a subject each, which can be told about some of them only; none where there are no parts. */
export function divisible<Part extends { readonly subject: string }>(
  parts: readonly Part[],
  tell: (parts: readonly Part[]) => NewFinding,
): NewFinding[] {
  const about = (some: readonly Part[]): NewFinding => ({
    ...tell(some),
    subjects: [...new Set(some.map(({ subject }) => subject))],
    only: (subjects) => about(some.filter(({ subject }) => subjects.has(subject))),
  });
  return parts.length === 0 ? [] : [about(parts)];
}

/** With as much of its text as a reader needs. */
export function shortItem(item: FindingItem): FindingItem {
  return { ...item, text: shorten(item.text, LONGEST_TEXT) };
}

/** One of each, then a second of each: no subject hides the others. */
function inTurns(lists: readonly (readonly FindingItem[])[]): FindingItem[] {
  const rounds = Array.from({ length: ITEMS_SHOWN }, (_, at) => lists.flatMap((list) => list[at] ?? []));
  return rounds.flat().slice(0, ITEMS_SHOWN);
}

/** What a map has for a key, made the first time it is asked for. */
export function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let entry = map.get(key);
  if (entry === undefined) map.set(key, (entry = make()));
  return entry;
}

export function addTo<Key>(counts: Map<Key, number>, key: Key, n = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + n);
}

export function sum(numbers: Iterable<number>): number {
  return Iterator.from(numbers).reduce((total, number) => total + number, 0);
}

/** "ORG, DEM and LOC"; of many the first, and how many more. */
export function formatList(names: readonly string[], shown = 5): string {
  const first = names.slice(0, names.length > shown ? shown : names.length - 1);
  const last = names.length > shown ? `${names.length - shown} more` : (names.at(-1) ?? '');
  return first.length === 0 ? last : `${first.join(', ')} and ${last}`;
}
