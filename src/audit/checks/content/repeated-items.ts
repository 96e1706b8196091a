import { z } from 'zod';

import { type Foldable, NumberLog } from '../../../data/fold-state.ts';
import type { Item } from '../../../data/item.ts';
import { END, START } from '../../../data/span-list.ts';
import type { ContentHash } from '../../../score/fingerprint.ts';
import { count, percent } from '../../../text/figures.ts';
import { KeyIndex } from '../../../text/key-index.ts';
import { type AuditCase, type AuditSpans, countEqualSpans } from '../../audit-case.ts';
import type { Behind, NewFinding, OpenContext } from '../../check.ts';
import { entryOf, Evidence, ITEMS_SHOWN, shortItem } from '../../evidence.ts';
import type { FindingItem } from '../../finding.ts';
import { parseSaved } from '../../saved-shape.ts';
import { ContentSum, itemsKey, TELLING_KINDS } from '../../text-index.ts';

const LEAST_CASES = 5;
/** Sets that are kept in mind; in a set of this many different answers none is given often. */
const MOST_SETS = 200_000;
/** One list of items; and the same places, which may be where all such texts begin. */
const LEAST_SET_SHARE = { items: 0.2, places: 0.5 };
const ERROR_SET_SHARE = 0.5;
/** One span at one place may be where all such texts begin. */
const SURE_ITEMS = 2;

/** A set of items that several cases have. */
interface MetSet {
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
class MetSets implements Foldable {
  readonly #isPart: boolean;
  readonly #keys = new KeyIndex();
  readonly #firsts: number[] = [];
  readonly #firstCases: string[] = [];
  /** As JSON: millions of objects would take several times the room. */
  readonly #firstItems: string[] = [];
  /** How many items the first case has, twice, and one more if gold differs in it. */
  readonly #sizes: number[] = [];
  readonly #again = new Map<number, MetSet>();

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
  #hold(met: MetSet, first: number): void {
    met.cases += 1;
    if (first !== met.first) met.others += 1;
    if (this.#isPart) met.each.values.push(first);
  }

