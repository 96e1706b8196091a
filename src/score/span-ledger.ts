import { SpanReasons } from '../columns/span-reasons.ts';
import type { SpanScoring } from '../columns/span-scoring.ts';
import type { SpanCase } from '../data/span-case.ts';
import { END, INDEX, LABEL, type SpanList, START } from '../data/span-list.ts';
import type { Side } from '../data/item.ts';
import { finite, lineHead, outcomeText, quoted } from './ledger-line.ts';
import { GrowingBytes } from '../text/growing-bytes.ts';

const [MISSED, SPURIOUS] = [
  outcomeText('missed', 'no-match', null, 1, 1, null),
  outcomeText('spurious', 'no-match', null, 1, 1, null),
];

/** Writes the ledger of plain spans from their columns, with the very bytes that `ledgerLines` gives for their verdicts. */
export class SpanLedger {
  /** By label, what stands before a text. */
  readonly #openings: Buffer[] = [];
  readonly #why = new SpanReasons();
  #out = new GrowingBytes();
  #given: SpanCase | null = null;
  #head: Uint8Array = new Uint8Array(0);
  /** What a hit without a difference is, by scheme; and the name of the scheme. */
  #hits: string[] = [];
  #names: string[] = [];
  /** By scheme, what it made of the item at hand: its outcome, the partner, and the reasons from `#reasonsAt` on. */
  readonly #made: GrowingBytes[] = [];
  #outcomeEnd = 0;
  #reasonsAt = 0;

  /** Puts the lines of a case: one for each item where several schemes share them, else one for each verdict. */
  write(out: GrowingBytes, given: SpanCase, scoring: SpanScoring): number {
    scoring.explain(given);
    this.#out = out;
    this.#given = given;
    this.#head = Buffer.from(lineHead(given.id, undefined, null));
    const { schemes } = scoring;
    if (this.#hits.length === 0) {
      this.#hits = schemes.map(({ scheme }) => outcomeText('hit', scheme.rule, 1, 1, 1, null));
      this.#names = schemes.map(({ scheme }) => `${quoted(scheme.name ?? '')}:{`);
      this.#made.push(...schemes.map(() => new GrowingBytes()));
    }
    const { gold, predicted } = given.spans;
    const { pairing } = schemes[0]!;
    const isShared = schemes.length > 1;
    for (let g = 0; g < gold.count; g += 1) if (isShared || pairing.gold[g]! >= 0) this.#goldLine(scoring, g);
    if (!isShared) for (let g = 0; g < gold.count; g += 1) if (pairing.gold[g]! < 0) this.#goldLine(scoring, g);
    let rows = gold.count;
    for (let p = 0; p < predicted.count; p += 1)
      if (pairing.predicted[p]! < 0) {
        this.#predictedLine(scoring, p);
        rows += 1;
      } else if (isShared) rows += this.#pairedElsewhere(scoring, p);
    return rows;
  }

  #goldLine(scoring: SpanScoring, g: number): void {
    const { gold, predicted } = this.#given!.spans;
    const { schemes } = scoring;
    const { pairing } = schemes[0]!;
    const p = pairing.gold[g]!;
    const isPlain = p >= 0 && pairing.similarity[g] === 1;
    this.#make(scoring, 0, 'gold', g);
    this.#begin(this.#head, 0);
    this.#out.text(',"gold":');
    this.#out.digits(gold.get(g, INDEX));
    if (p >= 0) this.#predictedSide(gold, g, predicted, p);
    this.#place(gold, g);
    this.#reasons(0);
    let differing = 0;
    for (let at = 1; at < schemes.length; at += 1) {
      const other = schemes[at]!.pairing;
      if (isPlain && other.gold[g] === p && other.similarity[g] === 1 && this.#hits[at] === this.#hits[0]) continue;
      this.#make(scoring, at, 'gold', g);
      differing = this.#differing(at, differing);
    }
    this.#out.text(differing > 0 ? '}}\n' : '}\n');
  }

