import { z } from 'zod';

import type { Foldable } from '../data/fold-state.ts';
import { type Item, type ItemKind, PAIRED_KINDS, type Side } from '../data/item.ts';
import { ContentHash } from '../score/fingerprint.ts';
import { compareText } from '../text/compare.ts';
import { count } from '../text/figures.ts';
import { LEAST_WORDS, NearTexts, openingOf, type SavedTexts } from '../text/near-texts.ts';
import { sequenceKey } from '../text/shingles.ts';
import { TextScan } from '../text/text-scan.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { AuditCase, AuditSpans } from './audit-case.ts';
import { parseSaved } from './saved-shape.ts';

/** Kinds whose items quote, name or place something, so that two that are the same say something. */
export const TELLING_KINDS: ReadonlySet<ItemKind> = new Set<ItemKind>(['object', 'span', 'entity', 'relationship']);
/** Kinds that gold is made of. */
export const GOLD_KINDS: ReadonlySet<ItemKind> = new Set<ItemKind>(PAIRED_KINDS);

/** So many cases with tiny texts that are there again are no chance, however tiny they are. */
const NO_CHANCE = 0.5;
const WITHOUT_GOLD = 1;
const TINY = 2;
const NO_WORDS = new Uint32Array();
/** Texts that are compared with each other; of more, a sample of so many. */
const MOST_COMPARED = 20_000;

const PLACE = z.int().nonnegative();
export const savedTexts: z.ZodType<SavedTexts> = z.object({
  places: PLACE,
  keys: z.instanceof(Float64Array),
  firsts: z.instanceof(Float64Array),
  isLong: z.instanceof(Uint8Array),
  again: z.map(PLACE, z.array(PLACE)),
  sketches: z.object({
    places: z.instanceof(Float64Array),
    sizes: z.instanceof(Uint16Array),
    shingles: z.instanceof(Uint32Array),
    units: z.instanceof(Uint8Array),
    openings: z.instanceof(Uint16Array),
  }),
});
const openings = z.map(PLACE, z.string());
const savedIndex = z.object({
  near: savedTexts,
  ids: z.array(z.string()),
  clusters: z.map(PLACE, z.string()),
  openings,
  firstOpenings: openings,
  slight: z.instanceof(Uint8Array),
  hasGold: z.boolean(),
});

/** The texts of the cases, hashed once for all checks that compare them, and the items of the case that came last. */
export class TextIndex implements Foldable {
  readonly #isPart: boolean;
  readonly near = new NearTexts(MOST_COMPARED);
  /** By the places of `near`, as everything here. */
  readonly ids: string[] = [];
  readonly clusters = new Map<number, string>();
  /** How texts begin that were met before. */
  readonly #openings = new Map<number, string>();
  /** In a part of the cases, how all others begin: the parts before may have them. */
  readonly #firstOpenings = new Map<number, string>();
  #slight = new Uint8Array(64);
  #hasGold = false;
  #given: Pick<AuditCase, 'verdicts'> | null = null;
  #items: Record<Side, readonly Item[] | null> = { gold: null, predicted: null };
  /** The words and tokens of the last text. */
  readonly scanned = new TextScan();
  /** Of the last case: the words of its text, and the place of it; null without a text to compare. */
  words: Uint32Array = NO_WORDS;
  place: number | null = null;
  /** Of the last case: the kinds of its verdicts. */
  readonly kinds = new Set<ItemKind>();

  constructor(isPart = false) {
    this.#isPart = isPart;
  }

  add(given: AuditCase): void {
    const { case: id, text, cluster, verdicts } = given;
    this.#given = given;
    this.#items = { gold: null, predicted: null };
    this.kinds.clear();
    let last: ItemKind | null = null;
    for (const { kind } of verdicts) if (kind !== last) this.kinds.add((last = kind));
    this.words = text === null ? NO_WORDS : this.scanned.scan(text).words;
    this.place = null;
    if (text === null || this.words.length === 0) return;
    this.#keep(id, this.items('gold', GOLD_KINDS).length > 0);
    if (cluster !== undefined) this.clusters.set(this.place!, cluster);
  }

