import { hash } from 'node:crypto';

import type { Case, Logged } from '../data/case.ts';
import { type Item, NO_FIELDS } from '../data/item.ts';
import { sortedJson } from '../data/sorted-json.ts';
import { fieldValue } from '../measure/tally.ts';
import { spread } from '../text/shingles.ts';

/** Rules run from top to bottom: their order is part of what they mean. */
const STAGES = new Set(['prepare', 'judge', 'accept']);

/** JSON with sorted keys, except under the stages whose order is part of the recipe. */
export function canonicalJson(value: unknown): string {
  return sortedJson(value, STAGES);
}

/**
 * A running 64-bit hash in two lanes (multiply and shift, as in murmur3), for content that is hashed piece by piece
 * without building one long string. It guards against mix-ups, not against forgery: files have their sha256 for that.
 */
export class ContentHash {
  #a = 0x9e3779b9 | 0;
  #b = 0x85ebca6b | 0;

  /** Begins again, with these texts. */
  reset(...texts: readonly string[]): void {
    this.#a = 0x9e3779b9 | 0;
    this.#b = 0x85ebca6b | 0;
    this.texts(...texts);
  }

  texts(...texts: readonly string[]): void {
    for (const text of texts) this.text(text);
  }

  number(value: number): void {
    const a = Math.imul(this.#a ^ value, 0xcc9e2d51);
    const b = Math.imul(this.#b ^ (value + 0x165667b1), 0x1b873593);
    this.#a = a ^ (a >>> 15);
    this.#b = Math.imul(b ^ (b >>> 13), 5) + 0x52dce729;
  }

  text(text: string): void {
    let a = this.#a;
    let b = this.#b;
    // Two units a step, the lanes taking turns: a quarter of the multiplications.
    const fours = text.length & ~3;
    for (let at = 0; at < fours; at += 4) {
      a = Math.imul(a ^ (text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16)), 0x01000193) ^ (a >>> 17);
      b = Math.imul(b ^ (text.charCodeAt(at + 2) | (text.charCodeAt(at + 3) << 16)), 0x5bd1e995) ^ (b >>> 15);
    }
    for (let at = fours; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      a = Math.imul(a ^ unit, 0x01000193) ^ (a >>> 17);
      b = Math.imul(b ^ unit, 0x5bd1e995) ^ (b >>> 15);
    }
    this.#a = a;
    this.#b = b;
    // The length, so that "ab" + "c" is not "a" + "bc".
    this.number(text.length);
  }

  get high(): number {
    return spread(this.#a);
  }

  get low(): number {
    return spread(this.#b ^ this.#a);
  }
}

export interface FingerprintSettings {
  /** Whether the order of items within a case is part of it: where the recipe lets that order decide. */
  readonly ordered?: boolean;
  /** Columns of a case that slices look at. */
  readonly columns?: readonly string[];
  /** The column by which cases are resampled together. */
  readonly cluster?: string | null;
  /** Whether the tokens that the files give decide anything. */
  readonly tokens?: boolean;
}

/**
 * What was scored, as hashes: texts with gold, predictions, and which cases are resampled together (null where each is by
 * itself). The cases' own hashes are added up, so the order of the lines, the file format and its white space do not
 * change the result, and any change of content does.
 */
export function makeFingerprint(settings: FingerprintSettings = {}) {
  const { ordered = false, columns = [], cluster = null, tokens = false } = settings;
  const [gold, predicted, clusters] = [hashSum(), hashSum(), hashSum()];
  const [whole, own] = [new ContentHash(), new ContentHash()];
  const seeds = new Map<string, number>();
  /** The hash of the item looked at last, in two halves. */
  let [high, low] = [0, 0];

  /** Most items are spans that say nothing but place and label, and come by the million. */
  const hashPlace = ({ start, end, label }: Item): void => {
    let seed = seeds.get(label);
    if (seed === undefined) {
      own.reset(label);
      seeds.set(label, (seed = own.high));
    }
    const first = Math.imul(Math.imul(seed ^ start, 0xcc9e2d51) ^ end, 0x1b873593);
    const second = Math.imul(Math.imul(seed ^ end, 0x85ebca6b) ^ (start + 0x165667b1), 0xc2b2ae35);
    high = spread(first);
    low = spread(second ^ first);
  };
  const hashItem = (item: Item, text: string | null, ...more: readonly string[]): void => {
    own.reset();
    own.number(item.start);
    own.number(item.end);
    own.text(item.label);
    // The text of a span is its slice; anything else is more than its place.
    if (item.kind !== 'span' || text === null || item.start < 0)
      own.texts(item.kind, item.text, item.source ?? '', item.target ?? '');
    if (item.annotator !== null) own.text(item.annotator);
    if (item.refused !== undefined) own.text(item.refused.because);
    if (hasFields(item)) own.text(canonicalJson(item.fields));
    own.texts(...more);
    ({ high, low } = own);
  };
  const hashAll = <Entry>(entries: readonly Entry[], inOrder: boolean, hashEntry: (entry: Entry) => void): void => {
    let [highs, lows] = [0, 0];
    for (const entry of entries) {
      hashEntry(entry);
      if (inOrder) {
        whole.number(high);
        whole.number(low);
      } else {
        highs = (highs + high) >>> 0;
        lows = (lows + low) >>> 0;
      }
    }
    whole.number(entries.length);
    whole.number(highs);
    whole.number(lows);
  };
  const hashItems = (items: readonly Item[], text: string | null): void =>
    hashAll(items, ordered, (item) => (isPlainSpan(item, text) ? hashPlace(item) : hashItem(item, text)));
  const hashLogged = ({ item, verdict, rule, because = '', attributes }: Logged): void =>
    hashItem(item, null, verdict, rule, because, ...(attributes === undefined ? [] : [canonicalJson(attributes)]));

  return {
    add(given: Case): void {
      const { id, text, logged, setAside } = given;
      whole.reset(id, text ?? '');
      for (const column of columns) whole.text(fieldValue(given, column) ?? '');
      if (tokens) for (const { start } of given.tokens ?? []) whole.number(start);
      hashItems(given.gold, text);
      gold.add(whole);
      if (cluster !== null) {
        whole.reset(id, fieldValue(given, cluster) ?? '');
        clusters.add(whole);
      }
      if (!given.answered) return;
      whole.reset(id, given.failed ?? '');
      hashItems(given.predicted, text);
      if (logged !== undefined) hashAll(logged, false, hashLogged);
      // What the system took out itself, as its output lists: coverage is over it too.
      const removed = setAside.map(({ item }) => item);
      if (removed.length > 0) hashItems(removed, text);
      predicted.add(whole);
    },
    gold: gold.hex,
    predicted: predicted.hex,
    clusters: () => (cluster === null ? null : clusters.hex()),
  };
}

function isPlainSpan(item: Item, text: string | null): boolean {
  return text !== null && item.start >= 0 && item.kind === 'span' && item.annotator === null && !hasFields(item);
}

function hasFields({ fields }: Item): boolean {
  return fields !== NO_FIELDS && Object.keys(fields).length > 0;
}

/** Adds hashes up in a way that forgets their order; the count and two different sums keep repetitions apart. */
function hashSum() {
  let [count, highs, lows, mixed] = [0, 0, 0, 0];
  return {
    add({ high, low }: ContentHash): void {
      count += 1;
      highs = (highs + high) >>> 0;
      lows = (lows + low) >>> 0;
      mixed = (mixed + Math.imul(high | 1, low | 1)) >>> 0;
    },
    hex: () => hash('sha256', [count, highs, lows, mixed].join(' ')),
  };
}
