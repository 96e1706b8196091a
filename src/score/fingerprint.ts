import { hash } from 'node:crypto';

import type { Case, Logged } from '../data/case.ts';
import { type Item, NO_FIELDS } from '../data/item.ts';
import { fieldValue } from '../measure/tally.ts';
import { compareText } from '../text/compare.ts';
import { canonicalJson } from './canonical-json.ts';
import { ContentHash, spread } from './content-hash.ts';

/**
 * What was scored, as two hashes: texts with gold, and predictions. The cases' own hashes are added up, so the order of
 * the lines, the file format and its white space do not change the result, and any change of content does. The order of
 * items within a case is part of it only where the recipe lets that order decide (`ordered`).
 */
export class Fingerprint {
  readonly #gold = new Sum();
  readonly #predicted = new Sum();
  readonly #case = new ContentHash();
  readonly #item = new ContentHash();
  /** The hash of the item looked at last, in two halves. */
  #high = 0;
  #low = 0;
  readonly #seeds = new Map<string, number>();
  readonly #ordered: boolean;

  /** Columns of a case that slices look at. */
  readonly #columns: readonly string[];

  /** The column that says which cases are resampled together. */
  readonly #cluster: string | null;
  readonly #clusters = new Sum();

  /** Whether the tokens that the files give decide anything. */
  readonly #tokens: boolean;

  constructor(ordered: boolean, columns: readonly string[] = [], cluster: string | null = null, tokens = false) {
    this.#tokens = tokens;
    this.#ordered = ordered;
    this.#columns = columns;
    this.#cluster = cluster;
  }

  add(given: Case): void {
    this.#start(given.id, given.text ?? '');
    for (const column of this.#columns) this.#case.text(fieldValue(given, column) ?? '');
    if (this.#tokens) for (const { start } of given.tokens ?? []) this.#case.number(start);
    this.#items(given.gold, given.text);
    this.#gold.add(this.#case);
    if (this.#cluster !== null) {
      this.#start(given.id, fieldValue(given, this.#cluster) ?? '');
      this.#clusters.add(this.#case);
    }
    if (!given.answered) return;
    this.#start(given.id, given.failed ?? '');
    this.#items(given.predicted, given.text);
    if (given.logged !== undefined) this.#logged(given.logged);
    // What the system took out itself, as its output tells: coverage is over it too.
    if (given.setAside.length > 0)
      this.#items(
        given.setAside.map(({ item }) => item),
        given.text,
      );
    this.#predicted.add(this.#case);
  }

  gold(): string {
    return this.#gold.hex();
  }

  /** Which cases are resampled together; null where each is by itself. */
  clusters(): string | null {
    return this.#cluster === null ? null : this.#clusters.hex();
  }

  predicted(): string {
    return this.#predicted.hex();
  }

  #start(id: string, text: string): void {
    this.#case.reset();
    this.#case.text(id);
    this.#case.text(text);
  }

  #items(items: readonly Item[], text: string | null): void {
    let high = 0;
    let low = 0;
    for (const item of items) {
      if (isPlainSpan(item, text)) this.#hashPlace(item);
      else this.#hashItem(item, text);
      if (this.#ordered) {
        this.#case.number(this.#high);
        this.#case.number(this.#low);
      } else {
        high = (high + this.#high) >>> 0;
        low = (low + this.#low) >>> 0;
      }
    }
    this.#case.number(items.length);
    this.#case.number(high);
    this.#case.number(low);
  }

  /** What was logged, with its verdicts; in any order, since none of them decides anything. */
  #logged(logged: readonly Logged[]): void {
    let high = 0;
    let low = 0;
    for (const { item, verdict, rule, because, attributes } of logged) {
      this.#hashItem(item, null);
      const own = this.#item;
      own.text(verdict);
      own.text(rule);
      own.text(because ?? '');
      if (attributes !== undefined) own.text(canonicalJson(attributes));
      high = (high + own.high) >>> 0;
      low = (low + own.low) >>> 0;
    }
    this.#case.number(logged.length);
    this.#case.number(high);
    this.#case.number(low);
  }

  /** Most items are spans that say nothing but place and label, and come by the million. */
  #hashPlace({ start, end, label }: Item): void {
    const seed = this.#labelSeed(label);
    const high = Math.imul(Math.imul(seed ^ start, 0xcc9e2d51) ^ end, 0x1b873593);
    const low = Math.imul(Math.imul(seed ^ end, 0x85ebca6b) ^ (start + 0x165667b1), 0xc2b2ae35);
    this.#high = spread(high);
    this.#low = spread(low ^ high);
  }

  #labelSeed(label: string): number {
    let seed = this.#seeds.get(label);
    if (seed === undefined) {
      this.#item.reset();
      this.#item.text(label);
      seed = this.#item.high;
      this.#seeds.set(label, seed);
    }
    return seed;
  }

  #hashItem(item: Item, text: string | null): void {
    const own = this.#item;
    own.reset();
    own.number(item.start);
    own.number(item.end);
    own.text(item.label);
    // The text of a span is its slice; anything else says more than its place.
    if (item.kind !== 'span' || text === null || item.start < 0) {
      own.text(item.kind);
      own.text(item.text);
      own.text(item.source ?? '');
      own.text(item.target ?? '');
    }
    if (item.annotator !== null) own.text(item.annotator);
    if (item.refused !== undefined) own.text(item.refused.because);
    if (hasFields(item)) own.text(fieldsJson(item.fields));
    this.#high = own.high;
    this.#low = own.low;
  }
}

function isPlainSpan(item: Item, text: string | null): boolean {
  return text !== null && item.start >= 0 && item.kind === 'span' && item.annotator === null && !hasFields(item);
}

function hasFields({ fields }: Item): boolean {
  return fields !== NO_FIELDS && Object.keys(fields).length > 0;
}

/** The same as canonicalJson, in half the time for what most items have: a few values that hold no others. */
function fieldsJson(fields: Item['fields']): string {
  const sorted: Record<string, unknown> = {};
  for (const key of Object.keys(fields).sort(compareText)) {
    const value = fields[key];
    // A key of this name would not become a key of the copy.
    if ((typeof value === 'object' && value !== null) || key === '__proto__') return canonicalJson(fields);
    sorted[key] = value;
  }
  return JSON.stringify(sorted);
}

/** Adds hashes up in a way that forgets their order; the count and two different sums keep repetitions apart. */
class Sum {
  #count = 0;
  #high = 0;
  #low = 0;
  #mixed = 0;

  add(own: ContentHash): void {
    const { high, low } = own;
    this.#count += 1;
    this.#high = (this.#high + high) >>> 0;
    this.#low = (this.#low + low) >>> 0;
    this.#mixed = (this.#mixed + Math.imul(high | 1, low | 1)) >>> 0;
  }

  hex(): string {
    return hash('sha256', [this.#count, this.#high, this.#low, this.#mixed].join(' '));
  }
}
