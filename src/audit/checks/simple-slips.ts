import { z } from 'zod';

import type { Foldable } from '../../data/fold-state.ts';
import { ITEM_KINDS } from '../../data/item.ts';
import { compareText } from '../../text/compare.ts';
import { shiftWords } from '../../text/span-fit.ts';
import type { OpenContext } from '../check.ts';
import { addTo } from '../evidence.ts';
import { parseSaved } from '../saved-shape.ts';

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

const savedLeftItem = z.object({
  kind: z.enum(ITEM_KINDS),
  label: z.string(),
  text: z.string(),
  start: z.number(),
  end: z.number(),
  source: z.string().nullable(),
  target: z.string().nullable(),
});
type SlipItem = Readonly<z.infer<typeof savedLeftItem>>;

/** What is left over of a case in which nothing was hit. */
type LeftOvers = Readonly<{ text: string | null; gold: readonly SlipItem[]; predicted: readonly SlipItem[] }>;
type Known = LeftOvers & { readonly keys: ReadonlySet<string> };

/**
 * Counts how many predictions would be right if one simple thing had been done otherwise all over. It is given cases one
 * after another and remembers the last only. `labelled`: kinds whose labels are compared when they are paired.
 */
export function simpleSlips(labelled: ReadonlySet<string>, keep: OpenContext['keep']) {
  const counts = keep(new Map<string, number>());
  const labels = keep({ would: 0, first: null as string | null });
  const keyOf = (item: SlipItem): string =>
    labelled.has(item.kind) ? `${item.label}\n${unlabelled(item)}` : unlabelled(item);
  const knownOf = (given: LeftOvers): Known => ({ ...given, keys: new Set(given.gold.map(keyOf)) });

  const moved = (item: SlipItem, keys: ReadonlySet<string>): string[] => {
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
  const neighbours = keep(
    new Neighbours(knownOf, (one, next) => {
      countElsewhere(next, one, BEFORE);
      countElsewhere(one, next, AFTER);
    }),
  );
  return {
    /** null: a case of which nothing can be learned. */
    add(given: LeftOvers | null): void {
      const own = given === null ? null : knownOf(given);
      neighbours.add(own);
      if (own === null) return;
      const known = new Map(own.gold.map((item) => [unlabelled(item), item.label]));
      for (const item of own.predicted) {
        for (const when of moved(item, own.keys)) addTo(counts, when);
        const label = labelled.has(item.kind) ? known.get(unlabelled(item)) : undefined;
        if (label === undefined || label === item.label) continue;
        labels.first ??= `${label} in gold, ${item.label} predicted`;
        labels.would += 1;
      }
    },
    /** The one that would make the most right: "`would` would hit if `when`". */
    best(): { readonly would: number; readonly when: string } | null {
      const all = [...counts].map(([when, would]) => ({ when, would }));
      const when = `labels did not count (the first: ${labels.first ?? ''})`;
      if (labels.would > 0) all.push({ when, would: labels.would });
      return all.sort((a, b) => b.would - a.would || compareText(a.when, b.when))[0] ?? null;
    },
  };
}

const savedLeftOvers = z
  .object({ text: z.string().nullable(), gold: z.array(savedLeftItem), predicted: z.array(savedLeftItem) })
  .nullable();
const savedNeighbours = z.object({ isEmpty: z.boolean(), first: savedLeftOvers, last: savedLeftOvers });

/** Cases one after another, each of which meets the next; null for one of which nothing can be learned. */
class Neighbours implements Foldable {
  readonly #knownOf: (given: LeftOvers) => Known;
  readonly #meet: (one: Known, next: Known) => void;
  #isEmpty = true;
  /** The case before the first may come from another part. */
  #first: Known | null = null;
  #last: Known | null = null;

  constructor(knownOf: (given: LeftOvers) => Known, meet: (one: Known, next: Known) => void) {
    this.#knownOf = knownOf;
    this.#meet = meet;
  }

  add(given: Known | null): void {
    if (this.#isEmpty) this.#first = given;
    if (this.#last !== null && given !== null) this.#meet(this.#last, given);
    this.#last = given;
    this.#isEmpty = false;
  }

  save(): z.infer<typeof savedNeighbours> {
    return { isEmpty: this.#isEmpty, first: plainForm(this.#first), last: plainForm(this.#last) };
  }

  merge(saved: unknown): void {
    const { isEmpty, first, last } = parseSaved(savedNeighbours, saved);
    if (isEmpty) return;
    this.add(first && this.#knownOf(first));
    this.#last = last && this.#knownOf(last);
  }
}

function plainForm(given: Known | null): z.infer<typeof savedLeftOvers> {
  const itemOf = ({ kind, label, text, start, end, source, target }: SlipItem): SlipItem => {
    return { kind, label, text, start, end, source, target };
  };
  return given && { text: given.text, gold: given.gold.map(itemOf), predicted: given.predicted.map(itemOf) };
}

/** What an item has besides its label. */
function unlabelled({ kind, text, start, end, source, target }: SlipItem): string {
  if (kind === 'relationship') return `${kind}\n${foldedName(source ?? '')}\n${foldedName(target ?? '')}`;
  if (kind === 'span' && start >= 0) return `${kind}\n${start}\n${end}`;
  return `${kind}\n${foldedName(text)}`;
}

/** As people compare names: neither case nor white space around them matters. */
export function foldedName(text: string): string {
  return text.trim().toLowerCase();
}
