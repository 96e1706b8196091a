import { type Item, ITEM_KINDS, NO_FIELDS } from '../../data/item.ts';
import { ERROR_TYPES, type ErrorType } from '../../judge/error-type.ts';
import { type Verdict, VERDICTS } from '../../judge/verdict.ts';
import type { CaseResult } from '../../score/ledger.ts';
import { GrowingBytes } from '../../text/growing-bytes.ts';
import { ITEM_BITS as ITEM, PAGE_PARTS, type PageTables, VERDICT_BITS as VERDICT } from './case-page.ts';
import type { ReportCase } from './report-data.ts';

/** More than the numbers of a verdict take. */
const VERDICT_BYTES = 128;
const RARE_BYTES = 100;

/** What keeps words out of a page; it is given all that goes in. */
export interface PageHiding {
  text(text: string): string | null;
  verdict(verdict: Verdict): Verdict;
  result(result: CaseResult): CaseResult;
  /** Why a case has no text. */
  readonly noText: string;
}

/** Takes cases until `take` makes a page of them. */
export class CasePageWriter {
  readonly #hiding: PageHiding | null;
  readonly #texts = new GrowingBytes();
  readonly #kinds = new GrowingBytes();
  readonly #places = new GrowingBytes();
  readonly #page = new GrowingBytes();
  readonly #names = new Map<string, number>();
  readonly #reasons = new Map<string, number>();
  readonly #numbers = new Map<number, number>();
  #ids: string[] = [];
  #results: (CaseResult | null)[][] = [];
  #rest: object[] = [];
  #words = '';
  readonly #last = { gold: 0, predicted: 0, start: 0 };

  constructor(hiding: PageHiding | null) {
    this.#hiding = hiding;
  }

  get cases(): number {
    return this.#ids.length;
  }

  /** About how many bytes the page would have. */
  get size(): number {
    const rare = this.#rest.length * RARE_BYTES;
    return this.#texts.size + this.#kinds.size + this.#places.size + this.#words.length + rare;
  }

  /** `errors`: of each run, the types of its verdicts. */
  add(given: ReportCase, errors: readonly ReadonlyMap<Verdict, ErrorType>[]): void {
    const hiding = this.#hiding;
    const text = hiding === null || given.text === null ? given.text : hiding.text(given.text);
    this.#places.reserve(VERDICT_BYTES);
    this.#places.number(text === null ? 0 : this.#texts.text(text) + 1);
    if (text === null) this.#write((given.text === null ? given.noText : hiding?.noText) ?? '');
    this.#ids.push(given.case);
    this.#results.push(given.runs.map((run) => run && (hiding === null ? run.result : hiding.result(run.result))));
    for (const [at, run] of given.runs.entries()) {
      if (run === null) continue;
      this.#places.reserve(VERDICT_BYTES);
      this.#places.number(run.verdicts.length);
      this.#last.gold = this.#last.predicted = this.#last.start = 0;
      for (const verdict of run.verdicts)
        this.#verdict(hiding === null ? verdict : hiding.verdict(verdict), errors[at]?.get(verdict), text);
    }
  }

