import type { Item, Side } from '../data/item.ts';
import { incorrectBecause } from '../judge/incorrect.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { Criterion } from '../pair/criterion.ts';
import { differenceText, type Matcher, placesText, plainMatcher } from '../pair/matcher.ts';
import { wentTo } from '../pair/pair.ts';
import type { Rejection } from '../pair/pairing.ts';
import { compareFor } from '../pair/similarity.ts';
import type { NearSpans, SpanPairing, SpanScheme } from './span-pairs.ts';

type BothSides = Readonly<Record<Side, readonly Item[]>>;

/** What makes verdicts of columns, as `firstVerdicts` and the rule `incorrect` would have made them. */
export class SpanVerdicts {
  readonly #scheme: SpanScheme;
  readonly #linkRule: string | null;
  readonly #matcher: Matcher;

  constructor(scheme: SpanScheme, criterion: Criterion, linkRule: string | null) {
    this.#scheme = scheme;
    this.#linkRule = linkRule;
    this.#matcher = plainMatcher(criterion, compareFor(criterion));
  }

  /** Of the spans in content order. */
  of(id: string, near: NearSpans, pairing: SpanPairing, gold: readonly Item[], predicted: readonly Item[]): Verdict[] {
    const { name: scheme, rule, partial } = this.#scheme;
    const items = { gold, predicted };
    const out: Verdict[] = [];
    for (let g = 0; g < gold.length; g += 1) {
      const p = pairing.gold[g]!;
      if (p < 0) continue;
      const item = gold[g]!;
      const similarity = pairing.similarity[g]!;
      // Written out instead of through makeVerdict, as in `firstVerdicts`: these are made by the million.
      out.push({
        case: id,
        scheme,
        kind: 'span',
        verdict: 'hit',
        rule,
        label: item.label,
        similarity,
        credit: similarity < 1 ? partial : 1,
        weight: 1,
        match: null,
        gold: item,
        predicted: predicted[p]!,
        because: null,
        setAside: false,
        rejected: null,
        attributes: null,
      });
    }
    for (let g = 0; g < gold.length; g += 1)
      if (pairing.gold[g]! < 0) out.push(this.#alone(id, 'gold', g, near, pairing, items));
    for (let p = 0; p < predicted.length; p += 1)
      if (pairing.predicted[p]! < 0) out.push(this.#alone(id, 'predicted', p, near, pairing, items));
    return out;
  }

  /** What is missed or spurious. */
  #alone(id: string, side: Side, at: number, near: NearSpans, pairing: SpanPairing, items: BothSides): Verdict {
    const item = items[side][at]!;
    const isGold = side === 'gold';
    const linked = this.#linkRule === null ? -1 : (isGold ? pairing.linkedGold : pairing.linkedPredicted)[at]!;
    const closest = (isGold ? pairing.closestGold : pairing.closestPredicted)[at]!;
    const link = linked < 0 ? null : this.#link(side, near, linked, items);
    return {
      case: id,
      scheme: this.#scheme.name,
      kind: 'span',
      verdict: isGold ? 'missed' : 'spurious',
      rule: link === null ? 'no-match' : this.#linkRule!,
      label: item.label,
      similarity: null,
      credit: 1,
      weight: 1,
      match: null,
      gold: isGold ? item : null,
      predicted: isGold ? null : item,
      because: link?.because ?? null,
      setAside: false,
      rejected: link?.rejected ?? (closest < 0 ? null : this.#rejection(side, pairing, near, closest, items)),
      attributes: null,
    };
  }

  #link(side: Side, near: NearSpans, at: number, items: BothSides) {
    const [gold, predicted] = [items.gold[near.gold[at]!]!, items.predicted[near.predicted[at]!]!];
    const other = side === 'gold' ? predicted : gold;
    const why = differenceText(gold, predicted, null);
    return {
      because: incorrectBecause(gold, predicted),
      rejected: { item: other, similarity: near.iou[at]!, why },
    };
  }

  #rejection(side: Side, pairing: SpanPairing, near: NearSpans, at: number, items: BothSides): Rejection {
    const [g, p] = [near.gold[at]!, near.predicted[at]!];
    const [gold, predicted] = [items.gold[g]!, items.predicted[p]!];
    const item = side === 'gold' ? predicted : gold;
    if (!pairing.isAccepted(at)) {
      const reason = this.#matcher.explain(gold, predicted, () => placesText(gold, predicted, null));
      return { item, similarity: reason.similarity, why: reason.why() };
    }
    // The other one has a partner on this side.
    const partner = side === 'gold' ? pairing.predicted[p]! : pairing.gold[g]!;
    const similarity = pairing.similarity[side === 'gold' ? partner : g]!;
    const why = wentTo(side, items[side][partner]?.text, similarity);
    return { item, similarity: near.iou[at]!, why };
  }
}
