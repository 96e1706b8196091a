import type { SpanScoring } from '../columns/span-scoring.ts';
import type { SpanCase } from '../data/span-case.ts';
import { END, INDEX, LABEL, type SpanList, START } from '../data/span-list.ts';
import type { Side } from '../data/item.ts';
import {
  BOUNDARIES_DIFFER,
  LABEL_DIFFERS,
  lineHead,
  lineText,
  outcomeText,
  placeText,
  quoted,
  rejectedText,
} from './ledger-line.ts';
import { underText } from '../pair/matcher.ts';
import { wentTo } from '../pair/pair.ts';

type SchemeState = SpanScoring['schemes'][number];

/** Writes the ledger of plain spans from their columns, with the very bytes that `ledgerLines` gives for their verdicts. */
export class SpanLedger {
  /** Labels as JSON, by number. */
  readonly #labels: string[] = [];
  #given: SpanCase | null = null;
  #text = '';
  #head = '';

  /** The lines of a case; one for each item where several schemes share them, else one for each verdict. */
  lines(given: SpanCase, scoring: SpanScoring): { readonly text: string; readonly rows: number } {
    scoring.explain(given);
    this.#given = given;
    this.#text = given.text;
    this.#head = lineHead(given.id, undefined, null);
    const [own, ...others] = scoring.schemes;
    const { gold, predicted } = given.spans;
    const lines: string[] = [];
    const pass = (isWanted: (g: number) => boolean): void => {
      for (let g = 0; g < gold.count; g += 1) if (isWanted(g)) lines.push(this.#goldLine(own!, others, g, scoring));
    };
    if (others.length > 0) pass(() => true);
    else {
      pass((g) => own!.pairing.gold[g]! >= 0);
      pass((g) => own!.pairing.gold[g]! < 0);
    }
    for (let p = 0; p < predicted.count; p += 1) this.#predictedLines(own!, others, p, scoring, lines);
    return { text: lines.join(''), rows: lines.length };
  }

  #goldLine(own: SchemeState, others: readonly SchemeState[], g: number, scoring: SpanScoring): string {
    const { gold, predicted } = this.#given!.spans;
    const outcome = this.#goldOutcome(own, g);
    const reasons = this.#reasons(own, 'gold', g, scoring);
    const p = own.pairing.gold[g]!;
    let differing = '';
    const made = `${outcome}${this.#partner(own, g)}${reasons}`;
    for (const other of others) {
      const text = `${this.#goldOutcome(other, g)}${this.#partner(other, g)}${this.#reasons(other, 'gold', g, scoring)}`;
      if (text !== made)
        differing += `${differing === '' ? '' : ','}${quoted(other.scheme.name ?? '')}:{${text.slice(1)}}`;
    }
    return lineText(
      this.#head,
      outcome,
      String(gold.get(g, INDEX)),
      p < 0 ? '' : this.#predictedSide(gold, g, predicted, p),
      this.#label(gold, g),
      this.#place(gold, g),
      reasons,
      differing,
    );
  }