  /** The page, until another one is taken; what is added now is on the next one. */
  take(): Buffer {
    const [names, numbers] = [[...this.#names.keys()], [...this.#numbers.keys()]];
    const tables: PageTables = { ids: this.#ids, results: this.#results, names, numbers, rest: this.#rest };
    const json = Buffer.from(JSON.stringify(tables));
    const words = Buffer.from(this.#words);
    const parts = [json, words, this.#texts.take(), this.#kinds.take(), this.#places.take()];
    const lengths = Buffer.alloc(PAGE_PARTS * 4);
    parts.forEach((part, at) => lengths.writeUInt32LE(part.length, at * 4));
    [this.#ids, this.#results, this.#rest, this.#words] = [[], [], [], ''];
    this.#names.clear();
    this.#reasons.clear();
    this.#numbers.clear();
    for (const part of [lengths, ...parts]) this.#page.bytes(part);
    return this.#page.take();
  }

  #verdict(given: Verdict, error: ErrorType | undefined, text: string | null): void {
    const { kind, verdict, rule, label, similarity, gold, predicted, because, rejected } = given;
    const rest = restOfVerdict(given);
    const [kinds, places] = [this.#kinds, this.#places];
    kinds.reserve(VERDICT_BYTES);
    places.reserve(VERDICT_BYTES);
    kinds.number(
      (gold === null ? 0 : VERDICT.gold) |
        (predicted === null ? 0 : VERDICT.predicted) |
        (similarity === null ? 0 : similarity === 1 ? VERDICT.alike : VERDICT.similarity) |
        (because === null ? 0 : VERDICT.because) |
        (rejected === null ? 0 : VERDICT.rejected) |
        (rest === null ? 0 : VERDICT.rest),
    );
    kinds.number(
      (error === undefined ? 0 : ERROR_TYPES.indexOf(error) + 1) |
        (VERDICTS.indexOf(verdict) << 4) |
        (ITEM_KINDS.indexOf(kind) << 6),
    );
    kinds.number(this.#name(rule));
    places.number(this.#name(label));
    if (similarity !== null && similarity !== 1) places.number(placeIn(this.#numbers, similarity));
    if (gold !== null) {
      places.signed(gold.index - this.#last.gold);
      this.#last.gold = gold.index;
      this.#item(gold, label, text, null, restOfItem(gold));
    }
    if (predicted !== null) {
      places.signed(predicted.index - this.#last.predicted);
      this.#last.predicted = predicted.index;
      this.#item(predicted, label, text, gold, restOfItem(predicted));
    }
    if (because !== null) this.#reason(because);
    if (rejected !== null) {
      places.number(placeIn(this.#numbers, rejected.similarity));
      places.signed(rejected.item.index);
      this.#reason(rejected.why);
      this.#item(rejected.item, label, text, null, null);
    }
    if (rest !== null) this.#rest.push(rest);
  }

  #item(given: Item, label: string, text: string | null, gold: Item | null, rest: object | null): void {
    const { start, end } = given;
    const isPlaced = start >= 0;
    const isAtGold = isPlaced && gold !== null && gold.start === start && gold.end === end;
    const isQuoted =
      isPlaced && text !== null && end - start === given.text.length && text.startsWith(given.text, start);
    this.#kinds.number(
      (isPlaced ? ITEM.placed : 0) |
        (isAtGold ? ITEM.atGold : 0) |
        (isQuoted ? ITEM.quoted : 0) |
        (given.label === label ? 0 : ITEM.relabelled) |
        (rest === null ? 0 : ITEM.rest),
    );
    if (given.label !== label) this.#places.number(this.#name(given.label));
    if (isPlaced && !isAtGold) {
      this.#places.signed(start - this.#last.start);
      this.#places.signed(end - start);
      this.#last.start = start;
    }
    if (!isQuoted) this.#write(given.text);
    if (rest !== null) this.#rest.push(rest);
  }

  /** Both sides of a pair that was refused have the same. */
  #reason(reason: string): void {
    const known = this.#reasons.get(reason);
    this.#places.number(known === undefined ? 0 : known + 1);
    if (known !== undefined) return;
    this.#reasons.set(reason, this.#reasons.size);
    this.#write(reason);
  }

  #write(words: string): void {
    this.#places.number(words.length);
    this.#words += words;
  }

  #name(name: string): number {
    return placeIn(this.#names, name);
  }
}

function placeIn<T>(table: Map<T, number>, value: T): number {
  const known = table.get(value);
  if (known !== undefined) return known;
  table.set(value, table.size);
  return table.size - 1;
}

/** What few verdicts have, as a line of the ledger has it; null: nothing. */
function restOfVerdict({ credit, weight, match, attributes, setAside }: Verdict): object | null {
  if (credit === 1 && weight === 1 && match === null && attributes === null && !setAside) return null;
  return {
    ...(credit === 1 ? {} : { credit }),
    ...(weight === 1 ? {} : { weight }),
    ...(match === null ? {} : { match }),
    ...(attributes === null ? {} : { attributes }),
    ...(setAside ? { setAside } : {}),
  };
}

function restOfItem(given: Item): object | null {
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
