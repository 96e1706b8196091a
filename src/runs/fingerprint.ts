import { hash } from 'node:crypto';

import type { Case } from '../data/case.ts';
import { type Item, NO_FIELDS } from '../data/item.ts';
import { fieldValue } from '../measure/tally.ts';
import { canonicalJson } from './canonical-json.ts';
import { ContentHash } from './content-hash.ts';

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
  readonly #ordered: boolean;

  /** Columns of a case that slices look at. */
  readonly #columns: readonly string[];

  constructor(ordered: boolean, columns: readonly string[] = []) {
    this.#ordered = ordered;
    this.#columns = columns;
  }

  add(given: Case): void {
    this.#start(given.id, given.text ?? '');
    for (const column of this.#columns) this.#case.text(fieldValue(given, column) ?? '');
    this.#items(given.gold, given.text);
    this.#gold.add(this.#case);
    if (!given.answered) return;
    this.#start(given.id, given.failed ?? '');
    this.#items(given.predicted, given.text);
    this.#predicted.add(this.#case);
  }

  gold(): string {
    return this.#gold.hex();
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
      this.#hashItem(item, text);
      if (this.#ordered) {
        this.#case.number(this.#item.high);
        this.#case.number(this.#item.low);
      } else {
        high = (high + this.#item.high) >>> 0;
        low = (low + this.#item.low) >>> 0;
      }
    }
    this.#case.number(items.length);
    this.#case.number(high);
    this.#case.number(low);
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
    if (item.fields !== NO_FIELDS) own.text(canonicalJson(item.fields));
  }
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