  /** Of a prediction without a partner in the recipe's own scheme. */
  #predictedLine(scoring: SpanScoring, p: number): void {
    const { schemes } = scoring;
    this.#make(scoring, 0, 'predicted', p);
    this.#alone(this.#head, 0, p);
    let differing = 0;
    for (let at = 1; at < schemes.length; at += 1) {
      const partner = schemes[at]!.pairing.predicted[p]!;
      if (partner < 0) this.#make(scoring, at, 'predicted', p);
      else this.#set(at, `,"gold":${this.#given!.spans.gold.get(partner, INDEX)}`);
      differing = this.#differing(at, differing);
    }
    this.#out.text(differing > 0 ? '}}\n' : '}\n');
  }

  /** Lines of schemes in which a prediction has no partner although it has one in the recipe's own; how many. */
  #pairedElsewhere(scoring: SpanScoring, p: number): number {
    let rows = 0;
    for (let at = 1; at < scoring.schemes.length; at += 1) {
      const { pairing, scheme } = scoring.schemes[at]!;
      if (pairing.predicted[p]! >= 0) continue;
      this.#make(scoring, at, 'predicted', p);
      this.#alone(Buffer.from(lineHead(this.#given!.id, scheme.name ?? '', null)), at, p);
      this.#out.text('}\n');
      rows += 1;
    }
    return rows;
  }

  #alone(head: Uint8Array, scheme: number, p: number): void {
    const { predicted } = this.#given!.spans;
    this.#begin(head, scheme);
    this.#out.text(',"predicted":');
    this.#out.digits(predicted.get(p, INDEX));
    this.#place(predicted, p);
    this.#reasons(scheme);
  }

  #begin(head: Uint8Array, scheme: number): void {
    this.#out.few(head, 0, head.length);
    this.#out.few(this.#made[scheme]!.buffer, 0, this.#outcomeEnd);
  }

  #reasons(scheme: number): void {
    const made = this.#made[scheme]!;
    this.#out.few(made.buffer, this.#reasonsAt, made.size);
  }

  /** Adds what a scheme made of the item where it is not the same as the first; `before`: how many did that already. */
  #differing(scheme: number, before: number): number {
    const [first, made] = [this.#made[0]!, this.#made[scheme]!];
    if (made.isSame(first)) return before;
    this.#out.text(before > 0 ? ',' : ',"schemes":{');
    this.#out.text(this.#names[scheme]!);
    this.#out.few(made.buffer, 1, made.size);
    this.#out.text('}');
    return before + 1;
  }

  #set(scheme: number, text: string): void {
    const made = this.#made[scheme]!;
    made.size = 0;
    made.text(text);
  }

  #make({ schemes, near }: SpanScoring, at: number, side: Side, place: number): void {
    const state = schemes[at]!;
    const { scheme, pairing, linkRule } = state;
    const { gold, predicted } = this.#given!.spans;
    const isGold = side === 'gold';
    const made = this.#made[at]!;
    const partner = pairing[side][place]!;
    if (partner >= 0) {
      const similarity = pairing.similarity[place]!;
      this.#set(
        at,
        similarity === 1 ? this.#hits[at]! : outcomeText('hit', scheme.rule, similarity, scheme.partial, 1, null),
      );
      this.#outcomeEnd = made.size;
      made.text(',"predicted":');
      made.digits(predicted.get(partner, INDEX));
      this.#reasonsAt = made.size;
      return;
    }
    const isLinked = linkRule !== null && (isGold ? pairing.linkedGold : pairing.linkedPredicted)[place]! >= 0;
    if (isLinked) this.#set(at, outcomeText(isGold ? 'missed' : 'spurious', linkRule, null, 1, 1, null));
    else this.#set(at, isGold ? MISSED : SPURIOUS);
    this.#outcomeEnd = this.#reasonsAt = made.size;
    const why = this.#why;
    if (!why.find(state, side, place, near, this.#given!)) return;
    if (why.because !== null) made.text(`,"because":"${why.because}"`);
    made.text(',"rejected":{"index":');
    made.digits((isGold ? predicted : gold).get(why.other, INDEX));
    made.text(',"similarity":');
    made.text(String(finite(why.similarity)));
    made.text(',"why":');
    made.text(quoted(why.why));
    made.text('}');
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
    const from = list.quoteFrom(at);
    if (from < 0) {
      this.#label(list, at);
      out.text(`,"text":${quoted(this.#slice(list, at))},"start":`);
    } else {
      const label = list.get(at, LABEL);
      const opening = (this.#openings[label] ??= Buffer.from(`${labelText(list, label)},"text":"`));
      out.few(opening, 0, opening.length);
      out.few(this.#given!.spans.bytes, from, list.quoteTo(at));
      out.text('","start":');
    }
    out.digits(list.get(at, START));
    out.text(',"end":');
    out.digits(list.get(at, END));
  }

  #label(list: SpanList, at: number): void {
    this.#out.text(labelText(list, list.get(at, LABEL)));
  }
}

function labelText({ labels }: SpanList, label: number): string {
  return `,"label":${quoted(labels[label]!)}`;
}
