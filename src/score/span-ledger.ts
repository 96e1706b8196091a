import { SpanReasons } from '../columns/span-reasons.ts';
import type { SpanScoring } from '../columns/span-scoring.ts';
import type { SpanCase } from '../data/span-case.ts';
import { END, INDEX, LABEL, type SpanList, START } from '../data/span-list.ts';
import type { Side } from '../data/item.ts';
import { lineHead, outcomeText, quoted, rejectedText } from './ledger-line.ts';
import { GrowingBytes } from '../text/growing-bytes.ts';

type SchemeState = SpanScoring['schemes'][number];

/** Writes the ledger of plain spans from their columns, with the very bytes that `ledgerLines` gives for their verdicts. */
export class SpanLedger {
  /** Labels as a line has them, by number. */
  readonly #labels: Buffer[] = [];
  readonly #why = new SpanReasons();
  #out = new GrowingBytes();
  #given: SpanCase | null = null;
  #head: Uint8Array = new Uint8Array(0);
  /** What a hit without a difference is, by scheme. */
  #hits: readonly string[] = [];

  /** Puts the lines of a case: one for each item where several schemes share them, else one for each verdict. */
  write(out: GrowingBytes, given: SpanCase, scoring: SpanScoring): number {
    scoring.explain(given);
    this.#out = out;
    this.#given = given;
    this.#head = Buffer.from(lineHead(given.id, undefined, null));
    this.#hits = scoring.schemes.map(({ scheme }) => outcomeText('hit', scheme.rule, 1, 1, 1, null));
    const { gold, predicted } = given.spans;
    const { pairing } = scoring.schemes[0]!;
    const isShared = scoring.schemes.length > 1;
    for (let g = 0; g < gold.count; g += 1) if (isShared || pairing.gold[g]! >= 0) this.#goldLine(scoring, g);
    if (!isShared) for (let g = 0; g < gold.count; g += 1) if (pairing.gold[g]! < 0) this.#goldLine(scoring, g);
    let rows = gold.count;
    for (let p = 0; p < predicted.count; p += 1) rows += this.#predictedLines(scoring, p);
    return rows;
  }

  #goldLine(scoring: SpanScoring, g: number): void {
    const { gold, predicted } = this.#given!.spans;
    const [own] = scoring.schemes;
    const p = own!.pairing.gold[g]!;
    const isPlain = p >= 0 && own!.pairing.similarity[g] === 1;
    const reasons = this.#reasons(own!, 'gold', g, scoring);
    const outcome = isPlain ? this.#hits[0]! : this.#goldOutcome(own!, g);
    this.#begin(this.#head, outcome);
    this.#out.text(',"gold":');
    this.#out.digits(gold.get(g, INDEX));
    if (p >= 0) this.#predictedSide(gold, g, predicted, p);
    this.#place(gold, g);
    let differing = '';
    for (let at = 1; at < scoring.schemes.length; at += 1) {
      const other = scoring.schemes[at]!;
      const isAlike = isPlain && other.pairing.gold[g] === p && other.pairing.similarity[g] === 1;
      if (isAlike && this.#hits[at] === this.#hits[0]) continue;
      const text = `${this.#goldOutcome(other, g)}${this.#partner(other, g)}${this.#reasons(other, 'gold', g, scoring)}`;
      if (text !== `${outcome}${this.#partner(own!, g)}${reasons}`)
        differing += `${differing === '' ? '' : ','}${quoted(other.scheme.name ?? '')}:{${text.slice(1)}}`;
    }
    this.#end(reasons, differing);
  }

