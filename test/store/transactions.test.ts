import { expect, it } from 'vitest';

import { scratchFolder, scratchStore } from './scratch-store.ts';

it('a transaction is all or nothing', () => {
  const store = scratchStore();
  expect(() =>
    store.transaction(() => {
      store.datasets.save({ name: 'd' });
      store.traces.save({ id: 't' });
      throw new Error('no more');
    }),
  ).toThrow('no more');
  expect(store.datasets.get('d')).toBeNull();
  expect(store.traces.get('t')).toBeNull();
  expect(store.transaction(() => store.datasets.save({ name: 'd' }).name)).toBe('d');
  expect(store.datasets.get('d')).not.toBeNull();
});

it('one within another is a part of it, and can fail alone', () => {
  const store = scratchStore();
  store.transaction(() => {
    store.traces.save({ id: 'outer' });
    expect(() =>
      store.transaction(() => {
        store.traces.save({ id: 'inner' });
        store.transaction(() => store.traces.save({ id: 'innermost' }));
        throw new Error('only this');
      }),
    ).toThrow('only this');
    store.transaction(() => store.traces.save({ id: 'second' }));
  });
  expect(['outer', 'inner', 'innermost', 'second'].map((id) => store.traces.get(id) !== null)).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect(() =>
    store.transaction(() => {
      store.transaction(() => store.traces.save({ id: 'lost with the outer one' }));
      throw new Error('all of it');
    }),
  ).toThrow('all of it');
  expect(store.traces.get('lost with the outer one')).toBeNull();
});

it('nobody else sees what is not finished', () => {
  const folder = scratchFolder();
  const [one, two] = [scratchStore(folder), scratchStore(folder)];
  one.transaction(() => {
    one.traces.save({ id: 't' });
    expect(two.traces.get('t')).toBeNull();
  });
  expect(two.traces.get('t')).not.toBeNull();
});

it('work that goes on later is refused, since it would go on outside', () => {
  const store = scratchStore();
  expect(() => store.transaction(async () => store.traces.save({ id: 't' }))).toThrow(TypeError);
  expect(store.traces.get('t')).toBeNull();
});

it('a list of items that is refused in its middle leaves nothing behind', () => {
  const store = scratchStore();
  store.datasets.save({ name: 'd' });
  store.datasets.save({ name: 'other' });
  store.datasets.saveItems('other', [{ id: 'taken', input: 1 }]);
  expect(() => store.datasets.saveItems('d', [{ id: 'a' }, { id: 'taken' }, { id: 'b' }])).toThrow('another dataset');
  expect([...store.datasets.items('d')]).toEqual([]);
});
