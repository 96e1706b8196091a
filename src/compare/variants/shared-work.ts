import type { Item, ItemKind } from '../../data/item.ts';
import type { PairSettings } from '../../pair/criterion.ts';
import type { NearPairs } from '../../pair/places.ts';
import { OWN_WORK } from '../../pair/pair.ts';
import type { Pairing } from '../../pair/pairing.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { CaseWork } from '../../score/score-case.ts';
import { PairMemo } from './pair-memo.ts';
import { ownNumbers } from './own-numbers.ts';
import { sharedCompares } from './shared-compares.ts';
import { sharedEnds } from './shared-ends.ts';

export interface SharedWork extends CaseWork {
  /** Another case begins: nothing of the one before is needed any more. */
  readonly forget: () => void;
}

/** The work of scoring under several plans, where what two of them ask alike is worked out once a case. */
export function sharedWork(plans: readonly Plan[]): SharedWork {
  const everySettings = plans.flatMap(({ schemes }) => schemes.flatMap(({ pair }) => [...pair.values()]));
  const numberOf = ownNumbers();
  const compares = sharedCompares(
    everySettings.flatMap(({ accept }) => accept),
    numberOf,
  );
  const ends = sharedEnds();

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
  const pairingsOf = (settings: PairSettings, by: 'text' | 'noText'): PairMemo<Pairing> => {
    let memo = bySettings[by].get(settings);
    if (memo === undefined) {
      const accept = settings.accept.map((one) => ({ ...one, own: one.own === null ? null : numberOf(one.own) }));
      bySettings[by].set(settings, (memo = memoOf(pairings, `${by} ${JSON.stringify({ ...settings, accept })}`)));
    }
    return memo;
  };

  return {
    explains: false,
    compareOf: compares.compareOf,
    endsOf: ends.endsOf,
    inContentOrder: (items) => {
      let own = ordered.get(items);
      if (own === undefined) {
        ordered.set(items, (own = OWN_WORK.inContentOrder(items)));
        ordered.set(own, own);
      }
      return own;
    },
    inCharacters: (items, text) => {
      const own = OWN_WORK.inCharacters(items, text);
      if (own === items) return items;
      // The same item must be the same object for every plan, or what is known of it would not be found.
      return items.map((item, at) => {
        let known = placed.get(item);
        if (known === undefined) placed.set(item, (known = own[at]!));
        return known;
      });
    },
    pairsOf: (gold, predicted, reach) =>
      memoOf(near, reach).of(gold, predicted, () => OWN_WORK.pairsOf(gold, predicted, reach)),
    ofKind: (items, kind) => {
      let byKind = ofKinds.get(items);
      if (byKind === undefined) ofKinds.set(items, (byKind = new Map<ItemKind, readonly Item[]>()));
      let own = byKind.get(kind);
      if (own === undefined) byKind.set(kind, (own = items.filter((item) => item.kind === kind)));
      return own;
    },
    pairing: (settings, gold, predicted, text, make) =>
      pairingsOf(settings, text === null ? 'noText' : 'text').of(gold, predicted, make),
    forget: () => {
      compares.clear();
      ends.clear();
      // Clearing makes a new table, also where there was nothing.
      for (const map of [ordered, placed, ofKinds]) if (map.size > 0) map.clear();
      for (const memo of near.values()) memo.clear();
      for (const memo of pairings.values()) memo.clear();
    },
  };
}

function memoOf<Key, T>(memos: Map<Key, PairMemo<T>>, key: Key): PairMemo<T> {
  let memo = memos.get(key);
  if (memo === undefined) memos.set(key, (memo = new PairMemo()));
  return memo;
}
