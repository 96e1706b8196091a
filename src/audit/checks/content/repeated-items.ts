import type { Item } from '../../../data/item.ts';
import { END, START } from '../../../data/span-list.ts';
import type { ContentHash } from '../../../score/fingerprint.ts';
import { count, percent } from '../../../text/figures.ts';
import { KeyIndex } from '../../../text/key-index.ts';
import { type AuditCase, type AuditSpans, countEqualSpans } from '../../audit-case.ts';
import type { CheckContext, NewFinding } from '../../check.ts';
import { entryOf, Evidence } from '../../evidence.ts';
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
  readonly firstCase: string;
  readonly evidence: Evidence;
}

/** Sets of items by their keys. Most are met once, and of those only what a second case would be held against is kept. */
class MetSets {
  readonly #keys = new KeyIndex();
  readonly #firsts: number[] = [];
  readonly #firstCases: string[] = [];
  /** How many items the first case has, twice, and one more if gold differs in it. */
  readonly #sizes: number[] = [];
  readonly #again = new Map<number, MetSet>();

  /** One more case that has the set; null where it is the first, or there are too many sets to keep another. */
  meet(key: number, id: string, items: number, first: number, isWrong: boolean): MetSet | null {
    if (this.#keys.size >= MOST_SETS && this.#keys.find(key) < 0) return null;
    const number = this.#keys.add(key);
    if (number === this.#firsts.length) {
      this.#firsts.push(first);
      this.#firstCases.push(id);
      this.#sizes.push(2 * items + Number(isWrong));
      return null;
    }
    const met = entryOf(this.#again, number, () => this.#known(number));
    met.cases += 1;
    if (first !== met.first) met.others += 1;
    if (isWrong) met.wrong += 1;
    return met;
  }

  /** Sets that so many of the cases have, most of which differ in gold. */
  often(least: number): MetSet[] {
    return [...this.#again]
      .sort(([a], [b]) => a - b)
      .map(([, met]) => met)
      .filter(({ cases, wrong }) => cases >= LEAST_CASES && cases >= least && wrong > cases / 2);
  }

  #known(number: number): MetSet {
    const [firstCase, size, evidence] = [this.#firstCases[number]!, this.#sizes[number]!, new Evidence()];
    evidence.addCase(firstCase);
    const counted = { cases: 1, items: size >> 1, wrong: size & 1, others: 0 };
    return { ...counted, first: this.#firsts[number]!, firstCase, evidence };
  }
}

/** One list of items, or the same places whatever stands there, given to many cases. */
export function repeatedItems({ index }: CheckContext) {
  const [lists, places] = [new MetSets(), new MetSets()];
  const [placeSum, wordSum] = [new ContentSum(), new ContentSum()];
  const unsaid = wordSum.hash.state;
  let answered = 0;
  return {
    add({ case: id, text }: AuditCase): void {
      const predicted = index.items('predicted', TELLING_KINDS);
      if (predicted.length === 0) return;
      const gold = index.items('gold', TELLING_KINDS);
      answered += 1;
      // Items that are in the case's own text were found there, however often.
      if (isBlind(predicted, text)) {
        const [key, goldKey] = [itemsKey(predicted, sayItem), itemsKey(gold, sayItem)];
        const met = lists.meet(key, id, predicted.length, goldKey, goldKey !== key);
        // The first case was not kept item by item, and has the same ones.
        for (const of of met?.cases === 2 ? [met.firstCase, id] : [id])
          for (const { label, text: said } of predicted)
            met?.evidence.addItem({ case: of, side: 'predicted', label, text: said, note: null });
      }
      // Where gold has the same places too they are the form's.
      if (predicted.every(({ kind, start }) => kind === 'span' && start >= 0)) {
        // Without texts, gold at other places shows that they differ.
        const words = text === null ? itemsKey(gold, sayPlace) : itemsKey(predicted, sayWords);
        const isWrong = rightPlaces(predicted, gold) < predicted.length / 2;
        const met = places.meet(itemsKey(predicted, sayPlace), id, predicted.length, words, isWrong);
        if (met === null) return;
        for (const { label, text: said, start, end } of predicted)
          met.evidence.addItem({ case: id, side: 'predicted', label, text: said, note: `at ${start} to ${end}` });
      }
    },
    /** Plain spans are in their text, all of them. */
    addSpans(given: AuditSpans): void {
      const { case: id, gold, predicted } = given;
      if (predicted.count === 0) return;
      answered += 1;
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
      const met = places.meet(placeSum.take(), id, predicted.count, wordSum.take(), isWrong);
      met?.evidence.addItems(id, predicted.count, (position) => {
        const at = given.placeOf(predicted, position);
        const note = `at ${predicted.get(at, START)} to ${predicted.get(at, END)}`;
        const label = given.labelOf(predicted, at);
        return { case: id, side: 'predicted', label, text: given.slice(predicted, at), note };
      });
    },
    findings(): NewFinding[] {
      const title = ({ cases }: MetSet): string =>
        `${count(cases)} of ${count(answered)} cases (${percent(cases, answered)}) have the same predicted`;
      const ofItems = (met: MetSet): NewFinding => ({
        severity: met.cases >= ERROR_SET_SHARE * answered ? 'error' : 'warning',
        title: `${title(met)} items, which are not in their texts; for ${count(met.wrong)} of them gold differs`,
        words: 'template-answers/items',
        evidence: met.evidence,
      });
      const ofPlaces = (met: MetSet): NewFinding => ({
        severity: met.items >= SURE_ITEMS ? 'error' : 'warning',
        title: `${title(met)} spans, at the same places of texts that differ; in ${count(met.wrong)} of them most of these spans are not in gold`,
        words: 'template-answers/places',
        // Those of the first case are not kept, but they are items like the others.
        evidence: { cases: met.evidence.cases, items: { ...met.evidence.items, total: met.cases * met.items } },
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
