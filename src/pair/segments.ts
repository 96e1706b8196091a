import { type Item, makeItem } from '../data/item.ts';
import { codePointLength } from '../text/characters.ts';
import { compareText, firstFrom } from '../text/compare.ts';
import { stretchesOf, unionOf } from '../text/pieces.ts';
import { lastAtOrBefore, type Span } from '../text/span.ts';
import { words, type WordRule, wordSpans } from '../text/words.ts';
import type { LeftOver, Pair, Pairing } from './pairing.ts';

/**
 * Token and character level: the text is cut where spans begin and end, label by label, and each stretch weighs as
 * many tokens or characters as it holds. Nested spans of one label count a place once; without a gate on the label all
 * labels are one. Tokens are those given, or words. A prediction without a place is spurious with as many units as its own text has.
 */
export function pairSegments(
  gold: readonly Item[],
  predicted: readonly Item[],
  text: string,
  unit: 'token' | 'character',
  rule: { name: string; gate: readonly string[]; words: WordRule; tokens?: readonly Span[] | undefined },
): Pairing {
  const ruler =
    unit === 'token' ? tokenRuler(rule.tokens ?? wordSpans(text, rule.words), rule.words) : characterRuler(text);
  const lost = (items: readonly Item[]): LeftOver[] =>
    items
      .filter(({ start }) => start < 0)
      .map((item) => ({ item, rejected: null, weight: Math.max(1, ruler.weightOfText(item.text)) }));
  const byLabel = (items: readonly Item[]): Map<string, Item[]> => {
    const placed = items.filter(({ start }) => start >= 0);
    return Map.groupBy(placed, ({ label }) => (rule.gate.includes('label') ? label : '*'));
  };
  const [golds, predicteds] = [byLabel(gold), byLabel(predicted)];
  const unionFor = (items: readonly Item[] = []): Span[] =>
    unionOf(items.flatMap(stretchesOf).map((piece) => ruler.unitsOf(piece)));
  const pairs: Pair[] = [];
  const [missed, spurious] = [lost(gold), lost(predicted)];
  for (const label of [...new Set([...golds.keys(), ...predicteds.keys()])].sort(compareText))
    for (const stretch of cutStretches(unionFor(golds.get(label)), unionFor(predicteds.get(label)))) {
      const { start, end } = ruler.placeOf(stretch);
      const weight = ruler.weightOf(stretch);
      const item = makeItem({ kind: 'span', index: -1, label, text: text.slice(start, end), start, end });
      if (stretch.inGold && stretch.inPredicted)
        pairs.push({ gold: item, predicted: item, similarity: 1, rule: rule.name, match: null, credit: 1, weight });
      else (stretch.inGold ? missed : spurious).push({ item, rejected: null, weight });
    }
  return { pairs, gold: missed, predicted: spurious };
}

/** The units of a text and their places: characters, or tokens by their number. */
function characterRuler(text: string) {
  return {
    unitsOf: (place: Span): Span => place,
    placeOf: (units: Span): Span => units,
    weightOf: ({ start, end }: Span) => codePointLength(text.slice(start, end)),
    weightOfText: codePointLength,
  };
}

function tokenRuler(tokens: readonly Span[], rule: WordRule): ReturnType<typeof characterRuler> {
  /** The first token for which the test holds; it holds for all after that one. */
  const first = (holds: (token: Span) => boolean): number => firstFrom(tokens.length, (at) => holds(tokens[at]!));
  return {
    /** A token that a span, or a piece of one, touches belongs to it as a whole. */
    unitsOf: (place) => ({
      start: first((token) => token.end > place.start),
      end: first((token) => token.start >= place.end),
    }),
    placeOf: ({ start, end }) => ({ start: tokens[start]!.start, end: tokens[end - 1]!.end }),
    weightOf: ({ start, end }) => end - start,
    /** Of a text that stands nowhere in the document. */
    weightOfText: (own) => words(own, rule).length,
  };
}

/**
 * Cuts two unions where either begins or ends and lists for each piece which of them it is in; skips pieces in neither.
 *
 * @example gold 0..5, predicted 3..8: 0..3 gold only, 3..5 both, 5..8 predicted only
 */
export function cutStretches(gold: readonly Span[], predicted: readonly Span[]) {
  const points = [...new Set([...gold, ...predicted].flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const pieces = points.slice(1).map((end, at) => {
    const start = points[at]!;
    return { start, end, inGold: isCovered(gold, start), inPredicted: isCovered(predicted, start) };
  });
  return pieces.filter(({ inGold, inPredicted }) => inGold || inPredicted);
}

/** Whether a place is in one of the stretches of a union. */
export function isCovered(union: readonly Span[], place: number): boolean {
  return (union[lastAtOrBefore(union, place)]?.end ?? -1) > place;
}
