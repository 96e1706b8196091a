import { compareText } from '../text/compare.ts';
import { type Item, NO_FIELDS } from './item.ts';

/** Every label that occurs, as a small number: compared and counted as such, and a string only once. */
export class LabelTable {
  readonly names: string[] = [];
  readonly #bytes: Uint8Array[] = [];
  /** Places by hash, plus 1; 0 is free. */
  #slots = new Int32Array(256);

  /** The number of the label that these bytes of UTF-8 are; `hash` is theirs, step by step with `nextHash`. */
  ofBytes(bytes: Uint8Array, from: number, to: number, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const label = this.#slots[slot]! - 1;
      if (label < 0) return this.#insert(bytes.slice(from, to), hash);
      if (isSame(this.#bytes[label]!, bytes, from, to)) return label;
    }
  }

  ofName(name: string): number {
    const bytes = Buffer.from(name);
    return this.ofBytes(bytes, 0, bytes.length, hashOf(bytes));
  }

  #insert(bytes: Uint8Array, hash: number): number {
    const label = this.names.push(Buffer.from(bytes).toString('utf8')) - 1;
    this.#bytes.push(bytes);
    if (this.names.length * 2 > this.#slots.length) {
      this.#slots = new Int32Array(this.#slots.length * 2);
      this.#bytes.forEach((one, at) => this.#place(at, hashOf(one)));
    } else this.#place(label, hash);
    return label;
  }

  #place(label: number, hash: number): void {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = label + 1;
  }
}

/** One step of the hash of a label's bytes, from 0. */
export function nextHash(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) | 0;
}

function hashOf(bytes: Uint8Array): number {
  let hash = 0;
  for (const byte of bytes) hash = nextHash(hash, byte);
  return hash;
}

function isSame(known: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (known.length !== to - from) return false;
  for (let at = 0; at < known.length; at += 1) if (known[at] !== bytes[from + at]) return false;
  return true;
}

/** What is known of a span: its place, its label by number, and its position in the file's list. */
export const [START, END, LABEL, INDEX] = [0, 1, 2, 3];
export const SPAN_WIDTH = 4;
const MOST_SWAPS = 8;
const NO_QUOTES = new Int32Array(0);

/** The plain spans of one side of a case: four numbers each, one span after another, in a list that many cases share. */
export class SpanList {
  readonly numbers: Int32Array;
  /** Where the first number of the first span stands. */
  readonly from: number;
  readonly count: number;
  readonly labels: readonly string[];
  readonly #quotes: Int32Array;

  /** `quotes`: from where to where the texts of spans stand, by position in the file's list of spans, which begins at `from`. */
  constructor(numbers: Int32Array, from: number, count: number, labels: readonly string[], quotes = NO_QUOTES) {
    this.numbers = numbers;
    this.from = from;
    this.count = count;
    this.labels = labels;
    this.#quotes = quotes;
  }

  /** The first byte of a span's text as it is in its record, where that is as JSON.stringify has it; -1 where it is not. */
  quoteFrom(at: number): number {
    return this.#quotes[this.from / 2 + this.get(at, INDEX) * 2] ?? -1;
  }

  quoteTo(at: number): number {
    return this.#quotes[this.from / 2 + this.get(at, INDEX) * 2 + 1] ?? -1;
  }

  /** One of START, END, LABEL and INDEX of a span. */
  get(at: number, what: number): number {
    return this.numbers[this.from + at * SPAN_WIDTH + what]!;
  }

  /** By place and label, as `contentOrder` has them, for spans whose text is their slice of the document. */
  sort(): void {
    let swaps = 0;
    for (let last = 1; last < this.count; last += 1)
      for (let at = last; at > 0 && this.#order(at - 1, at) > 0; at -= 1) {
        this.#swap(this.from + at * SPAN_WIDTH);
        // A list in no order at all: swapping neighbours would take for ever.
        if ((swaps += 1) > this.count * MOST_SWAPS) return this.#sortAll();
      }
  }

  /** The items, in the order of the file, whatever order the list is in by now; `text` is that of the document. */
  items(text: string, line: number): Item[] {
    const items: Item[] = [];
    items.length = this.count;
    for (let at = 0; at < this.count; at += 1) {
      const start = this.get(at, START);
      const end = this.get(at, END);
      const index = this.get(at, INDEX);
      items[index] = {
        kind: 'span',
        index,
        label: this.labels[this.get(at, LABEL)]!,
        text: text.slice(start, end),
        start,
        end,
        fields: NO_FIELDS,
        line,
        annotator: null,
        source: null,
        target: null,
        parts: null,
        grounded: null,
      };
    }
    return items;
  }

  #order(a: number, b: number): number {
    const { numbers } = this;
    const one = this.from + a * SPAN_WIDTH;
    const other = this.from + b * SPAN_WIDTH;
    const label = numbers[one + LABEL]!;
    const second = numbers[other + LABEL]!;
    return (
      numbers[one]! - numbers[other]! ||
      numbers[one + END]! - numbers[other + END]! ||
      (label === second ? 0 : compareText(this.labels[label]!, this.labels[second]!))
    );
  }

  #swap(place: number): void {
    const { numbers } = this;
    for (let at = place; at < place + SPAN_WIDTH; at += 1) {
      const value = numbers[at]!;
      numbers[at] = numbers[at - SPAN_WIDTH]!;
      numbers[at - SPAN_WIDTH] = value;
    }
  }

  #sortAll(): void {
    const places = Array.from({ length: this.count }, (_, place) => place);
    // Neighbours have been swapped already: what is equal goes by its position in the file.
    places.sort((a, b) => this.#order(a, b) || this.get(a, INDEX) - this.get(b, INDEX));
    const before = this.numbers.slice(this.from, this.from + this.count * SPAN_WIDTH);
    places.forEach((place, at) =>
      this.numbers.set(before.subarray(place * SPAN_WIDTH, (place + 1) * SPAN_WIDTH), this.from + at * SPAN_WIDTH),
    );
  }
}
