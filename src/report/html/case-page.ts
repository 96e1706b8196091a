import { type Item, ITEM_KINDS, NO_FIELDS } from '../../data/item.ts';
import { ERROR_TYPES } from '../../judge/error-type.ts';
import { type Verdict, VERDICTS } from '../../judge/verdict.ts';
import { wholeReason } from '../../pair/difference.ts';
import type { CaseResult, LedgerItem } from '../../score/ledger.ts';
import type { CaseDetail, ViewRecord } from './report-data.ts';

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

/** What there is of a verdict; `alike`: a similarity of 1; `short`: why a candidate was refused may be in short. */
export const VERDICT_BITS = {
  gold: 1,
  predicted: 2,
  similarity: 4,
  alike: 8,
  because: 16,
  rejected: 32,
  rest: 64,
  short: 128,
} as const;

/** What there is of an item: a place, which may be that of its gold, with its text; a label that is not the verdict's. */
export const ITEM_BITS = { placed: 1, atGold: 2, quoted: 4, relabelled: 8, rest: 16 } as const;

/** The cases of a page; throws if it is damaged. */
export function readCasePage(page: Uint8Array): CaseDetail[] {
  return new CasePageReader(page).cases();
}

class CasePageReader {
  readonly #tables: PageTables;
  readonly #words: string;
  readonly #texts: Uint8Array;
  readonly #kinds: Numbers;
  readonly #places: Numbers;
  readonly #reasons: string[] = [];
  readonly #last = { gold: 0, predicted: 0, start: 0 };
  #wordAt = 0;
  #textAt = 0;
  #restAt = 0;

  constructor(page: Uint8Array) {
    const lengths = new DataView(page.buffer, page.byteOffset, PAGE_PARTS * 4);
    let at = lengths.byteLength;
    const next = (part: number): Uint8Array => page.subarray(at, (at += lengths.getUint32(part * 4, true)));
    const tables: unknown = JSON.parse(decoded(next(0)));
    this.#words = decoded(next(1));
    this.#texts = next(2);
    this.#kinds = new Numbers(next(3));
    this.#places = new Numbers(next(4));
    if (!isPageTables(tables) || at !== page.length) throw new Error('the parts of a page do not fit');
    this.#tables = tables;
  }

