import { UsageError } from '../../../../data/problems.ts';
import { textOf } from './trigram-codes.ts';

const MOST_BYTES = 2 ** 32 - 1;
/** UTF-8 needs at most so many bytes for a UTF-16 unit. */
const BYTES_PER_UNIT = 3;

/** Many texts end to end in UTF-8: text i is bytes[starts[i]] to bytes[starts[i + 1]]. */
export interface PackedTexts {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
}

export function packedText({ bytes, starts }: PackedTexts, index: number): string {
  return textOf(bytes, starts[index]!, starts[index + 1]!);
}

/**
 * Texts with a number each, the same text always the same one: a Map for millions of strings, in about the bytes of the
 * texts and sixteen more for each.
 */
export class TextTable implements PackedTexts {
  readonly #encoder = new TextEncoder();
  #bytes = new Uint8Array(1 << 16);
  #starts = new Uint32Array(1 << 10);
  /** Open addressing; a slot holds a number plus one, 0 is free. At most half of them are taken. */
  #slots = new Uint32Array(1 << 11);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#starts[this.#count]);
  }

  get starts(): Uint32Array {
    return this.#starts.subarray(0, this.#count + 1);
  }

  /** The number of a text, which is its count at the time it first came. */
  add(text: string): number {
    const end = this.#write(text);
    const slot = this.#slotOf(end);
    const taken = this.#slots[slot]!;
    if (taken !== 0) return taken - 1;
    this.#count += 1;
    this.#slots[slot] = this.#count;
    this.#starts[this.#count] = end;
    if (this.#count * 2 >= this.#slots.length) this.#spread();
    return this.#count - 1;
  }

  /** The number of a text that came before, or null. */
  find(text: string): number | null {
    const taken = this.#slots[this.#slotOf(this.#write(text))]!;
    return taken === 0 ? null : taken - 1;
  }

  /** Writes the text behind the last one, where it stays only if it is kept; returns where it ends. */
  #write(text: string): number {
    const start = this.#starts[this.#count]!;
    const needed = start + text.length * BYTES_PER_UNIT;
    if (needed > this.#bytes.length) this.#bytes = resized(this.#bytes, Math.max(needed, this.#bytes.length * 1.5));
    if (this.#count + 2 > this.#starts.length) {
      const starts = new Uint32Array(this.#starts.length * 2);
      starts.set(this.#starts);
      this.#starts = starts;
    }
    const end = start + this.#encoder.encodeInto(text, this.#bytes.subarray(start)).written;
    if (end > MOST_BYTES)
      throw new UsageError('the knowledge base has more than 4 GiB of names', 'give only a part of it');
    return end;
  }

  /** The slot that holds the text that was written last, or the free one where it belongs. */
  #slotOf(end: number): number {
    const start = this.#starts[this.#count]!;
    const mask = this.#slots.length - 1;
    let slot = byteHash(this.#bytes, start, end) & mask;
    for (let taken = this.#slots[slot]!; taken !== 0; taken = this.#slots[slot]!) {
      if (this.#isAt(taken - 1, start, end)) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #isAt(index: number, start: number, end: number): boolean {
    const from = this.#starts[index]!;
    if (this.#starts[index + 1]! - from !== end - start) return false;
    const bytes = this.#bytes;
    for (let at = 0; at < end - start; at += 1) if (bytes[from + at] !== bytes[start + at]) return false;
    return true;
  }

  #spread(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let index = 0; index < this.#count; index += 1) {
      let slot = byteHash(this.#bytes, this.#starts[index]!, this.#starts[index + 1]!) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = index + 1;
    }
    this.#slots = slots;
  }
}

/** FNV-1a, with its bits mixed once more: the slots are its lowest ones. */
function byteHash(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash ^ (hash >>> 15);
}

function resized(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.ceil(length));
  larger.set(bytes);
  return larger;
}