  /** The same for a case of plain spans. */
  addSpans(given: AuditSpans): void {
    this.#given = given;
    this.#items = { gold: null, predicted: null };
    this.kinds.clear();
    if (given.gold.count + given.predicted.count > 0) this.kinds.add('span');
    this.words = this.scanned.scan(given.text).words;
    this.place = null;
    if (this.words.length > 0) this.#keep(given.case, given.gold.count > 0);
  }

  #keep(id: string, hasGold: boolean): void {
    const { units, length } = this.scanned;
    const place = this.near.add(this.words, units, length);
    this.place = place;
    this.ids.push(id);
    if (this.near.isNew(place)) {
      if (this.#isPart) this.#firstOpenings.set(place, openingOf(units.subarray(0, length)));
    } else if (this.#openings.size < MOST_COMPARED) this.#openings.set(place, openingOf(units.subarray(0, length)));
    this.#hasGold ||= hasGold;
    this.#makeRoom(place + 1);
    this.#slight[place] = (hasGold ? 0 : WITHOUT_GOLD) | (this.words.length < LEAST_WORDS ? TINY : 0);
  }

  #makeRoom(places: number): void {
    if (places <= this.#slight.length) return;
    const more = new Uint8Array(2 * places);
    more.set(this.#slight);
    this.#slight = more;
  }

  save(): z.infer<typeof savedIndex> {
    return {
      near: this.near.save(),
      ids: this.ids,
      clusters: this.clusters,
      openings: this.#openings,
      firstOpenings: this.#firstOpenings,
      slight: this.#slight.slice(0, this.ids.length),
      hasGold: this.#hasGold,
    };
  }

  merge(saved: unknown): void {
    const { near, ids, clusters, slight, hasGold, ...own } = parseSaved(savedIndex, saved);
    const before = this.ids.length;
    const met = new Set(this.near.merge(near));
    const moved = (map: ReadonlyMap<number, string>): [number, string][] =>
      [...map].map(([place, text]) => [before + place, text]);
    for (const id of ids) this.ids.push(id);
    for (const [place, cluster] of moved(clusters)) this.clusters.set(place, cluster);
    const firsts = moved(own.firstOpenings);
    // Some that were first there have been met here.
    const again = [...moved(own.openings), ...firsts.filter(([place]) => met.has(place))].sort(([a], [b]) => a - b);
    for (const [place, opening] of again) if (this.#openings.size < MOST_COMPARED) this.#openings.set(place, opening);
    if (this.#isPart)
      for (const [place, opening] of firsts) if (!met.has(place)) this.#firstOpenings.set(place, opening);
    this.#hasGold ||= hasGold;
    this.#makeRoom(before + ids.length);
    this.#slight.set(slight, before);
  }

  /** How the text at a place begins: of those that were met before or are compared; empty for others. */
  openingAt(place: number): string {
    return this.#openings.get(place) ?? this.near.openingAt(place);
  }

  /** One number for the text of the last case; null where it has none. */
  get key(): number | null {
    return this.place === null ? null : sequenceKey(this.words);
  }

  /** The items of one side of the last case, each once, in the order in which its file lists them. */
  items(side: Side, kinds: ReadonlySet<ItemKind>): readonly Item[] {
    const all = (this.#items[side] ??= itemsOf(this.#given?.verdicts ?? [], side));
    for (const kind of this.kinds) if (!kinds.has(kind)) return all.filter((item) => kinds.has(item.kind));
    return all;
  }

  /**
   * Of texts that were met again, those that count, and the rest in words for the end of a title. Texts with nothing to
   * find in them ("Thank you!", the fixed sentences that negatives are made of) and those of a few words ("Ask Ms Lund.")
   * are met again by right: they are listed and are no reason for alarm.
   */
  metAgain(places: readonly number[]): { readonly counting: number; readonly said: string } {
    let [withoutGold, tiny] = [0, 0];
    for (const place of places) {
      const kind = this.#slight[place]!;
      // If nothing has gold, as with rated answers, its lack means nothing for a text.
      if (this.#hasGold && (kind & WITHOUT_GOLD) !== 0) withoutGold += 1;
      else if ((kind & TINY) !== 0) tiny += 1;
    }
    const countsTiny = tiny >= NO_CHANCE * this.ids.length;
    const parts = (
      [
        [withoutGold, 'without gold'],
        [tiny, `of fewer than ${LEAST_WORDS} words`],
      ] as const
    )
      .filter(([some]) => some > 0)
      .map(([some, what], at) => `${at === 0 ? '; ' : ', '}${count(some)}${at === 0 ? ' of them' : ''} ${what}`);
    return { counting: places.length - withoutGold - (countsTiny ? 0 : tiny), said: parts.join('') };
  }
}

/** By their index, the items of the case at hand. */
const places: (Item | undefined)[] = [];

function itemsOf(verdicts: readonly Verdict[], side: Side): readonly Item[] {
  const all: Item[] = [];
  for (const verdict of verdicts) {
    const item = side === 'gold' ? verdict.gold : verdict.predicted;
    if (item !== null) all.push(item);
  }
  return inPlaces(all) ?? sorted(all);
}

/** Items of one kind that have an index each, none much larger than there are items; null for any others. */
function inPlaces(items: readonly Item[]): Item[] | null {
  places.length = 0;
  const [kind, most] = [items[0]?.kind, 4 * items.length + 16];
  for (const item of items) {
    const { index } = item;
    if (index < 0 || index > most || item.kind !== kind || item.annotator !== null) return null;
    while (places.length <= index) places.push(undefined);
    if (places[index] !== undefined) return null;
    places[index] = item;
  }
  return places.filter((item) => item !== undefined);
}

function sorted(items: Item[]): Item[] {
  const all = items.sort(byPlace);
  // An item may be in several verdicts; where tokens are paired, several share the index of their item.
  return all.filter((item, at) => at === 0 || byPlace(all[at - 1]!, item) !== 0);
}

function byPlace(a: Item, b: Item): number {
  return (
    (a.kind === b.kind ? 0 : compareText(a.kind, b.kind)) ||
    a.index - b.index ||
    a.start - b.start ||
    a.end - b.end ||
    compareText(a.annotator ?? '', b.annotator ?? '') ||
    compareText(a.text, b.text)
  );
}

/** Counts the items that `isSame` finds among others, each of these for one of them, the first that is the same. */
export function countSame(
  items: readonly Item[],
  others: readonly Item[],
  isSame: (item: Item, other: Item) => boolean,
): number {
  const placeOrText = ({ start, text }: Item): number | string => (start >= 0 ? start : text);
  const left = Map.groupBy(others, placeOrText);
  let same = 0;
  for (const item of items) {
    const there = left.get(placeOrText(item)) ?? [];
    const at = there.findIndex((other) => isSame(item, other));
    if (at < 0) continue;
    same += 1;
    there.splice(at, 1);
  }
  return same;
}

/** What things say, as one number of 53 bits that does not depend on their order; 0 where there are none. */
export class ContentSum {
  /** Of one of them. */
  readonly hash = new ContentHash();
  #high = 0;
  #low = 0;

  /** One of them has said all. */
  add(): void {
    this.#high = (this.#high + this.hash.high) | 0;
    this.#low = (this.#low + this.hash.low) | 0;
  }

  /** The number; the sum begins again. */
  take(): number {
    const key = (this.#high & 0x1fffff) * 0x100000000 + (this.#low >>> 0);
    this.#high = this.#low = 0;
    return key;
  }
}

const sum = new ContentSum();

export function itemsKey(items: readonly Item[], say: (item: Item, to: ContentHash) => void): number {
  for (const item of items) {
    sum.hash.reset();
    say(item, sum.hash);
    sum.add();
  }
  return sum.take();
}
