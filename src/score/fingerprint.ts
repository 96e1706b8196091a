import { hash } from 'node:crypto';

import type { Case, Logged } from '../data/case.ts';
import { FoldState } from '../data/fold-state.ts';
import { type Item, NO_FIELDS } from '../data/item.ts';
import { sortedJson } from '../data/sorted-json.ts';
import type { SpanCase } from '../data/span-case.ts';
import { END, LABEL, type SpanList, START } from '../data/span-list.ts';
import { fieldValue } from '../measure/case-facts.ts';
import { ContentHash } from '../text/content-hash.ts';
import { spread } from '../text/shingles.ts';

export { ContentHash } from '../text/content-hash.ts';

/** Rules run from top to bottom: their order is part of what they mean. */
const STAGES = new Set(['prepare', 'judge', 'accept']);

/** JSON with sorted keys, except under the stages whose order is part of the recipe. */
export function canonicalJson(value: unknown): string {
  return sortedJson(value, STAGES);
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
  const sums = new FoldState();
  const [gold, predicted, clusters] = [hashSum(sums), hashSum(sums), hashSum(sums)];
  const [whole, own] = [new ContentHash(), new ContentHash()];
  const seeds = new Map<string, number>();
  /** The hash of the item looked at last, in two halves. */
  let [high, low] = [0, 0];

  /** Most items are spans that say nothing but place and label, and come by the million. */
  const hashPlace = (start: number, end: number, label: string): void => {
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
    if (item.aligned !== undefined) own.text(canonicalJson(item.aligned));
    if (item.fragments !== undefined) own.text(canonicalJson(item.fragments));
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
    hashAll(items, ordered, (item) => {
      if (isPlainSpan(item, text)) hashPlace(item.start, item.end, item.label);
      else hashItem(item, text);
    });
  const hashLogged = ({ item, verdict, rule, because = '', attributes }: Logged): void =>
    hashItem(item, null, verdict, rule, because, ...(attributes === undefined ? [] : [canonicalJson(attributes)]));

  /** The same for spans that were not made items; in whatever order they are by now. */
  const hashSpans = (spans: SpanList): void => {
    let highs = 0;
    let lows = 0;
    for (let at = 0; at < spans.count; at += 1) {
      hashPlace(spans.get(at, START), spans.get(at, END), spans.labels[spans.get(at, LABEL)]!);
      highs = (highs + high) >>> 0;
      lows = (lows + low) >>> 0;
    }
    whole.number(spans.count);
    whole.number(highs);
    whole.number(lows);
  };

  return {
    /** For settings that neither the order of items nor anything beside them decides. */
    addSpans({ id, spans }: SpanCase): void {
      whole.resume(spans.hash);
      columns.forEach(() => whole.text(''));
      hashSpans(spans.gold);
      gold.add(whole);
      whole.reset(id, '');
      hashSpans(spans.predicted);
      predicted.add(whole);
    },
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
    state: sums,
  };
}

function isPlainSpan(item: Item, text: string | null): boolean {
  return text !== null && item.start >= 0 && item.kind === 'span' && item.annotator === null && !hasFields(item);
}

function hasFields({ fields }: Item): boolean {
  return fields !== NO_FIELDS && Object.keys(fields).length > 0;
}

/** Adds hashes up in a way that forgets their order; the count and two different sums keep repetitions apart. */
function hashSum({ keep }: FoldState) {
  const sums = keep({ count: 0, highs: 0, lows: 0, mixed: 0 });
  return {
    add({ high, low }: ContentHash): void {
      sums.count += 1;
      sums.highs = (sums.highs + high) >>> 0;
      sums.lows = (sums.lows + low) >>> 0;
      sums.mixed = (sums.mixed + Math.imul(high | 1, low | 1)) >>> 0;
    },
    // Added up from several parts, they may be larger than 32 bits.
    hex: () => hash('sha256', [sums.count, sums.highs >>> 0, sums.lows >>> 0, sums.mixed >>> 0].join(' ')),
  };
}