  /** A prediction without a partner in the recipe's own scheme, or, in separate lines, in others; how many lines. */
  #predictedLines(scoring: SpanScoring, p: number): number {
    const { gold, predicted } = this.#given!.spans;
    const [own, ...others] = scoring.schemes;
    const isAlone = own!.pairing.predicted[p]! < 0;
    const line = (head: Uint8Array, outcome: string, reasons: string, differing: string): void => {
      this.#begin(head, outcome);
      this.#out.text(',"predicted":');
      this.#out.digits(predicted.get(p, INDEX));
      this.#place(predicted, p);
      this.#end(reasons, differing);
    };
    const ofScheme = (state: SchemeState): readonly [outcome: string, reasons: string] => [
      this.#spuriousOutcome(state, p),
      this.#reasons(state, 'predicted', p, scoring),
    ];
    const made = isAlone ? ofScheme(own!) : null;
    let rows = isAlone ? 1 : 0;
    let differing = '';
    for (const other of others) {
      const partner = other.pairing.predicted[p]!;
      if (made === null && partner >= 0) continue;
      const name = other.scheme.name ?? '';
      if (made === null) {
        line(Buffer.from(lineHead(this.#given!.id, name, null)), ...ofScheme(other), '');
        rows += 1;
        continue;
      }
      const text = partner < 0 ? ofScheme(other).join('') : '';
      if (partner < 0 && text === made.join('')) continue;
      const shown = partner < 0 ? `{${text.slice(1)}}` : `{"gold":${gold.get(partner, INDEX)}}`;
      differing += `${differing === '' ? '' : ','}${quoted(name)}:${shown}`;
    }
    if (made !== null) line(this.#head, ...made, differing);
    return rows;
  }

  #begin(head: Uint8Array, outcome: string): void {
    this.#out.few(head, 0, head.length);
    this.#out.text(outcome);
  }

  #end(reasons: string, differing: string): void {
    if (reasons !== '') this.#out.text(reasons);
    if (differing !== '') this.#out.text(`,"schemes":{${differing}}`);
    this.#out.text('}\n');
  }

  #goldOutcome({ scheme, pairing, linkRule }: SchemeState, g: number): string {
    if (pairing.gold[g]! < 0) {
      const isLinked = linkRule !== null && pairing.linkedGold[g]! >= 0;
      return outcomeText('missed', isLinked ? linkRule : 'no-match', null, 1, 1, null);
    }
    const similarity = pairing.similarity[g]!;
    return outcomeText('hit', scheme.rule, similarity, similarity < 1 ? scheme.partial : 1, 1, null);
  }

  #spuriousOutcome({ pairing, linkRule }: SchemeState, p: number): string {
    const isLinked = linkRule !== null && pairing.linkedPredicted[p]! >= 0;
    return outcomeText('spurious', isLinked ? linkRule : 'no-match', null, 1, 1, null);
  }

  #partner({ pairing }: SchemeState, g: number): string {
    const p = pairing.gold[g]!;
    return p < 0 ? '' : `,"predicted":${this.#given!.spans.predicted.get(p, INDEX)}`;
  }

  /** Of a span that has no partner: the other of one error, or what came closest. */
  #reasons(state: SchemeState, side: Side, at: number, { near }: SpanScoring): string {
    if (state.pairing[side][at]! >= 0 || !this.#why.find(state, side, at, near, this.#given!)) return '';
    const { other, because, similarity, why } = this.#why;
    const index = this.#given!.spans[side === 'gold' ? 'predicted' : 'gold'].get(other, INDEX);
    return `${because === null ? '' : `,"because":"${because}"`}${rejectedText(index, '', similarity, why)}`;
  }

  /** The prediction of a pair: its index, with what is not as in gold. */
  #predictedSide(gold: SpanList, g: number, predicted: SpanList, p: number): void {
    const out = this.#out;
    const [start, end] = [predicted.get(p, START), predicted.get(p, END)];
    const isRelabelled = gold.get(g, LABEL) !== predicted.get(p, LABEL);
    const isMoved = start !== gold.get(g, START) || end !== gold.get(g, END);
    const isPlain = !isRelabelled && !isMoved;
    out.text(isPlain ? ',"predicted":' : ',"predicted":{"index":');
    out.digits(predicted.get(p, INDEX));
    if (isPlain) return;
    if (isRelabelled) this.#label(predicted, p);
    if (isMoved) {
      const own = this.#slice(predicted, p);
      out.text(`${own === this.#slice(gold, g) ? '' : `,"text":${quoted(own)}`},"start":${start},"end":${end}`);
    }
    out.text('}');
  }

  #slice(list: SpanList, at: number): string {
    return this.#given!.text.slice(list.get(at, START), list.get(at, END));
  }

  /** Label, text and place. */
  #place(list: SpanList, at: number): void {
    const out = this.#out;
    this.#label(list, at);
    const from = list.quoteFrom(at);
    if (from < 0) out.text(`,"text":${quoted(this.#slice(list, at))}`);
    else {
      out.text(',"text":"');
      out.few(this.#given!.spans.bytes, from, list.quoteTo(at));
      out.text('"');
    }
    out.text(',"start":');
    out.digits(list.get(at, START));
    out.text(',"end":');
    out.digits(list.get(at, END));
  }

  #label(list: SpanList, at: number): void {
    const label = list.get(at, LABEL);
    const shown = (this.#labels[label] ??= Buffer.from(`,"label":${quoted(list.labels[label]!)}`));
    this.#out.few(shown, 0, shown.length);
  }
}
