import { type Item, makeItem } from '../data/item.ts';
import { compareText } from '../text/compare.ts';
import { codePointLength } from '../text/code-points.ts';
import { wordSpans, type WordRule } from '../text/words.ts';
import type { LeftOver, Pair, Pairing } from './pairing.ts';

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Token and character level: the text is cut where spans begin and end, label by label, and each stretch weighs as
 * many tokens or characters as it holds. Nested spans of one label count a place once; without a gate on the label all
 * labels are one.
 */
export function pairSegments(
  gold: readonly Item[],
  predicted: readonly Item[],
  text: string,
  unit: 'token' | 'character',
  rule: { name: string; gate: readonly string[]; words: WordRule },
): Pairing {
  const typed = rule.gate.includes('label');
  const labels = typed ? [...new Set([...gold, ...predicted].map((item) => item.label))].sort(compareText) : ['*'];
  const tokens = unit === 'token' ? wordSpans(text, rule.words) : null;
  const pairs: Pair[] = [];
  const missed: LeftOver[] = [];
  const spurious: LeftOver[] = [];
  for (const label of labels) {
    const own = (items: readonly Item[]): Stretch[] =>
      union(items.filter((item) => item.start >= 0 && (!typed || item.label === label)));
    const goldPlaces = tokens === null ? own(gold) : wholeTokens(own(gold), tokens);
    const predictedPlaces = tokens === null ? own(predicted) : wholeTokens(own(predicted), tokens);
    for (const stretch of cuts(goldPlaces, predictedPlaces)) {
      const weight =
        tokens === null ? codePointLength(text.slice(stretch.start, stretch.end)) : tokensIn(tokens, stretch);
      if (weight === 0) continue;
      const item = makeItem({
        kind: 'span',
        index: -1,
        label,
        text: text.slice(stretch.start, stretch.end),
        start: stretch.start,
        end: stretch.end,
      });
      if (stretch.inGold && stretch.inPredicted)
        pairs.push({ gold: item, predicted: item, similarity: 1, rule: rule.name, match: null, credit: 1, weight });
      else if (stretch.inGold) missed.push({ item, rejected: null, weight });
      else spurious.push({ item, rejected: null, weight });
    }
  }
  return { pairs, gold: missed, predicted: spurious };
}

function union(items: readonly Item[]): Stretch[] {
  const out: Stretch[] = [];
  for (const { start, end } of items.toSorted((a, b) => a.start - b.start)) {
    const last = out.at(-1);
    if (last !== undefined && start <= last.end)
      out[out.length - 1] = { start: last.start, end: Math.max(last.end, end) };
    else out.push({ start, end });
  }
  return out;
}

/** A token that a span touches belongs to it as a whole. */
function wholeTokens(stretches: readonly Stretch[], tokens: readonly Stretch[]): Stretch[] {
  const out: Stretch[] = [];
  let from = 0;
  for (const stretch of stretches) {
    while (from < tokens.length && (tokens[from] as Stretch).end <= stretch.start) from += 1;
    for (let at = from; at < tokens.length && (tokens[at] as Stretch).start < stretch.end; at += 1) {
      const token = tokens[at] as Stretch;
      if (out.at(-1)?.start !== token.start) out.push({ start: token.start, end: token.end });
    }
  }
  return out;
}

function tokensIn(tokens: readonly Stretch[], stretch: Stretch): number {
  let count = 0;
  for (const token of tokens) {
    if (token.start >= stretch.end) break;
    if (token.start >= stretch.start && token.end <= stretch.end) count += 1;
  }
  return count;
}

function cuts(
  gold: readonly Stretch[],
  predicted: readonly Stretch[],
): (Stretch & { inGold: boolean; inPredicted: boolean })[] {
  const points = [...new Set([...gold, ...predicted].flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const out: (Stretch & { inGold: boolean; inPredicted: boolean })[] = [];
  let g = 0;
  let p = 0;
  for (let at = 0; at + 1 < points.length; at += 1) {
    const start = points[at] as number;
    const end = points[at + 1] as number;
    while (g < gold.length && (gold[g] as Stretch).end <= start) g += 1;
    while (p < predicted.length && (predicted[p] as Stretch).end <= start) p += 1;
    const inGold = g < gold.length && (gold[g] as Stretch).start <= start;
    const inPredicted = p < predicted.length && (predicted[p] as Stretch).start <= start;
    if (inGold || inPredicted) out.push({ start, end, inGold, inPredicted });
  }
  return out;
}
