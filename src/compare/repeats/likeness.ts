import type { Item, ItemKind } from '../../data/item.ts';
import { type PairSettings, passesGate, thresholdFor } from '../../pair/criterion.ts';
import { makePairer, OWN_WORK } from '../../pair/pair.ts';
import { endsComparer } from '../../pair/relation.ts';
import { compareFor } from '../../pair/similarity.ts';
import type { Plan } from '../../recipe/plan.ts';
import { canonicalJson } from '../../score/canonical-json.ts';
import { short, shortUnder } from '../../text/figures.ts';

/** The recipe's pairing of one kind of item, asked of two predictions instead of gold and a prediction. */
export type Likeness = ReturnType<typeof likenessOf>;

/** Why two that are not alike are not, where they come near; null where they do not. */
type NearMiss = (a: Item, b: Item) => { readonly similarity: number; readonly why: string } | null;

/** A similarity that is at least this share of the threshold is worth a word. */
const NEAR = 0.5;

/** Of every kind of item that a plan pairs. */
export function likenesses({ schemes }: Plan): Map<ItemKind, Likeness> {
  return new Map(schemes[0]!.pair.entries().map(([kind, settings]) => [kind, likenessOf(kind, settings)]));
}

export function likenessOf(kind: ItemKind, settings: PairSettings) {
  const { accept } = settings;
  const relations = accept.some(({ similarity, own }) => similarity === 'relation' && own === null);
  const { judge, reach } = makePairer(settings);
  const own = accept.some((criterion) => criterion.own !== null);
  const gate = [...new Set(accept.flatMap((criterion) => criterion.gate))].filter((field) => field !== 'label');
  return {
    /** All that the pairing can see of an item: two items with the same key are the same thing. */
    keyOf: ({ label, text, start, end, source, target, fields }: Item): string => {
      const seen = own ? [canonicalJson(fields)] : gate.map((field) => fields[field] ?? null);
      return JSON.stringify([label, text, start, end, source, target, ...seen]);
    },
    /** Neither of them is gold: it is enough that one would be accepted for the other. Null where neither would. */
    compare: (a: Item, b: Item) => {
      const either = [judge(a, b, 0, 0), judge(b, a, 0, 0)].filter((found) => found !== null);
      return either.sort((x, y) => x.preference - y.preference || y.similarity - x.similarity)[0] ?? null;
    },
    nearMiss: relations ? relationNearMiss(settings) : plainNearMiss(settings),
    /** Positions that come into question; each pair may come twice. */
    candidates: (items: readonly Item[]) => OWN_WORK.pairsOf(items, items, kind === 'span' ? reach : null),
  };
}

function plainNearMiss({ accept }: PairSettings): NearMiss {
  const criterion = accept.at(-1)!;
  const compare = compareFor(criterion);
  return (a, b) => {
    const similarity = Math.max(compare(a, b, 0), compare(b, a, 0));
    const threshold = Math.min(thresholdFor(criterion.threshold, a.label), thresholdFor(criterion.threshold, b.label));
    const differing = criterion.gate.find((field) => !passesGate([field], a, b));
    if (similarity === 0 || similarity < (differing === undefined ? NEAR : 1) * threshold) return null;
    if (differing === undefined)
      return { similarity, why: `similarity ${shortUnder(similarity, threshold)} is under ${short(threshold)}` };
    const values = differing === 'label' ? `: ${[a.label, b.label].toSorted().join(' and ')}` : '';
    return { similarity, why: `${differing} differs${values}` };
  };
}

function relationNearMiss({ accept }: PairSettings): NearMiss {
  const ends = endsComparer(accept.at(-1)!);
  return (a, b) => {
    const found = [false, true].map((swapped) => ends(a, b, swapped)).find(({ reached }) => reached);
    if (found === undefined) return null;
    const types = [a.label, b.label].toSorted().join(' and ');
    const why = a.label === b.label ? 'the ends are swapped' : `type differs: ${types}`;
    return { similarity: found.similarity, why };
  };
}
