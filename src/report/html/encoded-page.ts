import type { CaseResult } from '../../score/ledger.ts';

/**
 * A page of cases is bytes in five parts, after the lengths of the parts:
 *
 * 1. JSON: `PageTables`
 * 2. words: reasons, and texts of items that are not those of their place, one after the other
 * 3. the texts of the cases
 * 4. kinds: for each verdict `VERDICT_BITS`, then its error, verdict and kind in one number, then its rule; for each item
 *    `ITEM_BITS`
 * 5. places: for each case the bytes of its text and 1, or 0 without one; the verdicts of each run; labels, lengths of
 *    words, places of items from the one before, and the number of a reason that was there before
 *
 * The text of an item is cut out of the text of its case. Whatever is rare is JSON in `rest`, in the order of use.
 */
export interface PageTables {
  readonly ids: readonly string[];
  /** As in `head.runs`; null if the run does not have the case. */
  readonly results: readonly (readonly (CaseResult | null)[])[];
  /** Of labels and rules. */
  readonly names: readonly string[];
  readonly numbers: readonly number[];
  readonly rest: readonly object[];
}

export const PAGE_PARTS = 5;

/** Goes through a page as it is encoded, case by case; the caller knows the order of its parts. */
export class EncodedPage {
  readonly kinds: Numbers;
  readonly places: Numbers;
  readonly #tables: PageTables;
  readonly #words: string;
  readonly #texts: Uint8Array;
  readonly #reasons: string[] = [];
  #row = 0;
  #wordAt = 0;
  #textAt = 0;
  #restAt = 0;

  /** Throws if the page is damaged. */
  constructor(page: Uint8Array) {
    const lengths = new DataView(page.buffer, page.byteOffset, PAGE_PARTS * 4);
    let at = lengths.byteLength;
    const next = (part: number): Uint8Array => page.subarray(at, (at += lengths.getUint32(part * 4, true)));
    const tables: unknown = JSON.parse(decoded(next(0)));
    this.#words = decoded(next(1));
    this.#texts = next(2);
    this.kinds = new Numbers(next(3));
    this.places = new Numbers(next(4));
    if (!isPageTables(tables) || at !== page.length) throw new Error('the parts of a page do not fit');
    this.#tables = tables;
  }

  /** How many cases there still are. */
  get left(): number {
    return this.#tables.ids.length - this.#row;
  }

  /** Begins a case; its text as bytes, null if it has none. */
  nextCase(): { id: string; results: readonly (CaseResult | null)[]; text: Uint8Array | null } {
    const { ids, results } = this.#tables;
    const row = this.#row++;
    const bytes = this.places.next() - 1;
    const text = bytes < 0 ? null : this.#texts.subarray(this.#textAt, (this.#textAt += bytes));
    return { id: ids[row] ?? '', results: results[row] ?? [], text };
  }

  name(from: Numbers): string {
    return this.#tables.names[from.next()] ?? '';
  }

  decimal(): number {
    return this.#tables.numbers[this.places.next()] ?? 0;
  }

  reason(): string {
    const known = this.places.next();
    if (known === 0) this.#reasons.push(this.words());
    return (known === 0 ? this.#reasons.at(-1) : this.#reasons[known - 1]) ?? '';
  }

  words(): string {
    return this.#words.slice(this.#wordAt, (this.#wordAt += this.places.next()));
  }

  rest(): object {
    return this.#tables.rest[this.#restAt++] ?? {};
  }
}

/** Whole numbers of seven bits to a byte, the lowest first. */
class Numbers {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  next(): number {
    for (let [value, shift] = [0, 0]; ; shift += 7) {
      const byte = this.#bytes[this.#at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  }

  /** The lowest bit is the sign. */
  signed(): number {
    const value = this.next();
    return (value >>> 1) ^ -(value & 1);
  }
}

export function decoded(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function isPageTables(value: unknown): value is PageTables {
  if (typeof value !== 'object' || value === null) return false;
  return ['ids', 'results', 'names', 'numbers', 'rest'].every((name) => Array.isArray(Reflect.get(value, name)));
}
