import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { Datasets } from '../../src/store/datasets.ts';
import { ALL, scratchStore, second } from './scratch-store.ts';

/** The clock stands still until it is set. */
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

function at(seconds: number): void {
  vi.setSystemTime(second(seconds));
}

function contents(datasets: Datasets, time?: string, archived = false): unknown[] {
  return [...datasets.items('d', { archived, ...(time === undefined ? {} : { at: time }) })].map((item) => [
    item.id,
    item.input,
  ]);
}

function changing(): Datasets {
  const { datasets } = scratchStore();
  at(0);
  datasets.save({ name: 'd' });
  at(10);
  datasets.saveItems('d', [
    { id: 'a', input: 'a1' },
    { id: 'b', input: 'b1' },
  ]);
  at(20);
  datasets.saveItems('d', [
    { id: 'a', input: 'a2' },
    { id: 'c', input: 'c1' },
  ]);
  at(30);
  datasets.saveItems('d', [{ id: 'b', status: 'ARCHIVED' }]);
  at(40);
  datasets.deleteItem('a');
  at(50);
  datasets.saveItems('d', [{ id: 'a', input: 'a again' }]);
  return datasets;
}

it('a dataset can be seen as it was at any time', () => {
  const datasets = changing();
  expect(contents(datasets, second(9))).toEqual([]);
  const [b, c] = [
    ['b', 'b1'],
    ['c', 'c1'],
  ];
  expect(contents(datasets, second(10))).toEqual([['a', 'a1'], b]);
  expect(contents(datasets, second(19))).toEqual([['a', 'a1'], b]);
  expect(contents(datasets, second(20))).toEqual([['a', 'a2'], b, c]);
  expect(contents(datasets, second(30))).toEqual([['a', 'a2'], c]);
  expect(contents(datasets, second(30), true)).toEqual([['a', 'a2'], b, c]);
  expect(contents(datasets, second(40))).toEqual([c]);
  // It was made anew, so it comes last.
  expect(contents(datasets, second(50))).toEqual([c, ['a', 'a again']]);
  expect(contents(datasets)).toEqual([c, ['a', 'a again']]);
});

it('times are understood with any offset, and what is no time is refused', () => {
  const datasets = changing();
  expect(contents(datasets, '2026-01-01T01:00:19.999+01:00')).toHaveLength(2);
  expect(contents(datasets, '2026-01-01T00:00:20Z')).toHaveLength(3);
  for (const time of ['', 'yesterday', '2026-13-01', '+020000-01-01T00:00:00Z'])
    expect(() => contents(datasets, time)).toThrow('is no time');
});

it('a list of items as they were has the same', () => {
  const datasets = changing();
  const ids = (time: string): string[] => datasets.listItems({ at: time }, ALL).rows.map((item) => item.id);
  expect(ids(second(10))).toEqual(['b', 'a']);
  expect(ids(second(35))).toEqual(['c', 'a']);
  expect(datasets.listItems({ at: second(20) }, { page: 1, limit: 1 })).toMatchObject({
    total: 3,
    rows: [{ id: 'c' }],
  });
});

it('saving what is there already is no change', () => {
  const { datasets } = scratchStore();
  at(0);
  datasets.save({ name: 'd' });
  datasets.saveItems('d', [{ id: 'a', input: { x: 1 } }]);
  at(10);
  const [again] = datasets.saveItems('d', [{ id: 'a', input: { x: 1 }, metadata: null }]);
  expect(again?.updatedAt).toBe(second(0));
  at(20);
  const [changed] = datasets.saveItems('d', [{ id: 'a', input: { x: 2 } }]);
  expect(changed).toMatchObject({ createdAt: second(0), updatedAt: second(20) });
});

it('a clock that goes back does not turn the history round', () => {
  const { datasets } = scratchStore();
  at(100);
  datasets.save({ name: 'd' });
  datasets.saveItems('d', [{ id: 'a', input: 'first' }]);
  at(50);
  datasets.saveItems('d', [
    { id: 'a', input: 'second' },
    { id: 'b', input: 'new' },
  ]);
  expect(contents(datasets)).toEqual([
    ['a', 'second'],
    ['b', 'new'],
  ]);
  expect(contents(datasets, second(100))).toHaveLength(2);
});

/** Worked out with Python's json.dumps(sort_keys=True, separators=(',', ':'), ensure_ascii=False) and hashlib. */
const BOTH = 'sha256:f8884c89c68b4c5a13d390e41bbe062a49b86816ae21f194b0658b73c41075de';
const CHANGED = 'sha256:435286500bb022ddb4b457fbeba2c673f2c5e762fe5190d8e11fd347dde57075';
const ONLY_A = 'sha256:30577730ad61884d792a2db3527b9d9cabe2ceff129e3ff95b11c84c4f9acd8b';
const NONE = 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const A = { id: 'a', input: { q: 'ä', p: [1, 2] }, expectedOutput: { x: 1 } };
const B = { id: 'b', input: 'text', metadata: { k: true } };

it('a version is named by the active items, and remembered when it is new', () => {
  const { datasets } = scratchStore();
  at(0);
  datasets.save({ name: 'd' });
  expect(datasets.versions('d')).toEqual([]);
  expect(datasets.version('d')).toEqual({ hash: NONE, items: 0, at: second(0) });
  at(10);
  datasets.saveItems('d', [B, A]);
  at(11);
  expect(datasets.version('d')).toEqual({ hash: BOTH, items: 2, at: second(10) });
  expect(datasets.version('d')).toEqual({ hash: BOTH, items: 2, at: second(10) });
  at(20);
  datasets.saveItems('d', [{ id: 'b', input: 'changed' }]);
  expect(datasets.version('d')).toEqual({ hash: CHANGED, items: 2, at: second(20) });
  at(30);
  datasets.saveItems('d', [{ id: 'b', status: 'ARCHIVED' }]);
  expect(datasets.version('d')).toEqual({ hash: ONLY_A, items: 1, at: second(30) });
  at(40);
  datasets.saveItems('d', [{ id: 'b', status: 'ACTIVE', input: 'text' }]);
  expect(datasets.version('d')).toMatchObject({ hash: BOTH });
  expect(datasets.versions('d').map((version) => [version.hash, version.at])).toEqual([
    [BOTH, second(40)],
    [ONLY_A, second(30)],
    [CHANGED, second(20)],
    [BOTH, second(10)],
    [NONE, second(0)],
  ]);
});

it('the items at the time of a version are those of the version, however quickly they change after it', () => {
  const { datasets } = scratchStore();
  at(0);
  datasets.save({ name: 'd' });
  const named = Array.from({ length: 5 }, (_, round) => {
    datasets.saveItems('d', [{ id: 'a', input: round }]);
    return datasets.version('d');
  });
  expect(named.map((version) => contents(datasets, version.at))).toEqual(
    [0, 1, 2, 3, 4].map((input) => [['a', input]]),
  );
  expect(new Set(named.map((version) => version.hash)).size).toBe(5);
});

it('a version depends on the content only: not on order, keys’ order, nor null or missing', () => {
  const { datasets } = scratchStore();
  datasets.save({ name: 'd' });
  datasets.saveItems('d', [
    { id: 'a', metadata: null, expectedOutput: { x: 1 }, input: { p: [1, 2], q: 'ä' }, sourceTraceId: 't' },
    { ...B, expectedOutput: null },
  ]);
  expect(datasets.version('d').hash).toBe(BOTH);
});
