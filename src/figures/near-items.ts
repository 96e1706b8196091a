import type { Item } from '../data/item.ts';
import { nearSpans } from '../pair/places.ts';
import type { Compare, FoldedTexts, Likeness } from './likeness.ts';

/** Two items, by their places in the lists, that have something in common. */
export interface Near {
  readonly gold: number;
  readonly predicted: number;
  readonly like: Likeness;
}

/** A word that more pairs than this share says nothing of what belongs together, and looking at all of them takes too long. */
const MOST_PAIRS = 100_000;

/** Comparing so few pairs takes less than finding out which have something in common. */
const FEW_PAIRS = 64;

/** All pairs of gold and predicted items of one kind that have something in common. */
export function nearItems(
  gold: readonly Item[],
  predicted: readonly Item[],
  compare: Compare,
  texts: FoldedTexts,
): Near[] {
  const kind = gold[0]?.kind;
  if (kind === undefined || predicted.length === 0) return [];
  const found: Near[] = [];
  if (kind !== 'span' && gold.length * predicted.length <= FEW_PAIRS) {
    // In order as they are found.
    gold.forEach((own, g) => {
      predicted.forEach((other, p) => {
        const like = compare(own, other);
        if (like !== null) found.push({ gold: g, predicted: p, like });
      });
    });
    return found;
  }
  const seen = new Set<number>();
  const look = (g: number, p: number): void => {
    const key = g * predicted.length + p;
    if (seen.has(key)) return;
    seen.add(key);
    const like = compare(gold[g]!, predicted[p]!);
    if (like !== null) found.push({ gold: g, predicted: p, like });
  };
  if (kind === 'class') gold.forEach((_, g) => predicted.forEach((_one, p) => look(g, p)));
  if (kind === 'span' || kind === 'object') {
    const near = nearSpans(gold, predicted, 0);
    near.gold.forEach((g, at) => look(g, near.predicted[at]!));
  }
  if (kind !== 'class' && kind !== 'span') {
    const byKey = keysOf(predicted, texts);
    for (const [key, own] of keysOf(gold, texts)) {
      const others = byKey.get(key) ?? [];
      if (own.length * others.length > MOST_PAIRS) continue;
      for (const g of own) for (const p of others) look(g, p);
    }
  }
  return found.sort((a, b) => a.gold - b.gold || a.predicted - b.predicted);
}

/** Items by what they could have in common: a word, or the whole text, which many items may share and few do. */
function keysOf(items: readonly Item[], texts: FoldedTexts): Map<string, number[]> {
  const found = new Map<string, number[]>();
  items.forEach((item, at) => {
    const own = item.kind === 'relationship' ? [item.source ?? '', item.target ?? ''] : [item.text];
    const folded = own.map((text) => texts.of(text));
    const whole = folded.map(({ text }) => text).join('\u0000');
    const keys = new Set([`=${whole}`, ...folded.flatMap((text) => [...text.words].map((word) => `-${word}`))]);
    for (const key of keys) {
      const held = found.get(key);
      if (held === undefined) found.set(key, [at]);
      else held.push(at);
    }
  });
  return found;
}
