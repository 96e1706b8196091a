import type { Case } from '../../data/case.ts';
import type { Item, ItemKind } from '../../data/item.ts';
import { type Criterion, type PairSettings, type Threshold, thresholdFor } from '../../pair/criterion.ts';
import type { NearPairs } from '../../pair/places.ts';
import { UNSHARED_WORK } from '../../pair/pair.ts';
import type { Pairing } from '../../pair/pairing.ts';
import type { CompareEnds, EndsOutcome } from '../../pair/end-places.ts';
import { endsComparer } from '../../pair/relation.ts';
import { type Compare, compareFor } from '../../pair/similarity.ts';
import type { Plan } from '../../recipe/plan.ts';
import { caseScorerWith, type CaseWork, preparedCases, type SchemeVerdicts } from '../../score/score-case.ts';

/** Similarities that cost more than looking them up. */
const WORTH_KEEPING = new Set(['jaccard', 'levenshtein']);

/**
 * Scores each case under several plans that mostly agree: variants of one recipe. For each plan the verdicts are those of
 * `makeCaseScorer(plan)`, except for the closest candidates, which no variant needs. What the plans share
 * is worked out once: rules of `prepare` as far as they begin alike, the similarity of two items, pairings under equal
 * settings.
 */
export function makeVariantScorer(plans: readonly Plan[]): (given: Case) => readonly (readonly SchemeVerdicts[])[] {
  const known = new CaseMemos();
  const work = sharedWork(plans, known);
  const scorers = plans.map((plan) => caseScorerWith(work, plan));
  return (given) => {
    try {
      return scorers.map((score) => score(given));
    } finally {
      known.clear();
    }
  };
}

/** Numbers objects in the order they are first seen, so that one can be part of a key. */
export function objectNumbers(): (one: object) => number {
  const known = new Map<object, number>();
  return (one) => heldIn(known, one, () => known.size);
}

/** What a map has for a key; made where it is asked for the first time. */
function heldIn<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** What was worked out for two things. */
type PairMemo<T> = (first: object, second: object, make: () => T) => T;

/** What is known of the case at hand. */
class CaseMemos {
  readonly #maps: Map<unknown, unknown>[] = [];

  map<Key, Value>(): Map<Key, Value> {
    const map = new Map<Key, Value>();
    this.#maps.push(map);
    return map;
  }

  ofTwo<T>(): PairMemo<T> {
    const map = this.map<object, Map<object, T>>();
    const none = (): Map<object, T> => new Map();
    return (first, second, make) => heldIn(heldIn(map, first, none), second, make);
  }

