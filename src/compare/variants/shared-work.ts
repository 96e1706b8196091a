import type { Item, ItemKind } from '../../data/item.ts';
import { type Criterion, type PairSettings, type Threshold, thresholdFor } from '../../pair/criterion.ts';
import type { NearPairs } from '../../pair/places.ts';
import { OWN_WORK } from '../../pair/pair.ts';
import type { Pairing } from '../../pair/pairing.ts';
import { type CompareEnds, type EndsOutcome, endsComparer } from '../../pair/relation.ts';
import { type Compare, compareFor } from '../../pair/similarity.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { CaseWork } from '../../score/score-case.ts';

/** Fewer than this are looked through one by one, which takes less than making maps of them. */
const FEW = 8;
/** Similarities that cost more than looking them up. */
const WORTH_KEEPING = new Set(['jaccard', 'levenshtein']);
/** A gold file of invented labels must not fill the memory. */
const MOST_LABELS_KEPT = 10_000;

/** What was worked out for two objects, kept until it is cleared. */
export class PairMemo<T> {
  readonly #few: { readonly first: object; readonly second: object; readonly value: T }[] = [];
  readonly #many = new Map<object, Map<object, T>>();

  /** The value for the two; made where it is asked for the first time. */
  of(first: object, second: object, make: () => T): T {
    for (const one of this.#few) if (one.first === first && one.second === second) return one.value;
    if (this.#few.length < FEW) {
      const value = make();
      this.#few.push({ first, second, value });
      return value;
    }
    return heldIn(
      heldIn(this.#many, first, () => new Map<object, T>()),
      second,
      make,
    );
  }

  clear(): void {
    this.#few.length = 0;
    // Clearing makes a new table, also where there was nothing.
    if (this.#many.size > 0) this.#many.clear();
  }
}

/** Numbers objects in the order they are first seen, so that one can stand in a key. */
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

export interface SharedWork extends CaseWork {
  /** Another case begins: nothing of the one before is needed any more. */
  readonly forget: () => void;
}

/** The work of scoring under several plans, where what two of them ask alike is worked out once a case. */
export function sharedWork(plans: readonly Plan[]): SharedWork {
  const everySettings = plans.flatMap(({ schemes }) => schemes.flatMap(({ pair }) => [...pair.values()]));
  const numberOf = objectNumbers();
  const memos: PairMemo<unknown>[] = [];
  const newMemo = <T>(): PairMemo<T> => {
    const memo = new PairMemo<T>();
    memos.push(memo);
    return memo;
  };
  const ordered = new Map<readonly Item[], readonly Item[]>();
  const placed = new Map<Item, Item>();
  const ofKinds = new Map<readonly Item[], Map<ItemKind, readonly Item[]>>();
  const near = new Map<number | null, PairMemo<NearPairs>>();
  const pairings = new Map<string, PairMemo<Pairing>>();
  const bySettings = {
    text: new Map<PairSettings, PairMemo<Pairing>>(),
    noText: new Map<PairSettings, PairMemo<Pairing>>(),
  };

  /** Settings that say the same share what is known, whichever plan they are of. */
  const pairingsOf = (settings: PairSettings, by: 'text' | 'noText'): PairMemo<Pairing> =>
    heldIn(bySettings[by], settings, () => {
      const accept = settings.accept.map((one) => ({ ...one, own: one.own === null ? null : numberOf(one.own) }));
      return heldIn(pairings, `${by} ${JSON.stringify({ ...settings, accept })}`, newMemo<Pairing>);
    });

  return {
    explains: false,
    compareOf: sharedCompares(
      everySettings.flatMap(({ accept }) => accept),
      numberOf,
      newMemo,
    ),
    endsOf: sharedEnds(newMemo),
    inContentOrder: (items) =>
      heldIn(ordered, items, () => {
        const own = OWN_WORK.inContentOrder(items);
        ordered.set(own, own);
        return own;
      }),
    inCharacters: (items, text) => {
      const own = OWN_WORK.inCharacters(items, text);
      // The same item must be the same object for every plan, or what is known of it would not be found.
      return own === items ? items : items.map((item, at) => heldIn(placed, item, () => own[at]!));
    },
    pairsOf: (gold, predicted, reach) =>
      heldIn(near, reach, newMemo<NearPairs>).of(gold, predicted, () => OWN_WORK.pairsOf(gold, predicted, reach)),
    ofKind: (items, kind) =>
      heldIn(
        heldIn(ofKinds, items, () => new Map<ItemKind, readonly Item[]>()),
        kind,
        () => items.filter((item) => item.kind === kind),
      ),
    pairing: (settings, gold, predicted, text, make) =>
      pairingsOf(settings, text === null ? 'noText' : 'text').of(gold, predicted, make),
    forget: () => {
      // Clearing makes a new table, also where there was nothing.
      for (const map of [ordered, placed, ofKinds]) if (map.size > 0) map.clear();
      for (const memo of memos) memo.clear();
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
  newMemo: () => PairMemo<number>,
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
      const memo = newMemo();
      const lowest = lowestOf(alike.map(({ threshold }) => threshold));
      return (gold, predicted) => memo.of(gold, predicted, () => plain(gold, predicted, lowest(gold.label)));
    });
}

/** The lowest threshold for a label. */
function lowestOf(thresholds: readonly Threshold[]): (label: string) => number {
  const known = new Map<string, number>();
  return (label) => {
    let lowest = known.get(label);
    if (lowest === undefined) {
      lowest = thresholds.reduce<number>((least, own) => Math.min(least, thresholdFor(own, label)), Infinity);
      if (known.size < MOST_LABELS_KEPT) known.set(label, lowest);
    }
    return lowest;
  };
}

/** How alike the ends of two relationships are, once for all criteria that normalise names alike. */
function sharedEnds(newMemo: () => PairMemo<EndsOutcome>): (criterion: Criterion) => CompareEnds {
  const made = new Map<
    string,
    { ends: CompareEnds; straight: PairMemo<EndsOutcome>; swapped: PairMemo<EndsOutcome> }
  >();
  return (criterion) => {
    const { ends, straight, swapped } = heldIn(made, JSON.stringify(criterion.normalise), () => ({
      // At a threshold of 0 only ends that resolve to nothing do not reach it.
      ends: endsComparer({ ...criterion, threshold: 0 }),
      straight: newMemo(),
      swapped: newMemo(),
    }));
    return (gold, predicted, turned) => {
      const memo = turned ? swapped : straight;
      const outcome = memo.of(gold, predicted, () => ends(gold, predicted, turned));
      const reached = outcome.reached && outcome.least >= thresholdFor(criterion.threshold, gold.label);
      return reached === outcome.reached ? outcome : { ...outcome, reached };
    };
  };
}
