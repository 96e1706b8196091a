import type { Item } from '../data/item.ts';
import { nearSpans } from './near-pairs.ts';
import type { Helper, LeftOver, Pair, Pairing } from './pairing.ts';

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * Masking: a gold span is hit when the predictions together cover enough of it, whatever their labels and however many
 * they are; only its letters and digits count, since a comma left standing gives nobody away. The pair names the
 * prediction that covers most; the others that touch gold have helped, those that touch none are left over.
 */
export function pairByCover(
  gold: readonly Item[],
  predicted: readonly Item[],
  text: string,
  rule: { name: string; thresholdFor: (label: string) => number },
): Pairing {
  const near = nearSpans(gold, predicted, 0);
  const touching: number[][] = gold.map(() => []);
  const touched: (number | undefined)[] = predicted.map(() => undefined);
  near.gold.forEach((g, at) => {
    const p = near.predicted[at]!;
    touching[g]!.push(p);
    touched[p] ??= g;
  });
  const pairs: Pair[] = [];
  const missed: LeftOver[] = [];
  const used = new Set<number>();
  gold.forEach((item, g) => {
    const by = touching[g]!;
    const share = coveredShare(
      item,
      by.map((p) => predicted[p]!),
      text,
    );
    const best = by.toSorted(
      (a, b) => commonLength(predicted[b]!, item) - commonLength(predicted[a]!, item) || a - b,
    )[0];
    const threshold = rule.thresholdFor(item.label);
    if (best !== undefined && share >= threshold) {
      used.add(best);
      pairs.push({
        gold: item,
        predicted: predicted[best]!,
        similarity: share,
        rule: rule.name,
        match: null,
        credit: 1,
        weight: 1,
      });
    } else {
      const rejected =
        best === undefined
          ? null
          : { item: predicted[best]!, similarity: share, why: `only ${Math.floor(share * 100)} % of it is covered` };
      missed.push({ item, rejected, weight: 1 });
    }
  });
  const helpers: Helper[] = [];
  const spurious: LeftOver[] = [];
  predicted.forEach((item, p) => {
    const g = touched[p];
    if (g === undefined) spurious.push({ item, rejected: null, weight: 1 });
    else if (!used.has(p)) helpers.push({ item, because: `it covers part of gold ${JSON.stringify(gold[g]!.text)}` });
  });
  return { pairs, gold: missed, predicted: spurious, helpers };
}

function commonLength(a: Item, b: Item): number {
  return Math.min(a.end, b.end) - Math.max(a.start, b.start);
}

/** Share of a span's letters and digits (of all its characters where it has none) that lie inside one of the others. */
function coveredShare(item: Item, by: readonly Item[], text: string): number {
  let total = 0;
  let covered = 0;
  const hasLetters = LETTER_OR_DIGIT.test(text.slice(item.start, item.end));
  for (let at = item.start; at < item.end;) {
    const point = text.codePointAt(at) ?? 0;
    const next = at + (point > 0xffff ? 2 : 1);
    if (!hasLetters || LETTER_OR_DIGIT.test(String.fromCodePoint(point))) {
      total += 1;
      if (by.some(({ start, end }) => start <= at && next <= end)) covered += 1;
    }
    at = next;
  }
  return total === 0 ? 0 : covered / total;
}
