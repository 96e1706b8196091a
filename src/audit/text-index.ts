import { type Item, type ItemKind, PAIRED_KINDS, type Side } from '../data/item.ts';
import { ContentHash } from '../score/fingerprint.ts';
import { compareText } from '../text/compare.ts';
import { count } from '../text/figures.ts';
import { LEAST_WORDS, NearTexts } from '../text/near-texts.ts';
import { sequenceKey, wordHashes } from '../text/shingles.ts';
import type { AuditCase } from './totals.ts';

/** Kinds whose items quote, name or place something, so that two that are the same say something. */
export const TELLING_KINDS: ReadonlySet<ItemKind> = new Set<ItemKind>(['object', 'span', 'entity', 'relationship']);
/** Kinds that gold is made of. */
export const GOLD_KINDS: ReadonlySet<ItemKind> = new Set<ItemKind>(PAIRED_KINDS);

/** So many cases with tiny texts that are there again are no chance, however tiny they are. */
const NO_CHANCE = 0.5;
const WITHOUT_GOLD = 1;
const TINY = 2;
/** Enough of a text to know it again. */
const OPENING = 80;
const NO_WORDS = new Uint32Array();

/** The texts of the cases, hashed once for all checks that compare them, and the items of the case that came last. */
export class TextIndex {
  readonly near = new NearTexts();
  /** By the places of `near`, as everything here. */
  readonly ids: string[] = [];
  readonly clusters = new Map<number, string>();
  /** How the texts begin. */
  readonly openings: string[] = [];
  readonly #slight: number[] = [];
  #hasGold = false;
  #given: AuditCase | null = null;
  #items: Record<Side, Item[] | null> = { gold: null, predicted: null };
  /** Of the last case: the words of its text, and the place of it; null without a text to compare. */
  words: Uint32Array = NO_WORDS;
  place: number | null = null;

  add(given: AuditCase): void {
    const { case: id, text, cluster } = given;
    this.#given = given;
    this.#items = { gold: null, predicted: null };
    this.words = text === null ? NO_WORDS : wordHashes(text);
    this.place = this.words.length === 0 ? null : this.near.add(this.words);
    if (text === null || this.place === null) return;
    this.ids.push(id);
    if (cluster !== undefined) this.clusters.set(this.place, cluster);
    // Copied, since a slice would hold on to the whole text.
    this.openings.push(Buffer.from(text.slice(0, OPENING)).toString());
    const hasGold = this.items('gold', GOLD_KINDS).length > 0;
    this.#hasGold ||= hasGold;
    this.#slight.push((hasGold ? 0 : WITHOUT_GOLD) | (this.words.length < LEAST_WORDS ? TINY : 0));
  }

  /** One number for the text of the last case; null where it has none. */
  get key(): number | null {
    return this.place === null ? null : sequenceKey(this.words);
  }

  /** The items of one side of the last case, each once, in the order in which its file lists them. */
  items(side: Side, kinds: ReadonlySet<ItemKind>): readonly Item[] {
    const all = (this.#items[side] ??= this.#allItems(side));
    return all.every(({ kind }) => kinds.has(kind)) ? all : all.filter(({ kind }) => kinds.has(kind));
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
    const countsTiny = tiny >= NO_CHANCE * this.#slight.length;
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

  #allItems(side: Side): Item[] {
    const all = (this.#given?.verdicts ?? []).flatMap((verdict) => verdict[side] ?? []).sort(byPlace);
    // An item may be in several verdicts; where tokens are paired, several share the index of their item.
    return all.filter((item, at) => at === 0 || byPlace(all[at - 1]!, item) !== 0);
  }
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

const hash = new ContentHash();

/** What items say, as one number of 53 bits that does not depend on their order; 0 where there are none. */
export function itemsKey(items: readonly Item[], say: (item: Item, to: ContentHash) => void): number {
  let [high, low] = [0, 0];
  for (const item of items) {
    hash.reset();
    say(item, hash);
    high = (high + hash.high) >>> 0;
    low = (low + hash.low) >>> 0;
  }
  return (high & 0x1fffff) * 0x100000000 + low;
}