  clear(): void {
    // Clearing makes a new table, also where there was nothing.
    for (const map of this.#maps) if (map.size > 0) map.clear();
  }
}

/** The work of scoring under several plans, where what two of them ask alike is worked out once a case. */
function sharedWork(plans: readonly Plan[], known: CaseMemos): CaseWork {
  const criteria = plans.flatMap(({ schemes }) =>
    schemes.flatMap(({ pair }) => [...pair.values()].flatMap(({ accept }) => accept)),
  );
  const numberOf = objectNumbers();
  const prepared = known.map<string, readonly Case[]>();
  const ordered = known.map<readonly Item[], readonly Item[]>();
  const placed = known.map<Item, Item>();
  const ofKinds = new Map<ItemKind, Map<readonly Item[], readonly Item[]>>();
  const near = new Map<number | null, PairMemo<NearPairs>>();
  /** With and without a text. */
  const pairings = [true, false].map(() => new Map<string, PairMemo<Pairing>>());
  const settingKeys = new Map<PairSettings, string>();

  return {
    explains: false,
    prepareBy: ({ prepare }) => {
      const steps = prepare.map(({ step }, at) => ({
        step,
        key: JSON.stringify(prepare.slice(0, at + 1).map(({ name, params }) => [name, params])),
      }));
      return (given) =>
        steps.reduce<readonly Case[]>(
          (cases, { key, step }) => heldIn(prepared, key, () => cases.flatMap((one) => preparedCases(step(one)))),
          [given],
        );
    },
    compareOf: sharedCompares(criteria, numberOf, known),
    endsOf: sharedEnds(known),
    inContentOrder: (items) =>
      heldIn(ordered, items, () => {
        const own = UNSHARED_WORK.inContentOrder(items);
        ordered.set(own, own);
        return own;
      }),
    inCharacters: (items, text) => {
      const own = UNSHARED_WORK.inCharacters(items, text);
      // The same item must be the same object for every plan, or what is known of it would not be found.
      return own === items ? items : items.map((item, at) => heldIn(placed, item, () => own[at]!));
    },
    pairsOf: (gold, predicted, reach) =>
      heldIn(near, reach, () => known.ofTwo())(gold, predicted, () => UNSHARED_WORK.pairsOf(gold, predicted, reach)),
    ofKind: (items, kind) =>
      heldIn(
        heldIn(ofKinds, kind, () => known.map()),
        items,
        () => items.filter((item) => item.kind === kind),
      ),
    pairing: (settings, gold, predicted, text, make) => {
      // Settings that say the same share what is known, whichever plan they are of.
      const key = heldIn(settingKeys, settings, () => {
        const accept = settings.accept.map((one) => ({ ...one, own: one.own === null ? null : numberOf(one.own) }));
        return JSON.stringify({ ...settings, accept });
      });
      return heldIn(pairings[Number(text === null)]!, key, () => known.ofTwo())(gold, predicted, make);
    },
  };
}

/**
 * One comparing function for all criteria that compare alike, whatever their thresholds. Below the threshold it is asked
 * with, a similarity may be any value below it: so each pair is compared with the lowest that any of them asks with.
 */
function sharedCompares(
  criteria: readonly Criterion[],
  numberOf: (own: object) => number,
  known: CaseMemos,
): (criterion: Criterion) => Compare {
  const keyOf = ({ own, similarity, tolerance, words, normalise }: Criterion): string =>
    JSON.stringify(own === null ? [similarity, tolerance, words, normalise] : [numberOf(own), similarity]);
  const asking = Map.groupBy(criteria, keyOf);
  const made = new Map<string, Compare>();
  return (criterion) =>
    heldIn(made, keyOf(criterion), () => {
      const plain = compareFor(criterion);
      const alike = asking.get(keyOf(criterion)) ?? [];
      const isWorthKeeping = criterion.own !== null || WORTH_KEEPING.has(criterion.similarity);
      if (!isWorthKeeping || alike.length < 2) return plain;
      const memo = known.ofTwo<number>();
      const lowest = lowestOf(alike.map(({ threshold }) => threshold));
      return (gold, predicted) => memo(gold, predicted, () => plain(gold, predicted, lowest(gold.label)));
    });
}

/** The lowest threshold for a label. */
function lowestOf(thresholds: readonly Threshold[]): (label: string) => number {
  const lowest = Math.min(...thresholds.filter((own) => typeof own === 'number'));
  const byLabel = thresholds.filter((own) => typeof own !== 'number');
  return (label) => byLabel.reduce<number>((least, own) => Math.min(least, thresholdFor(own, label)), lowest);
}

/** How alike the ends of two relationships are, once for all criteria that compare them alike. */
function sharedEnds(known: CaseMemos): (criterion: Criterion) => CompareEnds {
  const made = new Map<string, CompareEnds>();
  return (criterion) =>
    heldIn(made, JSON.stringify([criterion.normalise, criterion.ends, criterion.tolerance]), () => {
      const ends = endsComparer(criterion);
      const [straight, swapped] = [known.ofTwo<EndsOutcome>(), known.ofTwo<EndsOutcome>()];
      return (gold, predicted, turned) =>
        (turned ? swapped : straight)(gold, predicted, () => ends(gold, predicted, turned));
    });
}
