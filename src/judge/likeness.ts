import type { End, Item } from '../data/item.ts';
import { nearSpans } from '../pair/places.ts';
import { keptByText } from '../pair/similarity.ts';
import { fold } from '../text/quote.ts';
import { isFunctionWord, words } from '../text/words.ts';
import { haveSamePieces, type PiecedSpan, placeIou, placeOverlap, placeShareInside } from '../text/pieces.ts';

/** How two items of one kind lie to each other; items that have nothing in common have none. */
export interface Likeness {
  /** At the same place: nothing but the label can differ. */
  readonly same: boolean;
  /** From above 0 to 1, which is as much in common as can be. */
  readonly overlap: number;
  /** Whether each is inside the other: more than half of its place, all of its words. */
  readonly firstInside: boolean;
  readonly secondInside: boolean;
}

export type LikenessOf = (first: Item, second: Item) => Likeness | null;

const ONE_PLACE: Likeness = { same: true, overlap: 1, firstInside: true, secondInside: true };

/** Texts that neither hold each other nor share half of their words speak of different things. */
const LEAST_SHARED = 0.5;
/** The same two ends the other way round: nearly the same place, and never nearer than the same one. */
const SWAPPED = 0.99;

/** A text as it is compared. */
export interface FoldedText {
  readonly text: string;
  /** Its words but for function words; all of them where it has no others. */
  readonly words: ReadonlySet<string>;
}

/** What most texts are: unaccented letters and digits with single spaces. Folding makes the letters small, and no more. */
const PLAIN = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;

/** Names come again and again, in a case and in the next one. */
const foldedOf = keptByText(folded);

function folded(given: string): FoldedText {
  const isPlain = PLAIN.test(given);
  const text = isPlain ? given.toLowerCase() : fold(given.normalize('NFC'), 'punctuation').trim();
  const all = isPlain ? text.split(' ') : words(text, 'unicode');
  const telling = all.filter((word) => !isFunctionWord(word));
  return { text, words: new Set(telling.length > 0 ? telling : all) };
}

/**
 * How items of a kind are compared. Spans lie where they lie, and so do entities and ends that have a place. Quoted objects lie where their quote stands, and if it
 * is not found, two quotes are compared by their words, as are the names of entities and concepts. A relationship lies
 * between its two ends. A case has one class: all classes of a case are at one place.
 */
export function compareOf(kind: Item['kind']): LikenessOf {
  if (kind === 'span') return comparePlaces;
  if (kind === 'class') return () => ONE_PLACE;
  if (kind === 'relationship') return (first, second) => compareEnds(first, second);
  const byText: LikenessOf = (first, second) => compareTexts(first.text, second.text);
  if (kind === 'entity')
    return (first, second) => (havePlaces(first, second) ? comparePlaces(first, second) : byText(first, second));
  return kind === 'object' ? (first, second) => comparePlaces(first, second) ?? byText(first, second) : byText;
}

function havePlaces(first: Item, second: Item): boolean {
  return first.start >= 0 && second.start >= 0;
}

function comparePlaces(first: PiecedSpan, second: PiecedSpan): Likeness | null {
  if (first.start < 0 || second.start < 0) return null;
  if (haveSamePieces(first, second)) return ONE_PLACE;
  if (placeOverlap(first, second) === 0) return null;
  return {
    same: false,
    overlap: placeIou(first, second),
    firstInside: placeShareInside(first, second) > 0.5,
    secondInside: placeShareInside(second, first) > 0.5,
  };
}

function compareTexts(first: string, second: string): Likeness | null {
  const [own, other] = [foldedOf(first), foldedOf(second)];
  if (own.text === '' || other.text === '') return null;
  if (own.text === other.text) return ONE_PLACE;
  let common = 0;
  for (const word of own.words) if (other.words.has(word)) common += 1;
  if (common === 0) return null;
  const overlap = common / (own.words.size + other.words.size - common);
  const [firstInside, secondInside] = [common === own.words.size, common === other.words.size];
  if (!firstInside && !secondInside && overlap < LEAST_SHARED) return null;
  return { same: false, overlap, firstInside, secondInside };
}

/**
 * Relationships of one type that share an end are near each other; of two types, only those between the same two things:
 * two facts about one person are otherwise just two facts.
 */
