import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { RepeatedSets } from '../../../src/audit/checks/content/repeated-sets.ts';

/** A case that has the set of a key, with two items. */
type Meeting = Readonly<{ key: number; first: number; isWrong: boolean }>;

function metBy(meetings: readonly Meeting[], from: number, isPart: boolean): RepeatedSets {
  const sets = new RepeatedSets(isPart);
  for (const [at, { key, first, isWrong }] of meetings.entries()) {
    const id = `c${from + at}`;
    const itemAt = (place: number) =>
      ({ case: id, side: 'predicted', label: 'A', text: `${key} ${place} of ${id}`, note: null }) as const;
    sets.meet(key, { case: id, items: 2, first, isWrong, itemAt });
  }
  return sets;
}

/** What is told of sets; without what only a part needs. */
function stateOf(sets: RepeatedSets): unknown {
  return sets.often(0).map(({ evidence, each: _, ...counts }) => ({ ...counts, evidence: evidence.save() }));
}

describe('sets of items that several cases have', () => {
  const meeting = fc.record({ key: fc.nat(3), first: fc.nat(2), isWrong: fc.boolean() });

  test('of parts, merged, are those of all cases, however they are put together', () => {
    fc.assert(
      fc.property(fc.array(meeting, { minLength: 10, maxLength: 60 }), fc.nat(60), fc.nat(60), (all, one, other) => {
        const [cut, end] = [Math.min(one, other), Math.max(one, other)];
        const parts = [
          metBy(all.slice(0, cut), 0, true),
          metBy(all.slice(cut, end), cut, true),
          metBy(all.slice(end), end, true),
        ].map((sets) => structuredClone(sets.save()));
        const [inOrder, last] = [new RepeatedSets(false), new RepeatedSets(true)];
        for (const part of parts) inOrder.merge(part);
        expect(stateOf(inOrder)).toEqual(stateOf(metBy(all, 0, false)));
        for (const part of parts.slice(1)) last.merge(part);
        const lastFirst = new RepeatedSets(false);
        for (const part of [parts[0], structuredClone(last.save())]) lastFirst.merge(part);
        expect(stateOf(lastFirst)).toEqual(stateOf(inOrder));
      }),
    );
  });
});
