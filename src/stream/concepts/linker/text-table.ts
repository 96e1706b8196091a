import { UsageError } from '../../../plugin.ts';
import { GrowingNumbers } from './growing-numbers.ts';

const MOST_BYTES = 2 ** 32 - 1;
/** UTF-8 needs at most so many bytes for a UTF-16 unit. */
const BYTES_PER_UNIT = 3;

/** Many texts end to end in UTF-8: text i is bytes[starts[i]] to bytes[starts[i + 1]]. */
export interface PackedTexts {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
}

export function packedText({ bytes, starts }: PackedTexts, index: number): string {
  return utf8Text(bytes, starts[index]!, starts[index + 1]!);
}

export function utf8Text(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}

export function longestText({ starts }: PackedTexts): number {
  let longest = 0;
  for (let at = 1; at < starts.length; at += 1) longest = Math.max(longest, starts[at]! - starts[at - 1]!);
  return longest;
}

/**
 * Texts with a number each, the same text always the same one: a Map for millions of strings, in about the bytes of the
 * texts and sixteen more for each.
 */
export class TextTable implements PackedTexts {
  readonly #encoder = new TextEncoder();
  #bytes = new Uint8Array(1 << 16);
  readonly #starts = new GrowingNumbers();
  /** Open addressing; a slot holds a number plus one, 0 is free. At most half of them are taken. */
  #slots = new Uint32Array(1 << 11);

  constructor() {
    this.#starts.push(0);
  }

  get count(): number {
    return this.#starts.length - 1;
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#starts.at(this.count));
  }

  get starts(): Uint32Array<ArrayBuffer> {
    return this.#starts.values();
  }

  /** The number of a text, which is how many others came before it. */
  add(text: string): number {
    const end = this.#write(text);
    const slot = this.#slotOf(this.#starts.at(this.count), end);
    const taken = this.#slots[slot]!;
    if (taken !== 0) return taken - 1;
    this.#starts.push(end);
    this.#slots[slot] = this.count;
    if (this.count * 2 >= this.#slots.length) this.#spread();
    return this.count - 1;
  }

  /** The number of a text that came before, or null. */
  find(text: string): number | null {
    const taken = this.#slots[this.#slotOf(this.#starts.at(this.count), this.#write(text))]!;
    return taken === 0 ? null : taken - 1;
  }

  /** Writes the text behind the last one, where it stays only if it is kept; returns where it ends. */
  #write(text: string): number {
    const start = this.#starts.at(this.count);
    const needed = start + text.length * BYTES_PER_UNIT;
    if (needed > this.#bytes.length) this.#bytes = longerBytes(this.#bytes, needed);
    const end = start + this.#encoder.encodeInto(text, this.#bytes.subarray(start)).written;
    if (end > MOST_BYTES)
      throw new UsageError('the knowledge base has more than 4 GiB of names', 'index only a part of it');
    return end;
  }

  /** The slot that holds the text between two places, or the free one where it belongs. */
  #slotOf(start: number, end: number): number {
    const mask = this.#slots.length - 1;
    let slot = byteHash(this.#bytes, start, end) & mask;
    for (let taken = this.#slots[slot]!; taken !== 0; taken = this.#slots[slot]!) {
      if (this.#isAt(taken - 1, start, end)) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #isAt(index: number, start: number, end: number): boolean {
    const from = this.#starts.at(index);
    if (this.#starts.at(index + 1) - from !== end - start) return false;
    const bytes = this.#bytes;
    for (let at = 0; at < end - start; at += 1) if (bytes[from + at] !== bytes[start + at]) return false;
    return true;
  }

  #spread(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let index = 0; index < this.count; index += 1)
      this.#slots[this.#slotOf(this.#starts.at(index), this.#starts.at(index + 1))] = index + 1;
  }
}

/** The same bytes with room for more: half as many again, and at least `length`. */
export function longerBytes(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const longer = new Uint8Array(Math.max(length, Math.ceil(bytes.length * 1.5)));
  longer.set(bytes);
  return longer;
}

/** FNV-1a, with its bits mixed once more: the slots are its lowest ones. */
function byteHash(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash ^ (hash >>> 15);
}