function compareEnds(first: Item, second: Item): Likeness | null {
  const end = (own: End, other: End): number => {
    const [place, otherPlace] = [first.ends?.[own], second.ends?.[other]];
    if (place != null && otherPlace != null) return comparePlaces(place, otherPlace)?.overlap ?? 0;
    const [name, otherName] = [first[own], second[other]];
    return name === null || otherName === null ? 0 : (compareTexts(name, otherName)?.overlap ?? 0);
  };
  const straight = [end('source', 'source'), end('target', 'target')] as const;
  const swapped = [end('source', 'target'), end('target', 'source')] as const;
  const whole = (ends: readonly [number, number]): boolean => Math.min(...ends) > 0;
  const share = (ends: readonly [number, number]): number => (ends[0] + ends[1]) / 2;
  const overlap = Math.max(share(straight), SWAPPED * share(swapped));
  const both = whole(straight) || whole(swapped);
  if (!both && !(first.label === second.label && Math.max(...straight, ...swapped) === 1)) return null;
  if (straight[0] === 1 && straight[1] === 1 && isSame(first, second)) return ONE_PLACE;
  return { same: false, overlap, firstInside: both, secondInside: both };
}

/** Names with the same words in another order have an overlap of 1 and are not the same. */
function isSame(first: Item, second: Item): boolean {
  const equal = (one: string | null, other: string | null): boolean =>
    one !== null && other !== null && foldedOf(one).text === foldedOf(other).text;
  return equal(first.source, second.source) && equal(first.target, second.target);
}

/** Two items, by their places in the lists, that have something in common. */
export interface Near {
  readonly gold: number;
  readonly predicted: number;
  readonly like: Likeness;
}

/** A word that more pairs than this share does not show what belongs together, and comparing all takes too long. */
const MOST_PAIRS = 100_000;

/** Comparing so few pairs takes less than finding out which have something in common; places are compared at once. */
const FEW_PAIRS = 64;
const FEW_PLACES = 2048;

/** All pairs of gold and predicted items of one kind that have something in common, in the order of the lists. */
export function nearItems(gold: readonly Item[], predicted: readonly Item[], compare: LikenessOf): Near[] {
  const kind = gold[0]?.kind;
  const width = predicted.length;
  if (kind === undefined || width === 0) return [];
  const found: Near[] = [];
  const look = (g: number, p: number): void => {
    const like = compare(gold[g]!, predicted[p]!);
    if (like !== null) found.push({ gold: g, predicted: p, like });
  };
  if (kind === 'class' || (kind !== 'span' && gold.length * width <= FEW_PAIRS)) {
    for (let g = 0; g < gold.length; g += 1) for (let p = 0; p < width; p += 1) look(g, p);
    return found;
  }
  if (kind === 'span' && gold.length * width <= FEW_PLACES) {
    for (let g = 0; g < gold.length; g += 1) {
      const { start, end } = gold[g]!;
      for (let p = 0; p < width; p += 1)
        if (predicted[p]!.start < end && start < predicted[p]!.end && start < end) look(g, p);
    }
    return found;
  }
  const pairs = new Set<number>();
  const isPlaced = kind === 'span' || kind === 'object' || kind === 'entity';
  const near = isPlaced ? nearSpans(gold, predicted, 0) : { gold: [], predicted: [] };
  near.gold.forEach((g, at) => pairs.add(g * width + near.predicted[at]!));
  const byKey = kind === 'span' ? null : keysOf(predicted);
  for (const [key, own] of byKey === null ? [] : keysOf(gold)) {
    const others = byKey?.get(key) ?? [];
    if (own.length * others.length > MOST_PAIRS) continue;
    for (const g of own) for (const p of others) pairs.add(g * width + p);
  }
  for (const pair of [...pairs].sort((a, b) => a - b)) look(Math.floor(pair / width), pair % width);
  return found;
}

/** Items by what they could have in common: a word, or the whole text, which many items may share and few do. */
function keysOf(items: readonly Item[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  items.forEach((item, at) => {
    const own = item.kind === 'relationship' ? [item.source ?? '', item.target ?? ''] : [item.text];
    const parts = own.map(foldedOf);
    const whole = parts.map(({ text }) => text).join('\u0000');
    const keys = new Set([`=${whole}`, ...parts.flatMap((text) => [...text.words].map((word) => `-${word}`))]);
    for (const key of keys) {
      const held = found.get(key);
      if (held === undefined) found.set(key, [at]);
      else held.push(at);
    }
  });
  return found;
}
