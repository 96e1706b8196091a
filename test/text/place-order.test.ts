import fc from 'fast-check';
import { expect, it } from 'vitest';

import { choosePlaces, comparePlaces, type PossiblePlace } from '../../src/text/place-order.ts';
import { runs } from './arbitraries.ts';

type Choice = readonly (PossiblePlace | null)[];

/** Every way to give some of the quotes a place each. */
function* allChoices(lists: readonly (readonly PossiblePlace[])[]): Generator<(PossiblePlace | null)[]> {
  if (lists.length === 0) yield [];
  else for (const rest of allChoices(lists.slice(1))) for (const place of [...lists[0]!, null]) yield [place, ...rest];
}

/** What is better is smaller: more quotes, fewer flaws, earlier places; null if the places do not rise. */
function valueOf(choice: Choice): number[] | null {
  const chain = choice.filter((place) => place !== null);
  const pairs = chain.slice(1).map((place, at) => [chain[at]!, place] as const);
  if (pairs.some(([before, place]) => comparePlaces(before, place) >= 0)) return null;
  const flaws =
    chain.filter(({ isFlawed }) => isFlawed).length + pairs.filter(([one, two]) => two.start < one.end).length;
  return [-chain.length, flaws, ...choice.flatMap((place) => (place === null ? [99, 99] : [place.start, place.end]))];
}

function isSmaller(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((number, index) => number !== b[index]);
  return at >= 0 && a[at]! < b[at]!;
}

/** The rules of choosePlaces, by trying everything; null for those that share a place as well. */
function chooseByTrying(lists: readonly (readonly PossiblePlace[])[]): (PossiblePlace | null)[] {
  const chosen: (PossiblePlace | null)[] = lists.map(() => null);
  for (;;) {
    const taken = new Set(chosen);
    const open = lists.map((list, at) => (chosen[at] === null ? list.filter((place) => !taken.has(place)) : []));
    let best: Choice = lists.map(() => null);
    for (const choice of allChoices(open)) {
      const value = valueOf(choice);
      if (value !== null && isSmaller(value, valueOf(best)!)) best = choice;
    }
    if (best.every((place) => place === null)) break;
    for (const [at, place] of best.entries()) chosen[at] ??= place;
  }
  return chosen;
}

const place = fc
  .record({ start: fc.nat(6), length: fc.integer({ min: 1, max: 3 }), isFlawed: fc.boolean() })
  .map(({ start, length, isFlawed }) => ({ start, end: start + length, isFlawed }));
const list = fc
  .uniqueArray(place, { maxLength: 4, selector: ({ start, end }) => 10 * start + end })
  .map((places) => places.sort(comparePlaces));
const lists = fc
  .tuple(fc.array(list, { minLength: 1, maxLength: 3 }), fc.array(fc.nat(2), { maxLength: 5 }))
  .map(([kinds, order]) => order.map((at) => kinds[at % kinds.length]!));

it('chooses what trying everything gives', () => {
  fc.assert(
    fc.property(lists, (own) => {
      const expected = chooseByTrying(own);
      const chosen = choosePlaces(own);
      for (const [at, places] of own.entries()) {
        const before = own.slice(0, at).lastIndexOf(places);
        const shared = before < 0 ? places[0] : chosen[before];
        expect(chosen[at]).toBe(expected[at] ?? shared ?? null);
      }
    }),
    runs,
  );
});

it('takes the first free places when there are too many to order', () => {
  const places = Array.from({ length: 2000 }, (_, at) => ({ start: 2 * at, end: 2 * at + 1, isFlawed: false }));
  const chosen = choosePlaces(Array.from({ length: 2000 }, () => places));
  expect(chosen).toEqual(places);
});
