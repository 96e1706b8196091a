import { SpanReasons } from '../../columns/span-reasons.ts';
import type { SpanScoring } from '../../columns/span-scoring.ts';
import { type Item, ITEM_KINDS, type ItemKind, type Side } from '../../data/item.ts';
import type { SpanCase } from '../../data/span-case.ts';
import { END, INDEX, LABEL, type SpanList, START } from '../../data/span-list.ts';
import { ERROR_TYPES, type ErrorType } from '../../judge/error-type.ts';
import { type Verdict, type VerdictKind, VERDICTS } from '../../judge/verdict.ts';
import type { CaseResult } from '../../score/ledger.ts';
import type { SpanFacts } from '../../score/score.ts';
import { ITEM_BITS as ITEM, restOfItem, restOfVerdict, VERDICT_BITS as VERDICT } from './case-page.ts';
import type { EncodedPage } from './encoded-page.ts';
import { PageBytes, VERDICT_BYTES } from './page-bytes.ts';
import type { ReportCase } from './report-data.ts';

const BACKSLASH = 0x5c;
const [SPAN_HIT, SPAN_MISSED, SPAN_SPURIOUS] = [
  sortOf('hit', 'span'),
  sortOf('missed', 'span'),
  sortOf('spurious', 'span'),
];

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
  readonly #to = new PageBytes();
  /** Of labels of plain spans, by their numbers: their places among the names. */
  readonly #labels: number[] = [];
  readonly #why = new SpanReasons();
  readonly #last = { gold: 0, predicted: 0, start: 0 };

  constructor(hiding: PageHiding | null) {
    this.#hiding = hiding;
  }

  get cases(): number {
    return this.#to.ids.length;
  }

  /** About how many bytes the page would have. */
  get size(): number {
    return this.#to.size;
  }

  /** `errors`: of each run, the types of its verdicts. */
  add(given: ReportCase, errors: readonly ReadonlyMap<Verdict, ErrorType>[]): void {
    const hiding = this.#hiding;
    const text = hiding === null || given.text === null ? given.text : hiding.text(given.text);
    this.#to.places.reserve(VERDICT_BYTES);
    this.#to.places.number(text === null ? 0 : this.#to.texts.text(text) + 1);
    if (text === null) this.#to.write((given.text === null ? given.noText : hiding?.noText) ?? '');
    this.#to.ids.push(given.case);
    this.#to.results.push(given.runs.map((run) => run && (hiding === null ? run.result : hiding.result(run.result))));
    for (const [at, run] of given.runs.entries()) {
      if (run === null) continue;
      this.#to.places.reserve(VERDICT_BYTES);
      this.#to.places.number(run.verdicts.length);
      this.#last.gold = this.#last.predicted = this.#last.start = 0;
      for (const verdict of run.verdicts)
        this.#verdict(hiding === null ? verdict : hiding.verdict(verdict), errors[at]?.get(verdict), text);
    }
  }

  /** The same for plain spans, from their columns; only where nothing is hidden. */
  addSpans({ given, scoring, result }: SpanFacts): void {
    scoring.explain(given);
    const { bytes, from, to, gold, predicted } = given.spans;
    const { pairing } = scoring.schemes[0]!;
    const errors = scoring.errors(given);
    const quoted = bytes.subarray(from + 1, to - 1);
    this.#to.places.reserve(VERDICT_BYTES);
    this.#to.places.number(
      (quoted.includes(BACKSLASH) ? this.#to.texts.text(given.text) : this.#to.texts.bytes(quoted)) + 1,
    );
    this.#to.ids.push(given.id);
    this.#to.results.push([result]);
    let alone = 0;
    for (let p = 0; p < predicted.count; p += 1) if (pairing.predicted[p]! < 0) alone += 1;
    this.#to.places.reserve(VERDICT_BYTES);
    this.#to.places.number(gold.count + alone);
    this.#last.gold = this.#last.predicted = this.#last.start = 0;
    for (let g = 0; g < gold.count; g += 1)
      if (pairing.gold[g]! >= 0) this.#hit(scoring, gold, g, predicted, errors.gold[g]!);
    for (let g = 0; g < gold.count; g += 1)
      if (pairing.gold[g]! < 0) this.#alone(scoring, given, 'gold', g, errors.gold[g]!);
    for (let p = 0; p < predicted.count; p += 1)
      if (pairing.predicted[p]! < 0) this.#alone(scoring, given, 'predicted', p, errors.predicted[p]!);
  }

  /** The next case of another page: the same bytes as if it had been added here. */
  copy(from: EncodedPage): void {
    this.#to.copy(from);
  }

  /** The page, until another one is taken; what is added now is on the next one. */
  take(): Buffer {
    this.#labels.length = 0;
    return this.#to.take();
  }

  #verdict(given: Verdict, error: ErrorType | undefined, text: string | null): void {
    const { kind, verdict, rule, label, similarity, gold, predicted, because, rejected } = given;
    const rest = restOfVerdict(given);
    const { kinds, places } = this.#to;
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
    kinds.number((error === undefined ? 0 : ERROR_TYPES.indexOf(error) + 1) | sortOf(verdict, kind));
    kinds.number(this.#to.name(rule));
    places.number(this.#to.name(label));
    if (similarity !== null && similarity !== 1) places.number(this.#to.decimal(similarity));
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
    if (because !== null) this.#to.reason(because);
    if (rejected !== null) {
      places.number(this.#to.decimal(rejected.similarity));
      places.signed(rejected.item.index);
      this.#to.reason(rejected.why);
      this.#item(rejected.item, label, text, null, null);
    }
    if (rest !== null) this.#to.rest.push(rest);
  }

  #hit(scoring: SpanScoring, gold: SpanList, g: number, predicted: SpanList, error: number): void {
    const { pairing, scheme } = scoring.schemes[0]!;
    const p = pairing.gold[g]!;
    const similarity = pairing.similarity[g]!;
    const isPartial = similarity < 1 && scheme.partial !== 1;
    const bits = VERDICT.gold | VERDICT.predicted | (similarity === 1 ? VERDICT.alike : VERDICT.similarity);
    this.#begin(bits | (isPartial ? VERDICT.rest : 0), SPAN_HIT | error, scheme.rule, gold, g);
    if (similarity !== 1) this.#to.places.number(this.#to.decimal(similarity));
    this.#side(gold, g, 'gold', ITEM.placed | ITEM.quoted, 0);
    const isAtGold = gold.get(g, START) === predicted.get(p, START) && gold.get(g, END) === predicted.get(p, END);
    const where = isAtGold ? ITEM.placed | ITEM.quoted | ITEM.atGold : ITEM.placed | ITEM.quoted;
    this.#side(predicted, p, 'predicted', where, gold.get(g, LABEL) === predicted.get(p, LABEL) ? 0 : ITEM.relabelled);
    if (isPartial) this.#to.rest.push({ credit: scheme.partial });
  }

  /** What is missed or spurious. */
  #alone(scoring: SpanScoring, given: SpanCase, side: Side, at: number, error: number): void {
    const { gold, predicted } = given.spans;
    const [own, others] = side === 'gold' ? [gold, predicted] : [predicted, gold];
    const state = scoring.schemes[0]!;
    const why = this.#why;
    const isClose = why.find(state, side, at, scoring.near, given);
    const bits = (why.because === null ? 0 : VERDICT.because) | (isClose ? VERDICT.rejected | VERDICT.short : 0);
    const sort = (side === 'gold' ? SPAN_MISSED : SPAN_SPURIOUS) | error;
    this.#begin(VERDICT[side] | bits, sort, why.because === null ? 'no-match' : state.linkRule!, own, at);
    this.#side(own, at, side, ITEM.placed | ITEM.quoted, 0);
    if (why.because !== null) this.#to.reason(why.because);
    if (!isClose) return;
    this.#to.places.number(this.#to.decimal(why.similarity));
    this.#to.places.signed(others.get(why.other, INDEX));
    this.#to.reason(why.why);
    const isRelabelled = own.get(at, LABEL) !== others.get(why.other, LABEL);
    this.#side(others, why.other, null, ITEM.placed | ITEM.quoted, isRelabelled ? ITEM.relabelled : 0);
  }

  #begin(bits: number, sort: number, rule: string, spans: SpanList, at: number): void {
    this.#to.kinds.reserve(VERDICT_BYTES);
    this.#to.places.reserve(VERDICT_BYTES);
    this.#to.kinds.number(bits);
    this.#to.kinds.number(sort);
    this.#to.kinds.number(this.#to.name(rule));
    this.#to.places.number(this.#label(spans, at));
  }

  /** A span on a side of the verdict, or, with null, of which the index is there already. */
  #side(spans: SpanList, at: number, side: Side | null, where: number, relabelled: number): void {
    const places = this.#to.places;
    if (side !== null) {
      const index = spans.get(at, INDEX);
      places.signed(index - this.#last[side]);
      this.#last[side] = index;
    }
    this.#to.kinds.number(where | relabelled);
    if (relabelled !== 0) places.number(this.#label(spans, at));
    if ((where & ITEM.atGold) !== 0) return;
    const start = spans.get(at, START);
    places.signed(start - this.#last.start);
    places.signed(spans.get(at, END) - start);
    this.#last.start = start;
  }

  /** The place of a label among the names of the page. */
  #label(spans: SpanList, at: number): number {
    const label = spans.get(at, LABEL);
    return (this.#labels[label] ??= this.#to.name(spans.labels[label]!));
  }

  #item(given: Item, label: string, text: string | null, gold: Item | null, rest: object | null): void {
    const { start, end } = given;
    const isPlaced = start >= 0;
    const isAtGold = isPlaced && gold !== null && gold.start === start && gold.end === end;
    const isQuoted =
      isPlaced && text !== null && end - start === given.text.length && text.startsWith(given.text, start);
    this.#to.kinds.number(
      (isPlaced ? ITEM.placed : 0) |
        (isAtGold ? ITEM.atGold : 0) |
        (isQuoted ? ITEM.quoted : 0) |
        (given.label === label ? 0 : ITEM.relabelled) |
        (rest === null ? 0 : ITEM.rest),
    );
    if (given.label !== label) this.#to.places.number(this.#to.name(given.label));
    if (isPlaced && !isAtGold) {
      this.#to.places.signed(start - this.#last.start);
      this.#to.places.signed(end - start);
      this.#last.start = start;
    }
    if (!isQuoted) this.#to.write(given.text);
    if (rest !== null) this.#to.rest.push(rest);
  }
}

function sortOf(verdict: VerdictKind, kind: ItemKind): number {
  return (VERDICTS.indexOf(verdict) << 4) | (ITEM_KINDS.indexOf(kind) << 6);
}
