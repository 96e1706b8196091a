import type { Item, Side } from '../data/item.ts';
import type { SpanCase } from '../data/span-case.ts';
import { INDEX, type SpanList } from '../data/span-list.ts';
import type { Verdict } from '../judge/verdict.ts';
import { wholeReason } from '../pair/difference.ts';
import type { NearSpans } from './span-pairs.ts';
import { type PairedSpans, SpanReasons } from './span-reasons.ts';

type BothSides = Readonly<Record<Side, readonly Item[]>>;

/** The items of both sides as their lists have them by then. */
export function itemsInOrder({ gold, predicted, spans }: SpanCase): BothSides {
  const inOrder = (items: readonly Item[], list: SpanList): readonly Item[] =>
    items.map((_, at) => items[list.get(at, INDEX)]!);
  return { gold: inOrder(gold, spans.gold), predicted: inOrder(predicted, spans.predicted) };
}

/** The verdicts of a case, as `firstVerdicts` and the rule `incorrect` would have made them; `items` in content order. */
export function spanVerdicts(paired: PairedSpans, near: NearSpans, given: SpanCase, items: BothSides): Verdict[] {
  const { scheme, pairing } = paired;
  const out: Verdict[] = [];
  for (const [g, item] of items.gold.entries()) {
    const p = pairing.gold[g]!;
    if (p < 0) continue;
    const similarity = pairing.similarity[g]!;
    // Written out instead of through makeVerdict, as in `firstVerdicts`: these are made by the million.
    out.push({
      case: given.id,
      scheme: scheme.name,
      kind: 'span',
      verdict: 'hit',
      rule: scheme.rule,
      label: item.label,
      similarity,
      credit: similarity < 1 ? scheme.partial : 1,
      weight: 1,
      match: null,
      gold: item,
      predicted: items.predicted[p]!,
      because: null,
      setAside: false,
      rejected: null,
      attributes: null,
    });
  }
  const reasons = new SpanReasons();
  for (const side of ['gold', 'predicted'] as const)
    for (const [at, item] of items[side].entries()) {
      if (pairing[side][at]! >= 0) continue;
      const isGold = side === 'gold';
      const isClose = reasons.find(paired, side, at, near, given);
      out.push({
        case: given.id,
        scheme: scheme.name,
        kind: 'span',
        verdict: isGold ? 'missed' : 'spurious',
        rule: reasons.because === null ? 'no-match' : paired.linkRule!,
        label: item.label,
        similarity: null,
        credit: 1,
        weight: 1,
        match: null,
        gold: isGold ? item : null,
        predicted: isGold ? null : item,
        because: reasons.because,
        setAside: false,
        rejected: isClose ? rejectionOf(item, isGold, reasons, items) : null,
        attributes: null,
      });
    }
  return out;
}

function rejectionOf(item: Item, isGold: boolean, { other, similarity, why }: SpanReasons, items: BothSides) {
  const candidate = items[isGold ? 'predicted' : 'gold'][other]!;
  const whole = isGold ? wholeReason(why, item, candidate) : wholeReason(why, candidate, item);
  return { item: candidate, similarity, why: whole ?? why };
}
