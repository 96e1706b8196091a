import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it } from 'vitest';

import { groupedWrites } from '../../../src/server/review/grouped-writes.ts';
import { scratchStore } from '../../store/scratch-store.ts';

describe('grouped writes', () => {
  it('that arrive together are one transaction, and none is told before it is through', async () => {
    const store = scratchStore();
    const write = groupedWrites(store);
    const other = new DatabaseSync(store.file, { readOnly: true });
    const seen = (): unknown => other.prepare('SELECT count(*) AS n FROM datasets').get()?.['n'];
    const within: unknown[] = [];
    const told = ['a', 'b', 'c'].map(async (name) => {
      const made = await write(() => {
        store.datasets.save({ name });
        within.push(seen());
        return name;
      });
      return [made, seen()];
    });
    expect(await Promise.all(told)).toEqual([
      ['a', 3],
      ['b', 3],
      ['c', 3],
    ]);
    // For everybody else nothing was there while they ran.
    expect(within).toEqual([0, 0, 0]);
    other.close();
  });

  it('of which one fails keep the others, and take back what that one did', async () => {
    const store = scratchStore();
    const write = groupedWrites(store);
    const results = await Promise.allSettled([
      write(() => store.datasets.save({ name: 'first' }).name),
      write(() => {
        store.datasets.save({ name: 'half done' });
        throw new Error('no');
      }),
      write(() => store.datasets.save({ name: 'last' }).name),
    ]);
    expect(results.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).toEqual([
      'first',
      'Error: no',
      'last',
    ]);
    expect(store.datasets.get('half done')).toBeNull();
    expect(store.datasets.get('first')).not.toBeNull();
    expect(store.datasets.get('last')).not.toBeNull();
  });

  it('are all refused where the transaction does not get through', async () => {
    const store = scratchStore();
    const write = groupedWrites(store);
    store.close();
    const results = await Promise.allSettled([write(() => 1), write(() => 2)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('go on after one that was refused', async () => {
    const store = scratchStore();
    const write = groupedWrites(store);
    await expect(write(() => Promise.resolve(1))).rejects.toThrow('cannot wait');
    expect(await write(() => 2)).toBe(2);
  });
});
