import type { Item, Side } from '../data/item.ts';
import { incorrectBecause } from '../judge/incorrect.ts';
import { makeVerdict, type Verdict } from '../judge/verdict.ts';
import type { Criterion } from '../pair/criterion.ts';
import { differenceText, type Matcher, placesText, plainMatcher } from '../pair/matcher.ts';
import { wentTo } from '../pair/pair.ts';
import type { Rejection } from '../pair/pairing.ts';
import { compareFor } from '../pair/similarity.ts';
import type { NearSpans, SpanPairing, SpanScheme } from './span-pairs.ts';

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
    const own = { case: id, scheme, kind: 'span' } as const;
    const out: Verdict[] = [];
    gold.forEach((item, g) => {
      const p = pairing.gold[g]!;
      if (p < 0) return;
      const similarity = pairing.similarity[g]!;
      const credit = similarity < 1 ? partial : 1;
      const pair = { rule, label: item.label, similarity, credit, gold: item, predicted: predicted[p]! };
      out.push(makeVerdict({ ...own, verdict: 'hit', ...pair }));
    });
    const items = { gold, predicted };
    for (const [side, verdict] of [
      ['gold', 'missed'],
      ['predicted', 'spurious'],
    ] as const)
      items[side].forEach((item, at) => {
        if (pairing[side][at]! >= 0) return;
        const linked = (side === 'gold' ? pairing.linkedGold : pairing.linkedPredicted)[at]!;
        const closest = (side === 'gold' ? pairing.closestGold : pairing.closestPredicted)[at]!;
        const isLinked = linked >= 0 && this.#linkRule !== null;
        out.push(
          makeVerdict({
            ...own,
            verdict,
            rule: isLinked ? this.#linkRule : 'no-match',
            label: item.label,
            [side]: item,
            ...(isLinked
              ? this.#link(side, near, linked, items)
              : { rejected: closest < 0 ? null : this.#rejection(side, pairing, near, closest, items) }),
          }),
        );
      });
    return out;
  }

  #link(side: Side, near: NearSpans, at: number, items: Readonly<Record<Side, readonly Item[]>>) {
    const [gold, predicted] = [items.gold[near.gold[at]!]!, items.predicted[near.predicted[at]!]!];
    const other = side === 'gold' ? predicted : gold;
    const why = differenceText(gold, predicted, null);
    return {
      because: incorrectBecause(gold, predicted),
      rejected: { item: other, similarity: near.iou[at]!, why },
    };
  }

  #rejection(
    side: Side,
    pairing: SpanPairing,
    near: NearSpans,
    at: number,
    items: Readonly<Record<Side, readonly Item[]>>,
  ): Rejection {
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
