import type { Item } from '../../data/item.ts';
import { compareText } from '../../text/compare.ts';
import { addTo } from '../evidence.ts';

/** Both offsets of a span, moved, and when that makes it right. */
const SHIFTS: readonly (readonly [start: number, end: number, when: string])[] = [
  [-1, -1, 'offsets were counted from 1'],
  [1, 1, 'both offsets were 1 more'],
  [0, 1, 'the end were the last character instead of the one after it'],
  [0, -1, 'the end were 1 less'],
  [-1, 0, 'offsets were counted from 1 and the end were the last character'],
];
const SWAPPED = 'source and target were exchanged';
const BEFORE = 'the answers belonged to the case before theirs';
const AFTER = 'the answers belonged to the case after theirs';
/** A shorter quote may stand in any text. */
const TELLING_QUOTE = 8;

/** What is left over of a case in which nothing was hit. */
interface LeftOvers {
  readonly text: string | null;
  readonly gold: readonly Item[];
  readonly predicted: readonly Item[];
}

/**
 * Counts how many predictions would be right if one simple thing had been done otherwise all over. It is given cases one
 * after another and remembers the last only.
 */
export class SimpleSlips {
  readonly #counts = new Map<string, number>();
  /** Kinds whose labels are compared when they are paired. */
  readonly #labelled: ReadonlySet<string>;
  #labels = 0;
  #firstLabels = '';
  #before: (LeftOvers & { readonly keys: ReadonlySet<string> }) | null = null;

  constructor(labelled: ReadonlySet<string>) {
    this.#labelled = labelled;
  }

  /** null: a case of which nothing can be learned. */
  add(given: LeftOvers | null): void {
    const before = this.#before;
    this.#before = null;
    if (given === null) return;
    const own = { ...given, keys: new Set(given.gold.map((item) => this.#key(item))) };
    const labels = new Map(given.gold.map((item) => [unlabelled(item), item.label]));
    for (const item of given.predicted) {
      for (const when of this.#moved(item, own.keys)) addTo(this.#counts, when);
      const label = this.#labelled.has(item.kind) ? labels.get(unlabelled(item)) : undefined;
      if (label === undefined || label === item.label) continue;
      this.#labels += 1;
      if (this.#firstLabels === '') this.#firstLabels = `${label} in gold, ${item.label} predicted`;
    }
    if (before !== null) {
      this.#countElsewhere(own, before, BEFORE);
      this.#countElsewhere(before, own, AFTER);
    }
    this.#before = own;
  }

  /** The one that would make the most right: "`would` would hit if `when`". */
  best(): { readonly would: number; readonly when: string } | null {
    const all = [...this.#counts].map(([when, would]) => ({ when, would }));
    const labels = `labels did not count (the first: ${this.#firstLabels})`;
    if (this.#labels > 0) all.push({ when: labels, would: this.#labels });
    return all.sort((a, b) => b.would - a.would || compareText(a.when, b.when))[0] ?? null;
  }

  #moved(item: Item, keys: ReadonlySet<string>): string[] {
    if (item.kind === 'relationship')
      return keys.has(this.#key({ ...item, source: item.target, target: item.source })) ? [SWAPPED] : [];
    if (item.kind !== 'span' || item.start < 0) return [];
    return SHIFTS.filter(([start, end]) =>
      keys.has(this.#key({ ...item, start: item.start + start, end: item.end + end })),
    ).map(([, , when]) => when);
  }

  /** Predictions of one case that fit gold, or the text, of another one. */
  #countElsewhere(
    { predicted, text }: LeftOvers,
    other: LeftOvers & { readonly keys: ReadonlySet<string> },
    when: string,
  ): void {
    for (const item of predicted) {
      const isQuote = item.kind === 'object' && item.text.length >= TELLING_QUOTE && text !== null;
      const isQuoted = isQuote && other.text?.includes(item.text) === true && !text.includes(item.text);
      if (isQuoted || other.keys.has(this.#key(item))) addTo(this.#counts, when);
    }
  }

  #key(item: Item): string {
    return this.#labelled.has(item.kind) ? `${item.label}\n${unlabelled(item)}` : unlabelled(item);
  }
}

/** What an item says besides its label. */
function unlabelled({ kind, text, start, end, source, target }: Item): string {
  if (kind === 'relationship') return `${kind}\n${folded(source ?? '')}\n${folded(target ?? '')}`;
  if (kind === 'span' && start >= 0) return `${kind}\n${start}\n${end}`;
  return `${kind}\n${folded(text)}`;
}

/** As people compare names: neither case nor white space around them matters. */
export function folded(text: string): string {
  return text.trim().toLowerCase();
}