  cases(): CaseDetail[] {
    const { ids, results } = this.#tables;
    return ids.map((id, row) => {
      const text = this.#text();
      const noText = text === null ? this.#cut() : '';
      const runs = (results[row] ?? []).map((result) => {
        if (result === null) return null;
        const length = this.#places.next();
        this.#last.gold = this.#last.predicted = this.#last.start = 0;
        return { result, records: Array.from({ length }, () => this.#record(id, text)) };
      });
      return { case: id, text, noText: noText === '' ? null : noText, runs };
    });
  }

  #text(): string | null {
    const bytes = this.#places.next() - 1;
    return bytes < 0 ? null : decoded(this.#texts.subarray(this.#textAt, (this.#textAt += bytes)));
  }

  #record(id: string, text: string | null): ViewRecord {
    const [bits, sort, rule, label] = [this.#kinds.next(), this.#kinds.next(), this.#name(this.#kinds), this.#name()];
    const [kind, verdict, error] = [ITEM_KINDS[sort >> 6]!, VERDICTS[(sort >> 4) & 3]!, ERROR_TYPES[(sort & 15) - 1]];
    const record: ViewRecord = { case: id, kind, verdict, rule, label };
    if ((bits & VERDICT_BITS.alike) > 0) record.similarity = 1;
    if ((bits & VERDICT_BITS.similarity) > 0) record.similarity = this.#decimal();
    if ((bits & VERDICT_BITS.gold) > 0)
      record.gold = this.#item((this.#last.gold += this.#places.signed()), label, text);
    if ((bits & VERDICT_BITS.predicted) > 0)
      record.predicted = this.#item((this.#last.predicted += this.#places.signed()), label, text, record.gold);
    if ((bits & VERDICT_BITS.because) > 0) record.because = this.#reason();
    if ((bits & VERDICT_BITS.rejected) > 0) {
      const [similarity, index, why] = [this.#decimal(), this.#places.signed(), this.#reason()];
      const closest = this.#item(index, label, text);
      const { start: _start, end: _end, ...candidate } = closest;
      const whole = (bits & VERDICT_BITS.short) > 0 ? wholeSentence(why, record, closest) : why;
      record.rejected = { ...candidate, similarity, why: whole };
    }
    if ((bits & VERDICT_BITS.rest) > 0) Object.assign(record, this.#tables.rest[this.#restAt++]);
    return error === undefined ? record : { ...record, error };
  }

  #item(index: number, label: string, text: string | null, gold?: LedgerItem): LedgerItem {
    const bits = this.#kinds.next();
    const item: LedgerItem = { index, label: (bits & ITEM_BITS.relabelled) > 0 ? this.#name() : label, text: '' };
    if ((bits & ITEM_BITS.atGold) > 0) [item.start, item.end] = [gold?.start, gold?.end];
    else if ((bits & ITEM_BITS.placed) > 0) {
      item.start = this.#last.start += this.#places.signed();
      item.end = item.start + this.#places.signed();
    }
    item.text = (bits & ITEM_BITS.quoted) > 0 ? (text ?? '').slice(item.start, item.end) : this.#cut();
    if ((bits & ITEM_BITS.rest) > 0) Object.assign(item, this.#tables.rest[this.#restAt++]);
    return item;
  }

  #name(from: Numbers = this.#places): string {
    return this.#tables.names[from.next()] ?? '';
  }

  #decimal(): number {
    return this.#tables.numbers[this.#places.next()] ?? 0;
  }

  #reason(): string {
    const known = this.#places.next();
    if (known === 0) this.#reasons.push(this.#cut());
    return (known === 0 ? this.#reasons.at(-1) : this.#reasons[known - 1]) ?? '';
  }

  #cut(): string {
    return this.#words.slice(this.#wordAt, (this.#wordAt += this.#places.next()));
  }
}

function wholeSentence(why: string, { gold, predicted }: ViewRecord, closest: LedgerItem): string {
  const [one, other] = [gold ?? closest, gold === undefined ? predicted : closest];
  return (other === undefined ? undefined : wholeReason(why, one, other)) ?? why;
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

function decoded(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function isPageTables(value: unknown): value is PageTables {
  if (typeof value !== 'object' || value === null) return false;
  return ['ids', 'results', 'names', 'numbers', 'rest'].every((name) => Array.isArray(Reflect.get(value, name)));
}

/** What few verdicts have, as a line of the ledger has it; null: nothing. */
export function restOfVerdict({ credit, weight, match, attributes, setAside }: Verdict): object | null {
  if (credit === 1 && weight === 1 && match === null && attributes === null && !setAside) return null;
  return {
    ...(credit === 1 ? {} : { credit }),
    ...(weight === 1 ? {} : { weight }),
    ...(match === null ? {} : { match }),
    ...(attributes === null ? {} : { attributes }),
    ...(setAside ? { setAside } : {}),
  };
}

export function restOfItem(given: Item): object | null {
  const { kind, annotator, was, parts, grounded, ungrounded, refused, source, target, unresolved, fields } = given;
  const isRelationship = kind === 'relationship';
  if (fields === NO_FIELDS && !isRelationship && annotator === null && parts === null && grounded === null)
    if (was === undefined && ungrounded === undefined && refused === undefined && unresolved === undefined) return null;
  return {
    ...(annotator === null ? {} : { annotator }),
    was,
    ...(parts === null ? {} : { parts }),
    ...(grounded === null ? {} : { grounded }),
    ungrounded,
    refused,
    ...(isRelationship ? { source, target } : {}),
    unresolved,
    ...(fields === NO_FIELDS ? {} : { fields }),
  };
}
