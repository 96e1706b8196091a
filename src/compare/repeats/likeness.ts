import type { Item, ItemKind } from '../../data/item.ts';
import { plainJudge, relationJudge } from '../../pair/candidates.ts';
import { type PairSettings, passesGate, thresholdFor } from '../../pair/criterion.ts';
import { allPairs, type NearPairs, nearSpans } from '../../pair/places.ts';
import { makePairer } from '../../pair/pair.ts';
import { endsComparer } from '../../pair/relation.ts';
import { short, shortUnder } from '../../text/figures.ts';
import { compareFor } from '../../pair/similarity.ts';
import { canonicalJson } from '../../score/canonical-json.ts';

/** How alike two items are that the recipe would pair; of several kinds of match the lower preference is the better. */
export interface Alike {
  readonly similarity: number;
  readonly preference: number;
}

/** Two items that the recipe would not pair, although there is something to it. */
export interface NearMiss {
  readonly similarity: number;
  readonly why: string;
}

/** The recipe's pairing of one kind of item, asked of two predictions instead of gold and a prediction. */
export interface Likeness {
  /** All that the pairing can see of an item: two items with the same key are the same thing. */
  keyOf(item: Item): string;
  /** Null when the recipe would pair neither with the other. */
  compare(a: Item, b: Item): Alike | null;
  /** Why two that are not alike are not, where they come near; null where they do not. */
  nearMiss(a: Item, b: Item): NearMiss | null;
  /** Positions that come into question; each pair may come twice. */
  candidates(items: readonly Item[]): NearPairs;
}

/** A similarity that is at least this share of the threshold is worth a word. */
const NEAR = 0.5;

export function likenessOf(kind: ItemKind, settings: PairSettings): Likeness {
  const { accept } = settings;
  const relations = accept.some(({ similarity, own }) => similarity === 'relation' && own === null);
  const judge = relations ? relationJudge(accept) : plainJudge(accept, accept.map(compareFor));
  const { reach } = makePairer(settings);
  const own = accept.some((criterion) => criterion.own !== null);
  const gate = [...new Set(accept.flatMap((criterion) => criterion.gate))].filter((field) => field !== 'label');
  return {
    keyOf: (item) =>
      JSON.stringify([
        item.label,
        item.text,
        item.start,
        item.end,
        item.source,
        item.target,
        ...(own ? [canonicalJson(item.fields)] : gate.map((field) => item.fields[field] ?? null)),
      ]),
    // Neither of them is gold: it is enough that one would be accepted for the other.
    compare: (a, b) => better(judge(a, b, 0, 0), judge(b, a, 0, 0)),
    nearMiss: relations ? relationNearMiss(settings) : plainNearMiss(settings),
    candidates: (items) =>
      reach !== null && kind === 'span' ? nearSpans(items, items, reach) : allPairs(items.length, items.length),
  };
}

function better(a: Alike | null, b: Alike | null): Alike | null {
  if (a === null || b === null) return a ?? b;
  return (a.preference - b.preference || b.similarity - a.similarity) <= 0 ? a : b;
}

function plainNearMiss({ accept }: PairSettings): Likeness['nearMiss'] {
  const criterion = accept.at(-1)!;
  const compare = compareFor(criterion);
  return (a, b) => {
    const similarity = Math.max(compare(a, b, 0), compare(b, a, 0));
    const threshold = Math.min(thresholdFor(criterion.threshold, a.label), thresholdFor(criterion.threshold, b.label));
    const differing = criterion.gate.find((field) => !passesGate([field], a, b));
    if (differing !== undefined) {
      if (similarity === 0 || similarity < threshold) return null;
      const values = differing === 'label' ? `: ${[a.label, b.label].toSorted().join(' and ')}` : '';
      return { similarity, why: `${differing} differs${values}` };
    }
    if (similarity === 0 || similarity < NEAR * threshold) return null;
    return { similarity, why: `similarity ${shortUnder(similarity, threshold)} is under ${short(threshold)}` };
  };
}

function relationNearMiss({ accept }: PairSettings): Likeness['nearMiss'] {
  const ends = endsComparer(accept.at(-1)!);
  return (a, b) => {
    const straight = ends(a, b, false);
    const swapped = ends(a, b, true);
    const found = straight.reached ? straight : swapped.reached ? swapped : null;
    if (found === null) return null;
    const types = [a.label, b.label].toSorted().join(' and ');
    const why = a.label === b.label ? 'the ends are swapped' : `type differs: ${types}`;
    return { similarity: found.similarity, why };
  };
}
