import { z } from 'zod';

import { type Foldable, NumberLog } from '../../../data/fold-state.ts';
import { KeyIndex } from '../../../text/key-index.ts';
import { entryOf, Evidence, ITEMS_SHOWN, shortItem } from '../../evidence.ts';
import type { FindingItem } from '../../finding.ts';
import { parseSaved } from '../../saved-shape.ts';

/** So many cases with one list of items are no chance. */
export const LEAST_CASES = 5;
/** Sets that are kept in mind; in a set of this many different answers none is given often. */
const MOST_SETS = 200_000;

/** A set of items that several cases have. */
export interface RepeatedSet {
  cases: number;
  readonly items: number;
  /** Cases in which gold differs: not the same items, or less than half of the places. */
  wrong: number;
  /** Cases that differ from the first in what should make a difference: gold, or the words at these places. */
  others: number;
  readonly first: number;
  /** All cases, and the items of all but the first. */
  readonly evidence: Evidence;
  /** In a part, what the others are held against the first by: the first of all may be in a part before. */
  readonly each: NumberLog;
}

/** One case that has a set: how many items, what it is held against others by, whether gold differs, and its items. */
type Meeting = Readonly<{
  case: string;
  items: number;
  first: number;
  isWrong: boolean;
  itemAt: (at: number) => FindingItem;
}>;

const savedSets = z.object({
  keys: z.instanceof(Float64Array),
  firsts: z.instanceof(Float64Array),
  firstCases: z.array(z.string()),
  firstItems: z.array(z.string()),
  sizes: z.instanceof(Float64Array),
  again: z.map(z.int(), z.object({ wrong: z.int(), evidence: z.unknown(), each: z.instanceof(Float64Array) })),
});
const itemTexts = z.array(z.tuple([z.string().nullable(), z.string(), z.string().nullable()]));

/**
 * Sets of items by their keys. Most are met once, and of those only what a second case would be held against is kept. Of a
 * part all sets are kept, with the first items: they may have been met in the parts before.
 */
export class RepeatedSets implements Foldable {
  readonly #isPart: boolean;
  readonly #keys = new KeyIndex();
  readonly #firsts: number[] = [];
  readonly #firstCases: string[] = [];
  /** As JSON: millions of objects would take several times the room. */
  readonly #firstItems: string[] = [];
  /** How many items the first case has, twice, and one more if gold differs in it. */
  readonly #sizes: number[] = [];
  readonly #again = new Map<number, RepeatedSet>();

  constructor(isPart: boolean) {
    this.#isPart = isPart;
  }

  /** One more case that has the set; too many sets are not kept. */
  meet(key: number, meeting: Meeting): void {
    const number = this.#numberOf(key);
    if (number === null) return;
    const { case: id, items, first, isWrong, itemAt } = meeting;
    if (number === this.#firsts.length) {
      this.#firsts.push(first);
      this.#firstCases.push(id);
      this.#sizes.push(2 * items + Number(isWrong));
      if (this.#isPart)
        this.#firstItems.push(textsOf(Array.from({ length: Math.min(items, ITEMS_SHOWN) }, (_, at) => itemAt(at))));
      return;
    }
    const met = entryOf(this.#again, number, () => this.#known(number));
    if (isWrong) met.wrong += 1;
    this.#hold(met, first);
    met.evidence.addItems(id, items, itemAt);
  }

  #numberOf(key: number): number | null {
    const isFull = !this.#isPart && this.#keys.size >= MOST_SETS;
    return isFull && this.#keys.find(key) < 0 ? null : this.#keys.add(key);
  }

  /** One more case, and what it is held against the first by. */
  #hold(met: RepeatedSet, first: number): void {
    met.cases += 1;
    if (first !== met.first) met.others += 1;
    if (this.#isPart) met.each.values.push(first);
  }

  /** Sets that so many of the cases have, most of which differ in gold. */
  often(least: number): RepeatedSet[] {
    return [...this.#again]
      .filter(([number]) => number < MOST_SETS)
      .sort(([a], [b]) => a - b)
      .map(([, met]) => met)
      .filter(({ cases, wrong }) => cases >= LEAST_CASES && cases >= least && wrong > cases / 2);
  }

  #known(number: number): RepeatedSet {
    const [size, evidence] = [this.#sizes[number]!, new Evidence()];
    evidence.addCase(this.#firstCases[number]!);
    const counted = { cases: 1, items: size >> 1, wrong: size & 1, others: 0 };
    return { ...counted, first: this.#firsts[number]!, evidence, each: new NumberLog() };
  }

  save(): z.infer<typeof savedSets> {
    return {
      keys: this.#keys.keys(),
      firsts: Float64Array.from(this.#firsts),
      firstCases: this.#firstCases,
      firstItems: this.#firstItems,
      sizes: Float64Array.from(this.#sizes),
      again: new Map(
        [...this.#again].map(([number, { wrong, evidence, each }]) => [
          number,
          { wrong, evidence: evidence.save(), each: Float64Array.from(each.values) },
        ]),
      ),
    };
  }

  merge(saved: unknown): void {
    const { keys, firsts, firstCases, firstItems, sizes, again } = parseSaved(savedSets, saved);
    for (const [number, key] of keys.entries()) {
      const [id, size, made] = [
        firstCases[number]!,
        sizes[number]!,
        lazyItems(firstCases[number]!, firstItems[number]!),
      ];
      const [items, isWrong] = [size >> 1, (size & 1) === 1];
      this.meet(key, { case: id, items, first: firsts[number]!, isWrong, itemAt: made });
      const [more, at] = [again.get(number), this.#keys.find(key)];
      if (more === undefined || at < 0) continue;
      const met = entryOf(this.#again, at, () => this.#known(at));
      met.wrong += more.wrong - Number(isWrong);
      for (const first of more.each) this.#hold(met, first);
      // Its first case came last here.
      met.evidence.merge(more.evidence);
    }
  }
}

function textsOf(items: readonly FindingItem[]): string {
  return JSON.stringify(items.map(shortItem).map(({ label, text, note }) => [label, text, note]));
}

/** The items of a case, made when the first of them is asked for. */
function lazyItems(id: string, texts: string): (at: number) => FindingItem {
  let made: z.infer<typeof itemTexts> | null = null;
  return (at) => {
    made ??= parseSaved(itemTexts, JSON.parse(texts));
    const [label, text, note] = made[at]!;
    return { case: id, side: 'predicted', label, text, note };
  };
}
