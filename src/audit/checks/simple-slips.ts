import type { Item } from '../../data/item.ts';
import { compareText } from '../../text/compare.ts';
import { shiftWords } from '../../text/span-fit.ts';
import { addTo } from '../evidence.ts';

/** Both offsets of a span, moved. */
const SHIFTS = [
  [-1, -1],
  [1, 1],
  [0, 1],
  [0, -1],
  [-1, 0],
] as const;
const SWAPPED = 'source and target were exchanged';
const BEFORE = 'the answers belonged to the case before theirs';
const AFTER = 'the answers belonged to the case after theirs';
/** A shorter quote may be in any text. */
const TELLING_QUOTE = 8;

/** What is left over of a case in which nothing was hit. */
type LeftOvers = Readonly<{ text: string | null; gold: readonly Item[]; predicted: readonly Item[] }>;

/**
 * Counts how many predictions would be right if one simple thing had been done otherwise all over. It is given cases one
 * after another and remembers the last only. `labelled`: kinds whose labels are compared when they are paired.
 */
export function simpleSlips(labelled: ReadonlySet<string>) {
  const counts = new Map<string, number>();
  const labels = { would: 0, first: '' };
  const keyOf = (item: Item): string =>
    labelled.has(item.kind) ? `${item.label}\n${unlabelled(item)}` : unlabelled(item);
  type Known = LeftOvers & { readonly keys: ReadonlySet<string> };
  let before: Known | null = null;

  const moved = (item: Item, keys: ReadonlySet<string>): string[] => {
    if (item.kind === 'relationship')
      return keys.has(keyOf({ ...item, source: item.target, target: item.source })) ? [SWAPPED] : [];
    if (item.kind !== 'span' || item.start < 0) return [];
    return SHIFTS.filter(([start, end]) =>
      keys.has(keyOf({ ...item, start: item.start + start, end: item.end + end })),
    ).map(([start, end]) => shiftWords(start, end));
  };
  /** Predictions of one case that fit gold, or the text, of another one. */
  const countElsewhere = ({ predicted, text }: LeftOvers, other: Known, when: string): void => {
    for (const item of predicted) {
      const isQuote = item.kind === 'object' && item.text.length >= TELLING_QUOTE && text !== null;
      const isQuoted = isQuote && other.text?.includes(item.text) === true && !text.includes(item.text);
      if (isQuoted || other.keys.has(keyOf(item))) addTo(counts, when);
    }
  };
  return {
    /** null: a case of which nothing can be learned. */
    add(given: LeftOvers | null): void {
      const last = before;
      before = null;
      if (given === null) return;
      const own = { ...given, keys: new Set(given.gold.map(keyOf)) };
      const known = new Map(given.gold.map((item) => [unlabelled(item), item.label]));
      for (const item of given.predicted) {
        for (const when of moved(item, own.keys)) addTo(counts, when);
        const label = labelled.has(item.kind) ? known.get(unlabelled(item)) : undefined;
        if (label === undefined || label === item.label) continue;
        if (labels.would === 0) labels.first = `${label} in gold, ${item.label} predicted`;
        labels.would += 1;
      }
      if (last !== null) {
        countElsewhere(own, last, BEFORE);
        countElsewhere(last, own, AFTER);
      }
      before = own;
    },
    /** The one that would make the most right: "`would` would hit if `when`". */
    best(): { readonly would: number; readonly when: string } | null {
      const all = [...counts].map(([when, would]) => ({ when, would }));
      const when = `labels did not count (the first: ${labels.first})`;
      if (labels.would > 0) all.push({ when, would: labels.would });
      return all.sort((a, b) => b.would - a.would || compareText(a.when, b.when))[0] ?? null;
    },
  };
}

/** What an item has besides its label. */
function unlabelled({ kind, text, start, end, source, target }: Item): string {
  if (kind === 'relationship') return `${kind}\n${foldedName(source ?? '')}\n${foldedName(target ?? '')}`;
  if (kind === 'span' && start >= 0) return `${kind}\n${start}\n${end}`;
  return `${kind}\n${foldedName(text)}`;
}

/** As people compare names: neither case nor white space around them matters. */
export function foldedName(text: string): string {
  return text.trim().toLowerCase();
}