  /** A prediction without a partner in the recipe's own scheme, or, in separate lines, in others. */
  #predictedLines(
    own: SchemeState,
    others: readonly SchemeState[],
    p: number,
    scoring: SpanScoring,
    lines: string[],
  ): void {
    const { gold, predicted } = this.#given!.spans;
    const isAlone = own.pairing.predicted[p]! < 0;
    const index = String(predicted.get(p, INDEX));
    const line = (head: string, outcome: string, reasons: string, differing: string): string =>
      lineText(head, outcome, '', index, this.#label(predicted, p), this.#place(predicted, p), reasons, differing);
    const ofScheme = (state: SchemeState): readonly [outcome: string, reasons: string] => [
      this.#spuriousOutcome(state, p),
      this.#reasons(state, 'predicted', p, scoring),
    ];
    const made = isAlone ? ofScheme(own) : null;
    let differing = '';
    for (const other of others) {
      const partner = other.pairing.predicted[p]!;
      const name = other.scheme.name ?? '';
      if (made === null) {
        if (partner < 0) lines.push(line(lineHead(this.#given!.id, name, null), ...ofScheme(other), ''));
        continue;
      }
      const text = partner < 0 ? ofScheme(other).join('') : '';
      if (partner < 0 && text === made.join('')) continue;
      const shown = partner < 0 ? `{${text.slice(1)}}` : `{"gold":${gold.get(partner, INDEX)}}`;
      differing += `${differing === '' ? '' : ','}${quoted(name)}:${shown}`;
    }
    if (made !== null) lines.push(line(this.#head, ...made, differing));
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
  #reasons({ scheme, pairing, linkRule }: SchemeState, side: Side, at: number, { near }: SpanScoring): string {
    if (pairing[side][at]! >= 0) return '';
    const { gold, predicted } = this.#given!.spans;
    const linked = linkRule === null ? -1 : (side === 'gold' ? pairing.linkedGold : pairing.linkedPredicted)[at]!;
    const closest = linked >= 0 ? linked : (side === 'gold' ? pairing.closestGold : pairing.closestPredicted)[at]!;
    if (closest < 0) return '';
    const g = near.gold[closest]!;
    const p = near.predicted[closest]!;
    const index = side === 'gold' ? predicted.get(p, INDEX) : gold.get(g, INDEX);
    const overlap = near.iou[closest]!;
    const isLabelOff = gold.get(g, LABEL) !== predicted.get(p, LABEL);
    const isPlaceOff = overlap < 1;
    const both = `${isLabelOff ? LABEL_DIFFERS : ''}${isLabelOff && isPlaceOff ? '; ' : ''}${isPlaceOff ? BOUNDARIES_DIFFER : ''}`;
    if (linked >= 0) {
      const because = isLabelOff ? (isPlaceOff ? 'label and boundaries differ' : LABEL_DIFFERS) : BOUNDARIES_DIFFER;
      return `,"because":"${because}"${rejectedText(index, '', overlap, both)}`;
    }
    if (pairing.isAccepted(closest)) {
      const partner = side === 'gold' ? pairing.predicted[p]! : pairing.gold[g]!;
      const taker = side === 'gold' ? gold : predicted;
      const text = partner < 0 ? undefined : this.#slice(taker, partner);
      return rejectedText(index, '', overlap, wentTo(side, text, pairing.similarity[side === 'gold' ? partner : g]));
    }
    const isGated = scheme.gated && isLabelOff;
    const isOff = scheme.similarity === 'exact' && isPlaceOff;
    const similarity = scheme.similarity === 'exact' && isPlaceOff ? 0 : overlap;
    const why = `${isGated ? LABEL_DIFFERS : ''}${isGated && isOff ? '; ' : ''}${isOff ? BOUNDARIES_DIFFER : ''}`;
    return rejectedText(index, '', similarity, why === '' ? underText(similarity, scheme.threshold) : why);
  }

  /** The prediction of a pair: its index, with what is not as in gold. */
  #predictedSide(gold: SpanList, g: number, predicted: SpanList, p: number): string {
    const index = predicted.get(p, INDEX);
    let text = gold.get(g, LABEL) === predicted.get(p, LABEL) ? '' : `,"label":${this.#label(predicted, p)}`;
    const [start, end] = [predicted.get(p, START), predicted.get(p, END)];
    if (start !== gold.get(g, START) || end !== gold.get(g, END)) {
      const own = this.#slice(predicted, p);
      if (own !== this.#slice(gold, g)) text += `,"text":${quoted(own)}`;
      text += `,"start":${start},"end":${end}`;
    }
    return text === '' ? String(index) : `{"index":${index}${text}}`;
  }

  #slice(list: SpanList, at: number): string {
    return this.#text.slice(list.get(at, START), list.get(at, END));
  }

  #place(list: SpanList, at: number): string {
    return placeText(this.#slice(list, at), list.get(at, START), list.get(at, END));
  }

  #label(list: SpanList, at: number): string {
    const label = list.get(at, LABEL);
    return (this.#labels[label] ??= quoted(list.labels[label]!));
  }
}