  /** Sets that so many of the cases have, most of which differ in gold. */
  often(least: number): MetSet[] {
    return [...this.#again]
      .sort(([a], [b]) => a - b)
      .map(([, met]) => met)
      .filter(({ cases, wrong }) => cases >= LEAST_CASES && cases >= least && wrong > cases / 2);
  }

  #known(number: number): MetSet {
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

/** One list of items, or the same places whatever stands there, given to many cases. */
export function repeatedItems({ index, keep, isPart }: OpenContext) {
  const [lists, places] = [keep(new MetSets(isPart)), keep(new MetSets(isPart))];
  const [placeSum, wordSum] = [new ContentSum(), new ContentSum()];
  const unsaid = wordSum.hash.state;
  const seen = keep({ answered: 0 });
  return {
    add({ case: id, text }: AuditCase): void {
      const predicted = index.items('predicted', TELLING_KINDS);
      if (predicted.length === 0) return;
      const gold = index.items('gold', TELLING_KINDS);
      const items = predicted.length;
      const itemOf = ({ label, text: quote }: Item, note: string | null): FindingItem => {
        return { case: id, side: 'predicted', label, text: quote, note };
      };
      seen.answered += 1;
      // Items that are in the case's own text were found there, however often.
      if (isBlind(predicted, text)) {
        const [key, goldKey] = [itemsKey(predicted, sayItem), itemsKey(gold, sayItem)];
        const itemAt = (at: number): FindingItem => itemOf(predicted[at]!, null);
        lists.meet(key, { case: id, items, first: goldKey, isWrong: goldKey !== key, itemAt });
      }
      // Where gold has the same places too they are the form's.
      if (predicted.every(({ kind, start }) => kind === 'span' && start >= 0)) {
        // Without texts, gold at other places shows that they differ.
        const words = text === null ? itemsKey(gold, sayPlace) : itemsKey(predicted, sayWords);
        const isWrong = rightPlaces(predicted, gold) < predicted.length / 2;
        const itemAt = (at: number): FindingItem => {
          const item = predicted[at]!;
          return itemOf(item, `at ${item.start} to ${item.end}`);
        };
        places.meet(itemsKey(predicted, sayPlace), { case: id, items, first: words, isWrong, itemAt });
      }
    },
    /** Plain spans are in their text, all of them. */
    addSpans(given: AuditSpans): void {
      const { case: id, gold, predicted } = given;
      if (predicted.count === 0) return;
      seen.answered += 1;
      const isWrong = countEqualSpans(predicted, gold, false) < predicted.count / 2;
      for (let at = 0; at < predicted.count; at += 1) {
        const start = predicted.get(at, START);
        const end = predicted.get(at, END);
        placeSum.hash.resume(given.said(predicted, at));
        placeSum.hash.number(start);
        placeSum.hash.number(end);
        placeSum.add();
        wordSum.hash.resume(unsaid);
        wordSum.hash.units(index.scanned.units, end, start);
        wordSum.add();
      }
      const itemAt = (position: number): FindingItem => {
        const at = given.placeOf(predicted, position);
        const note = `at ${predicted.get(at, START)} to ${predicted.get(at, END)}`;
        const label = given.labelOf(predicted, at);
        return { case: id, side: 'predicted', label, text: given.slice(predicted, at), note };
      };
      const [key, first] = [placeSum.take(), wordSum.take()];
      places.meet(key, { case: id, items: predicted.count, first, isWrong, itemAt });
    },
    findings(): NewFinding[] {
      const { answered } = seen;
      const title = ({ cases }: MetSet): string =>
        `${count(cases)} of ${count(answered)} cases (${percent(cases, answered)}) have the same predicted`;
      // Those of the first case are not kept, but they are items like the others.
      const behind = ({ cases, items, evidence }: MetSet, first: readonly FindingItem[]): Required<Behind> => {
        const shown = [...first, ...evidence.items.shown].slice(0, ITEMS_SHOWN);
        return { cases: evidence.cases, items: { total: cases * items, shown } };
      };
      const ofItems = (met: MetSet): NewFinding => {
        const { cases, items } = met.evidence;
        const first = items.shown.slice(0, met.items).map((item) => ({ ...item, case: cases.shown[0]! }));
        return {
          severity: met.cases >= ERROR_SET_SHARE * answered ? 'error' : 'warning',
          title: `${title(met)} items, which are not in their texts; for ${count(met.wrong)} of them gold differs`,
          words: 'template-answers/items',
          evidence: behind(met, first),
        };
      };
      const ofPlaces = (met: MetSet): NewFinding => ({
        severity: met.items >= SURE_ITEMS ? 'error' : 'warning',
        title: `${title(met)} spans, at the same places of texts that differ; in ${count(met.wrong)} of them most of these spans are not in gold`,
        words: 'template-answers/places',
        evidence: behind(met, []),
      });
      return [
        ...lists
          .often(LEAST_SET_SHARE.items * answered)
          .filter(({ others }) => others > 0)
          .map(ofItems),
        ...places
          .often(LEAST_SET_SHARE.places * answered)
          .filter(({ others, cases }) => others >= cases / 2)
          .map(ofPlaces),
      ];
    },
  };
}

/** Whether the items cannot have come from the text; without one, whether there is enough of them to be sure. */
function isBlind(items: readonly Item[], text: string | null): boolean {
  if (text === null) return items.length > 1;
  let inText = items.filter(({ start }) => start >= 0).length;
  if (inText >= items.length / 2) return false;
  const folded = text.toLowerCase();
  for (const item of items) if (item.start < 0 && folded.includes(item.text.toLowerCase())) inText += 1;
  return inText < items.length / 2;
}

/** How many of the predicted spans gold has, with their label. */
export function rightPlaces(predicted: readonly Item[], gold: readonly Item[]): number {
  const known = new Set(gold.map(({ label, start, end }) => `${start} ${end} ${label}`));
  return predicted.filter(({ label, start, end }) => known.has(`${start} ${end} ${label}`)).length;
}

function sayItem({ kind, label, text, source, target }: Item, to: ContentHash): void {
  for (const part of [kind, label, text, source ?? '', target ?? '']) to.text(part);
}

function sayPlace({ kind, label, start, end }: Item, to: ContentHash): void {
  for (const part of [kind, label]) to.text(part);
  for (const part of [start, end]) to.number(part);
}

function sayWords({ text }: Item, to: ContentHash): void {
  to.text(text);
}
