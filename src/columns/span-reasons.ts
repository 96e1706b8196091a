import type { Side } from '../data/item.ts';
import type { SpanCase } from '../data/span-case.ts';
import { END, LABEL, type SpanList, START } from '../data/span-list.ts';
import { becauseOf } from '../judge/incorrect.ts';
import { differenceOf } from '../pair/difference.ts';
import { underText } from '../pair/matcher.ts';
import { wentTo } from '../pair/pair.ts';
import type { NearSpans, SpanPairing, SpanScheme } from './span-pairs.ts';

/** How a scheme paired the spans of a case. */
export interface PairedSpans {
  readonly scheme: SpanScheme;
  /** The rule that links errors, if there is one. */
  readonly linkRule: string | null;
  readonly pairing: SpanPairing;
}

/** Why a span has no partner: the other span of one error, or the candidate that came closest. */
export class SpanReasons {
  /** That span of the other side, in content order. */
  other = -1;
  /** What is wrong where two errors are one; null where they are not. */
  because: string | null = null;
  similarity = 0;
  /** What differs in short, which stands for the sentence, or another sentence. */
  why = '';

  /** Looks at one span without a partner; false: nothing came close to it. */
  find({ scheme, linkRule, pairing }: PairedSpans, side: Side, at: number, near: NearSpans, given: SpanCase): boolean {
    const isGold = side === 'gold';
    const linked = linkRule === null ? -1 : (isGold ? pairing.linkedGold : pairing.linkedPredicted)[at]!;
    const place = linked >= 0 ? linked : (isGold ? pairing.closestGold : pairing.closestPredicted)[at]!;
    this.because = null;
    if (place < 0) return false;
    const { gold, predicted } = given.spans;
    const g = near.gold[place]!;
    const p = near.predicted[place]!;
    this.other = isGold ? p : g;
    this.similarity = near.iou[place]!;
    const isLabelOff = gold.get(g, LABEL) !== predicted.get(p, LABEL);
    const isPlaceOff = this.similarity < 1;
    if (linked >= 0) {
      this.because = becauseOf(isLabelOff, isPlaceOff);
      this.why = differenceOf(isLabelOff, isPlaceOff);
    } else if (pairing.isAccepted(place)) {
      const partner = isGold ? pairing.predicted[p]! : pairing.gold[g]!;
      const taker = isGold ? gold : predicted;
      const text = partner < 0 ? undefined : quoteOf(given, taker, partner);
      this.why = wentTo(side, text, pairing.similarity[isGold ? partner : g]);
    } else {
      const isGated = scheme.gated && isLabelOff;
      const isOff = scheme.similarity === 'exact' && isPlaceOff;
      if (isOff) this.similarity = 0;
      this.why = isGated || isOff ? differenceOf(isGated, isOff) : underText(this.similarity, scheme.threshold);
    }
    return true;
  }
}

/** The text of a span; that of the document need not be read for it where the record quotes it. */
function quoteOf(given: SpanCase, list: SpanList, at: number): string {
  const from = list.quoteFrom(at);
  return from < 0
    ? given.text.slice(list.get(at, START), list.get(at, END))
    : given.spans.bytes.toString('utf8', from, list.quoteTo(at));
}
