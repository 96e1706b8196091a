import { type Item, itemAt } from '../data/item.ts';
import {
  isPlaceInside,
  type PiecedSpan,
  placeOverlap,
  placeShareInside,
  stretchesOf,
  textAt,
  unionOf,
} from '../text/pieces.ts';
import { lastAtOrBefore, type Span } from '../text/span.ts';
import { nearSpans } from './places.ts';
import type { Covered, Helper, LeftOver, Pairing } from './pairing.ts';
import { isCovered } from './segments.ts';

/** What need not be covered, and which gold needs no mask at all. */
export interface CoverSettings {
  /** Words in lower case, several in one entry if need be; one with an apostrophe before it ('s) only where the text has one. */
  readonly ignoreWords: readonly string[];
  /** Characters; null: all but letters and digits. */
  readonly ignoreCharacters: string | null;
  /** Gold with one of these values in a field may be masked or not, and makes no prediction right. */
  readonly needless: { readonly field: string; readonly values: readonly string[] } | null;
}

export interface CoverRule extends CoverSettings {
  readonly name: string;
  readonly thresholdFor: (label: string) => number;
  /** Spans as they are, or word by word. */
  readonly pieces: 'whole' | 'words';
}

export const PLAIN_COVER: CoverSettings = { ignoreWords: [], ignoreCharacters: null, needless: null };

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const WORD = /[\p{L}\p{N}_]+/gu;

/**
 * Masking, in which the two sides are judged apart, whatever the labels. A gold span is hit when the predictions together
 * cover enough of it; a prediction is right when it lies inside one gold span, and spurious when it does not. In words,
 * those of each span count one by one (runs of letters, digits and underscores).
 */
export function pairByCover(gold: readonly Item[], predicted: readonly Item[], text: string, rule: CoverRule): Pairing {
  const closest = closestPartners(gold, predicted);
  const share = coveredShare(text, predicted, rule);
  const holder = holderAmong(gold.filter((item) => !isNeedless(item, rule.needless)));
  const covered: Covered[] = [];
  const missed: LeftOver[] = [];
  gold.forEach((item, g) => {
    const threshold = rule.thresholdFor(item.label);
    const best = closest.toGold[g] ?? null;
    const isHit = (part: PiecedSpan): boolean => share(part) >= threshold;
    for (const { isRight, weight, item: own } of partsOf(item, text, rule.pieces, isHit)) {
      const similarity = rule.pieces === 'whole' ? share(item) : 1;
      if (isRight) covered.push({ ...partner(item, best, rule), gold: own, similarity, rule: rule.name, weight });
      else {
        const why = `only ${Math.floor(similarity * 100)} % of it is covered`;
        const rejected = best === null || rule.pieces === 'words' ? null : { item: best, similarity, why };
        missed.push({ item: own, rejected, weight });
      }
    }
  });
  const helpers: Helper[] = [];
  const spurious: LeftOver[] = [];
  predicted.forEach((item, p) => {
    const near = closest.toPredicted[p] ?? null;
    for (const { isRight, weight, item: own } of partsOf(item, text, rule.pieces, (part) => holder(part) !== null)) {
      // Words in a row may be inside one gold span each.
      const inside = holder(own)?.text;
      const because = `inside gold${inside === undefined ? '' : ` ${JSON.stringify(inside)}`}`;
      if (isRight) helpers.push({ item: own, weight, because });
      else spurious.push({ item: own, weight, rejected: near === null ? null : beyond(own, near) });
    }
  });
  return { pairs: [], covered, gold: missed, predicted: spurious, helpers };
}

export function isNeedless(item: Item, needless: CoverSettings['needless']): boolean {
  return needless !== null && needless.values.includes(String(item.fields[needless.field]));
}

/** The prediction that a hit names: one that is inside gold. A wider one has its own line, as spurious. */
function partner(gold: Item, best: Item | null, { pieces }: CoverRule): Pick<Covered, 'predicted' | 'because'> {
  if (pieces === 'words') return { predicted: null, because: null };
  if (best === null) return { predicted: null, because: 'nothing in it needs a mask' };
  if (isPlaceInside(best, gold)) return { predicted: best, because: null };
  return { predicted: null, because: `covered by ${JSON.stringify(best.text)}, which reaches beyond it` };
}

function beyond(own: Item, near: Item): LeftOver['rejected'] {
  const isInside = isPlaceInside(own, near);
  const similarity = placeShareInside(own, near);
  return { item: near, similarity, why: isInside ? 'this gold needs no mask' : 'it reaches beyond this gold' };
}

type Part = Readonly<{ item: Item; weight: number; isRight: boolean }>;

