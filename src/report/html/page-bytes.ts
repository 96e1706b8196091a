import type { CaseResult } from '../../score/ledger.ts';
import { GrowingBytes } from '../../text/growing-bytes.ts';
import { ITEM_BITS as ITEM, VERDICT_BITS as VERDICT } from './case-page.ts';
import { type EncodedPage, PAGE_PARTS, type PageTables } from './encoded-page.ts';

/** More than the numbers of a verdict take. */
export const VERDICT_BYTES = 128;
const RARE_BYTES = 100;

/** The parts of a page in the making, with what is in tables once. */
export class PageBytes {
  readonly texts = new GrowingBytes();
  readonly kinds = new GrowingBytes();
  readonly places = new GrowingBytes();
  ids: string[] = [];
  results: (readonly (CaseResult | null)[])[] = [];
  rest: object[] = [];
  readonly #page = new GrowingBytes();
  readonly #names = new Map<string, number>();
  readonly #reasons = new Map<string, number>();
  readonly #numbers = new Map<number, number>();
  #words = '';

  /** About how many bytes the page would have. */
  get size(): number {
    const rare = this.rest.length * RARE_BYTES;
    return this.texts.size + this.kinds.size + this.places.size + this.#words.length + rare;
  }

  /** The place of a label or a rule among the names. */
  name(name: string): number {
    return placeIn(this.#names, name);
  }

  /** The place of a number that is not a whole one. */
  decimal(number: number): number {
    return placeIn(this.#numbers, number);
  }

  /** Both sides of a pair that was refused have the same. */
  reason(reason: string): void {
    const known = this.#knownReason(reason);
    this.places.number(known === undefined ? 0 : known + 1);
    if (known !== undefined) return;
    this.#reasons.set(reason.toWellFormed(), this.#reasons.size);
    this.write(reason);
  }

  /** What reads alike is one reason. */
  #knownReason(reason: string): number | undefined {
    const known = this.#reasons.get(reason);
    return known !== undefined || reason.isWellFormed() ? known : this.#reasons.get(reason.toWellFormed());
  }

  /** Half of a surrogate pair becomes U+FFFD by itself: it must not make a pair with what is written next. */
  write(words: string): void {
    this.places.number(words.length);
    this.#words += words.toWellFormed();
  }

  /** The next case of another page as it is encoded there, with places in the tables of this one. */
  copy(from: EncodedPage): void {
    const { id, results, text } = from.nextCase();
    this.places.reserve(VERDICT_BYTES);
    this.places.number(text === null ? 0 : this.texts.bytes(text) + 1);
    if (text === null) this.write(from.words());
    this.ids.push(id);
    this.results.push(results);
    for (const result of results) {
      if (result === null) continue;
      this.places.reserve(VERDICT_BYTES);
      const verdicts = from.places.next();
      this.places.number(verdicts);
      for (let at = 0; at < verdicts; at += 1) this.#copyVerdict(from);
    }
  }

  #copyVerdict(from: EncodedPage): void {
    const { kinds, places } = this;
    kinds.reserve(VERDICT_BYTES);
    places.reserve(VERDICT_BYTES);
    const bits = from.kinds.next();
    kinds.number(bits);
    kinds.number(from.kinds.next());
    kinds.number(this.name(from.name(from.kinds)));
    places.number(this.name(from.name(from.places)));
    if ((bits & VERDICT.similarity) !== 0) places.number(this.decimal(from.decimal()));
    for (const side of [VERDICT.gold, VERDICT.predicted]) {
      if ((bits & side) === 0) continue;
      places.number(from.places.next());
      this.#copyItem(from);
    }
    if ((bits & VERDICT.because) !== 0) this.reason(from.reason());
    if ((bits & VERDICT.rejected) !== 0) {
      places.number(this.decimal(from.decimal()));
      places.number(from.places.next());
      this.reason(from.reason());
      this.#copyItem(from);
    }
    if ((bits & VERDICT.rest) !== 0) this.rest.push(from.rest());
  }

  #copyItem(from: EncodedPage): void {
    const bits = from.kinds.next();
    this.kinds.number(bits);
    if ((bits & ITEM.relabelled) !== 0) this.places.number(this.name(from.name(from.places)));
    if ((bits & (ITEM.placed | ITEM.atGold)) === ITEM.placed) {
      this.places.number(from.places.next());
      this.places.number(from.places.next());
    }
    if ((bits & ITEM.quoted) === 0) this.write(from.words());
    if ((bits & ITEM.rest) !== 0) this.rest.push(from.rest());
  }

  /** The page, until another one is taken; what is written now is on the next one. */
  take(): Buffer {
    const { ids, results, rest } = this;
    const tables: PageTables = {
      ids,
      results,
      names: [...this.#names.keys()],
      numbers: [...this.#numbers.keys()],
      rest,
    };
    const json = Buffer.from(JSON.stringify(tables));
    const parts = [json, Buffer.from(this.#words), this.texts.take(), this.kinds.take(), this.places.take()];
    const lengths = Buffer.alloc(PAGE_PARTS * 4);
    parts.forEach((part, at) => lengths.writeUInt32LE(part.length, at * 4));
    [this.ids, this.results, this.rest, this.#words] = [[], [], [], ''];
    this.#names.clear();
    this.#reasons.clear();
    this.#numbers.clear();
    for (const part of [lengths, ...parts]) this.#page.bytes(part);
    return this.#page.take();
  }
}

function placeIn<T>(table: Map<T, number>, value: T): number {
  const known = table.get(value);
  if (known !== undefined) return known;
  table.set(value, table.size);
  return table.size - 1;
}
