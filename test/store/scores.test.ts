import { expect, it } from 'vitest';

import type { ScoreSave } from '../../src/store/scores.ts';
import { StoreConflict } from '../../src/store/store-conflict.ts';
import { ALL, scratchStore, second } from './scratch-store.ts';

it('the type is told by the value where it is not given', () => {
  const { scores } = scratchStore();
  const saved = (given: Omit<ScoreSave, 'id' | 'name'>) => {
    const { dataType, value, stringValue } = scores.save({ id: crypto.randomUUID(), name: 'n', ...given });
    return [dataType, value, stringValue];
  };
  expect(saved({ value: 0.25 })).toEqual(['NUMERIC', 0.25, null]);
  expect(saved({ value: 0 })).toEqual(['NUMERIC', 0, null]);
  expect(saved({ value: true })).toEqual(['BOOLEAN', 1, 'True']);
  expect(saved({ value: false })).toEqual(['BOOLEAN', 0, 'False']);
  expect(saved({ value: 1, dataType: 'BOOLEAN' })).toEqual(['BOOLEAN', 1, 'True']);
  expect(saved({ value: 'good' })).toEqual(['CATEGORICAL', null, 'good']);
  expect(saved({ stringValue: 'good' })).toEqual(['CATEGORICAL', null, 'good']);
  expect(saved({ value: 3, stringValue: 'good' })).toEqual(['CATEGORICAL', 3, 'good']);
  expect(saved({ value: 'as it was said', dataType: 'TEXT' })).toEqual(['TEXT', null, 'as it was said']);
});

it('what is no value of its type is refused, and nothing is written', () => {
  const { scores } = scratchStore();
  const wrong: Omit<ScoreSave, 'id' | 'name'>[] = [
    { value: Number.NaN },
    { value: Infinity },
    { value: -Infinity, dataType: 'BOOLEAN' },
    { value: Number.NaN, stringValue: 'good' },
    {},
    { value: null },
    { value: 'good', dataType: 'NUMERIC' },
    { value: 2, dataType: 'BOOLEAN' },
    { value: 1, dataType: 'CATEGORICAL' },
    { value: 1, dataType: 'TEXT' },
  ];
  for (const given of wrong)
    expect(() => scores.save({ id: 's', name: 'f1', ...given }), JSON.stringify(given)).toThrow(StoreConflict);
  expect(() => scores.save({ id: 's', name: 'f1', value: Number.NaN })).toThrow(
    'the score "f1" has to be a number, found NaN',
  );
  expect(scores.get('s')).toBeNull();
});

it('a score is changed by its id: what is not given stays', () => {
  const { scores } = scratchStore();
  const made = scores.save({ id: 's', name: 'f1', value: 0.5, traceId: 't', comment: 'why', timestamp: second(1) });
  expect(made).toMatchObject({
    source: 'API',
    environment: 'default',
    observationId: null,
    sessionId: null,
    datasetRunId: null,
    configId: null,
    authorUserId: null,
    metadata: null,
  });
  expect(scores.save({ id: 's', name: 'f1', comment: 'better' })).toMatchObject({
    value: 0.5,
    dataType: 'NUMERIC',
    comment: 'better',
    traceId: 't',
    timestamp: second(1),
  });
  expect(scores.save({ id: 's', name: 'f1', value: 'bad' })).toMatchObject({
    value: null,
    dataType: 'CATEGORICAL',
    stringValue: 'bad',
  });
  scores.put({ id: 's', name: 'f1', value: 0.75 });
  expect(scores.get('s')).toMatchObject({ value: 0.75, dataType: 'NUMERIC', stringValue: null });
  expect(scores.list({}, ALL).total).toBe(1);
  expect(scores.delete('s')).toBe(true);
  expect(scores.delete('s')).toBe(false);
});

it('numbers come back as they were', () => {
  const { scores } = scratchStore();
  for (const value of [0.1 + 0.2, 1e-300, Number.MAX_VALUE, Number.MIN_VALUE, -0.5, 2 ** 53])
    expect(scores.save({ id: 's', name: 'n', value }).value).toBe(value);
});

it('scores are listed newest first, narrowed by any of their fields', () => {
  const { scores, traces } = scratchStore();
  traces.save({ id: 't1', userId: 'u' });
  scores.save({ id: 'b', name: 'f1', value: 0.5, traceId: 't1', timestamp: second(2), environment: 'e' });
  scores.save({
    id: 'a',
    name: 'f1',
    value: 0.9,
    traceId: 't2',
    observationId: 'o',
    timestamp: second(1),
    source: 'EVAL',
  });
  scores.save({ id: 'c', name: 'recall', value: 1, sessionId: 's', timestamp: second(3), configId: 'k' });
  scores.save({ id: 'd', name: 'tone', value: 'warm', datasetRunId: 'r', timestamp: second(4) });
  const ids = (filter: Parameters<typeof scores.list>[0]): string[] =>
    scores.list(filter, ALL).rows.map((one) => one.id);
  expect(ids({})).toEqual(['d', 'c', 'b', 'a']);
  expect(ids({ ids: ['a', 'd', 'never'] })).toEqual(['d', 'a']);
  expect(ids({ ids: [] })).toEqual([]);
  expect(ids({ traceIds: ['t1', 't2'] })).toEqual(['b', 'a']);
  expect(ids({ observationIds: ['o'] })).toEqual(['a']);
  expect(ids({ sessionIds: ['s'] })).toEqual(['c']);
  expect(ids({ datasetRunIds: ['r'] })).toEqual(['d']);
  expect(ids({ names: ['f1', 'tone'] })).toEqual(['d', 'b', 'a']);
  expect(ids({ dataType: 'CATEGORICAL' })).toEqual(['d']);
  expect(ids({ source: 'EVAL' })).toEqual(['a']);
  expect(ids({ environment: ['e'] })).toEqual(['b']);
  expect(ids({ configId: 'k' })).toEqual(['c']);
  expect(ids({ userId: 'u' })).toEqual(['b']);
  expect(ids({ fromTimestamp: second(2), toTimestamp: second(4) })).toEqual(['c', 'b']);
  expect(ids({ value: 0.9 })).toEqual(['a']);
  expect(ids({ value: 0.9, operator: '>=' })).toEqual(['c', 'a']);
  expect(ids({ value: 0.9, operator: '>' })).toEqual(['c']);
  expect(ids({ value: 0.9, operator: '<' })).toEqual(['b']);
  expect(ids({ value: 0.9, operator: '<=' })).toEqual(['b', 'a']);
  expect(ids({ value: 0.9, operator: '!=' })).toEqual(['c', 'b']);
  expect(scores.list({ names: ['f1'] }, { page: 2, limit: 1 })).toMatchObject({ total: 2, rows: [{ id: 'a' }] });
  expect(scores.ofTrace('t1').map((one) => one.id)).toEqual(['b']);
  expect(() => ids({ ids: Array.from({ length: 10_001 }, String) })).toThrow(StoreConflict);
});