/** The span itself, or its words, those in a row with one fate as one piece. A span without a place is never right. */
function partsOf(
  item: Item,
  text: string,
  pieces: CoverRule['pieces'],
  isRight: (part: PiecedSpan) => boolean,
): Part[] {
  if (item.start < 0) {
    const weight = pieces === 'whole' ? 1 : Math.max(1, wordsOf(item.text).length);
    return [{ item, weight, isRight: false }];
  }
  if (pieces === 'whole') return [{ item, weight: 1, isRight: isRight(item) }];
  return stretchesOf(item).flatMap((piece) => {
    const runs: { start: number; end: number; weight: number; isRight: boolean }[] = [];
    for (const word of wordsOf(text.slice(piece.start, piece.end))) {
      const part = { start: piece.start + word.start, end: piece.start + word.end };
      const run = { ...part, weight: 1, isRight: isRight(part) };
      const last = runs.at(-1);
      if (last?.isRight === run.isRight) runs[runs.length - 1] = { ...last, end: run.end, weight: last.weight + 1 };
      else runs.push(run);
    }
    return runs.map(({ start, end, ...run }) => ({
      ...run,
      item: { ...itemAt(item, { start, end }, text), index: -1, fields: {} },
    }));
  });
}

function wordsOf(text: string): Span[] {
  return Array.from(text.matchAll(WORD), ({ index, 0: word }) => ({ start: index, end: index + word.length }));
}

/** By item: the one of the other side that shares most characters with it, the first of those that share as many. */
function closestPartners(gold: readonly Item[], predicted: readonly Item[]): Record<'toGold' | 'toPredicted', Item[]> {
  const near = nearSpans(gold, predicted, 0);
  const pairs = near.gold.map((g, at) => {
    const p = near.predicted[at]!;
    const [own, other] = [gold[g]!, predicted[p]!];
    return { g, p, common: placeOverlap(own, other) };
  });
  const [toGold, toPredicted]: [Item[], Item[]] = [[], []];
  for (const { g, p } of pairs.sort((a, b) => b.common - a.common || a.g - b.g || a.p - b.p)) {
    toGold[g] ??= predicted[p]!;
    toPredicted[p] ??= gold[g]!;
  }
  return { toGold, toPredicted };
}

/** Finds one item that holds a place whole: of those in one piece that begin no later, the one that ends last. */
function holderAmong(items: readonly Item[]): (part: PiecedSpan) => Item | null {
  const placed = items.filter(({ start }) => start >= 0).toSorted((a, b) => a.start - b.start);
  const sorted = placed.filter(({ fragments }) => fragments === undefined);
  const inPieces = placed.filter(({ fragments }) => fragments !== undefined);
  const longest: Item[] = [];
  for (const item of sorted) longest.push((longest.at(-1)?.end ?? -1) >= item.end ? longest.at(-1)! : item);
  return (part) => {
    const item = longest[lastAtOrBefore(sorted, part.start)];
    if (item !== undefined && item.end >= part.end) return item;
    return inPieces.find((other) => isPlaceInside(part, other)) ?? null;
  };
}

/** Share of a stretch's characters that are covered, of those that need it; 1 where none does. */
function coveredShare(text: string, predicted: readonly Item[], rule: CoverSettings): (part: PiecedSpan) => number {
  const masks = unionOf(predicted.filter(({ start }) => start >= 0).flatMap(stretchesOf));
  const ignored = ignoredWords(text, new Set(rule.ignoreWords.flatMap((entry) => entry.split(/\s+/))));
  const characters = rule.ignoreCharacters === null ? null : new Set(rule.ignoreCharacters);
  return (part) => {
    // Without a letter or digit, all of it counts.
    const all = characters === null && !LETTER_OR_DIGIT.test(textAt(text, part));
    let [total, covered] = [0, 0];
    for (const { start, end } of stretchesOf(part)) {
      let at = start;
      for (const character of text.slice(start, end)) {
        const needsMask = characters === null ? all || LETTER_OR_DIGIT.test(character) : !characters.has(character);
        if (needsMask && !isCovered(ignored, at)) {
          total += 1;
          if (isCovered(masks, at)) covered += 1;
        }
        at += character.length;
      }
    }
    return total === 0 ? 1 : covered / total;
  };
}

/** A word of one letter is ignored only as the list writes it: the A of a name is not the article. */
function ignoredWords(text: string, words: ReadonlySet<string>): Span[] {
  if (words.size === 0) return [];
  return wordsOf(text).filter(({ start, end }) => {
    const word = text.slice(start, end);
    const form = word.length === 1 ? word : word.toLowerCase();
    return words.has(form) || (/['’]/.test(text[start - 1] ?? '') && words.has(`'${form}`));
  });
}
