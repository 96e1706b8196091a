import { describe, expect, it } from 'vitest';

import type { ConflictEntry } from '../../../src/review/api.ts';
import { beside, nextOpen, withPending } from '../../../web/src/adjudicate/conflict-order.ts';

function conflict(id: string, decided: boolean): ConflictEntry {
  return { id, item: `item-${id}`, title: id, field: 'class', part: null, decided };
}
const list = [conflict('a', false), conflict('b', true), conflict('c', false), conflict('d', true)];

describe('the order of conflicts', () => {
  it('goes to the next open one, and from the beginning again at the end', () => {
    expect(nextOpen(list, 'a')?.id).toBe('c');
    expect(nextOpen(list, 'c')?.id).toBe('a');
    expect(nextOpen(list, null)?.id).toBe('a');
  });

  it('has no next one when the only open one is the one at hand, or none is open', () => {
    expect(nextOpen([conflict('a', false), conflict('b', true)], 'a')).toBeNull();
    expect(nextOpen([conflict('a', true)], null)).toBeNull();
    expect(nextOpen([], 'gone')).toBeNull();
  });

  it('starts at the first one when the one at hand is no longer listed', () => {
    expect(nextOpen(list, 'gone')?.id).toBe('a');
    expect(beside(list, 'gone', 1)).toBe('a');
  });

  it('steps to the neighbour and stays at the ends', () => {
    expect(beside(list, 'a', 1)).toBe('b');
    expect(beside(list, 'a', -1)).toBe('a');
    expect(beside(list, 'd', 1)).toBe('d');
    expect(beside([], 'a', 1)).toBeNull();
  });

  it('counts what is on its way as decided, and what is being taken back as open; the last one holds', () => {
    const shown = withPending(list, [
      { conflict: 'a', takenBack: false },
      { conflict: 'b', takenBack: true },
      { conflict: 'c', takenBack: false },
      { conflict: 'c', takenBack: true },
    ]);
    expect(shown.map((entry) => entry.decided)).toEqual([true, false, false, true]);
  });
});
