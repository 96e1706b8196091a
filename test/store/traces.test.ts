import { expect, it } from 'vitest';

import { StoreConflict } from '../../src/store/store-conflict.ts';
import { ALL, scratchStore, second } from './scratch-store.ts';

it('a trace takes what is given, and later only what is given then', () => {
  const { traces } = scratchStore();
  traces.save({ id: 't' });
  const bare = traces.get('t');
  expect(bare).toMatchObject({
    id: 't',
    name: null,
    input: null,
    output: null,
    metadata: null,
    userId: null,
    sessionId: null,
    release: null,
    version: null,
    environment: 'default',
    tags: [],
    public: false,
  });
  expect(Date.parse(bare?.timestamp ?? '')).toBeGreaterThan(Date.now() - 60_000);
  traces.save({
    id: 't',
    timestamp: '2026-01-01T01:00:01+01:00',
    name: 'n',
    input: { a: 1 },
    tags: ['x'],
    public: true,
  });
  traces.save({ id: 't', output: [2], name: undefined, input: null, userId: 'u' });
  expect(traces.get('t')).toMatchObject({
    timestamp: second(1),
    name: 'n',
    input: null,
    output: [2],
    userId: 'u',
    tags: ['x'],
    public: true,
    createdAt: bare?.createdAt,
  });
  expect(traces.get('never')).toBeNull();
  expect(() => traces.save({ id: 't', timestamp: 'soon' })).toThrow(StoreConflict);
});

it('traces are listed newest first, narrowed by any of their fields', () => {
  const { traces } = scratchStore();
  traces.save({ id: 'b', timestamp: second(2), name: 'n', userId: 'u', tags: ['x', 'y'], environment: 'e1' });
  traces.save({ id: 'a', timestamp: second(1), name: 'n', sessionId: 's', tags: ['x'], version: 'v' });
  traces.save({ id: 'c', timestamp: second(3), name: 'm', release: 'r', environment: 'e2' });
  const ids = (filter: Parameters<typeof traces.list>[0]): string[] =>
    traces.list(filter, ALL).rows.map((one) => one.id);
  expect(ids({})).toEqual(['c', 'b', 'a']);
  expect(ids({ name: 'n' })).toEqual(['b', 'a']);
  expect(ids({ userId: 'u' })).toEqual(['b']);
  expect(ids({ sessionId: 's' })).toEqual(['a']);
  expect(ids({ version: 'v' })).toEqual(['a']);
  expect(ids({ release: 'r' })).toEqual(['c']);
  expect(ids({ tags: ['x'] })).toEqual(['b', 'a']);
  expect(ids({ tags: ['x', 'y'] })).toEqual(['b']);
  expect(ids({ tags: [] })).toEqual(['c', 'b', 'a']);
  expect(ids({ environment: ['e1', 'e2'] })).toEqual(['c', 'b']);
  expect(ids({ environment: [] })).toEqual([]);
  expect(ids({ fromTimestamp: second(2) })).toEqual(['c', 'b']);
  expect(ids({ toTimestamp: second(2) })).toEqual(['a']);
  expect(ids({ name: 'n', fromTimestamp: second(2), toTimestamp: second(3) })).toEqual(['b']);
  expect(traces.list({}, { page: 2, limit: 2 })).toMatchObject({ total: 3, rows: [{ id: 'a' }] });
  traces.save({ id: 'b', tags: ['z'] });
  expect(ids({ tags: ['x'] })).toEqual(['a']);
});

it('an observation makes the trace that it needs, and changes like one', () => {
  const { traces } = scratchStore();
  traces.saveObservation({ id: 'o', traceId: 't', startTime: second(5), environment: 'e' });
  expect(traces.get('t')).toMatchObject({ timestamp: second(5), environment: 'e', name: null });
  expect(traces.observation('o')).toMatchObject({
    traceId: 't',
    parentObservationId: null,
    type: 'SPAN',
    name: null,
    startTime: second(5),
    endTime: null,
    completionStartTime: null,
    model: null,
    modelParameters: null,
    level: 'DEFAULT',
    statusMessage: null,
    usageDetails: {},
    costDetails: {},
    promptName: null,
    promptVersion: null,
    experiment: null,
  });
  traces.save({ id: 't', name: 'now named' });
  traces.saveObservation({
    id: 'o',
    traceId: 't',
    type: 'GENERATION',
    endTime: second(6),
    model: 'm',
    modelParameters: { temperature: 0 },
    usageDetails: { input: 1, output: 2, total: 3 },
    costDetails: { total: 0.5 },
    promptName: 'p',
    promptVersion: 4,
    level: 'ERROR',
    statusMessage: 'failed',
  });
  expect(traces.observation('o')).toMatchObject({
    type: 'GENERATION',
    startTime: second(5),
    endTime: second(6),
    usageDetails: { input: 1, output: 2, total: 3 },
    costDetails: { total: 0.5 },
    promptVersion: 4,
    level: 'ERROR',
    environment: 'e',
  });
  expect(traces.get('t')?.name).toBe('now named');
  expect(() => traces.saveObservation({ id: 'o', traceId: 't', costDetails: { total: Number.NaN } })).toThrow('is NaN');
  expect(traces.observation('never')).toBeNull();
});

it('observations are listed newest first, narrowed by any of their fields, and of a trace by their start', () => {
  const { traces } = scratchStore();
  const experiment = {
    experimentId: 'e',
    experimentName: 'run',
    experimentDescription: null,
    experimentMetadata: null,
    datasetId: null,
    itemId: 'i',
    itemExpectedOutput: null,
    itemMetadata: null,
    rootObservationId: 'a',
  };
  traces.save({ id: 't', userId: 'u' });
  traces.saveObservation({
    id: 'b',
    traceId: 't',
    startTime: second(2),
    parentObservationId: 'a',
    type: 'TOOL',
    name: 'n',
  });
  traces.saveObservation({ id: 'a', traceId: 't', startTime: second(1), experiment, version: 'v' });
  traces.saveObservation({ id: 'c', traceId: 's', startTime: second(3), level: 'ERROR', environment: 'x' });
  expect(traces.observationsOf('t').map((one) => one.id)).toEqual(['a', 'b']);
  expect(traces.observation('a')?.experiment).toEqual(experiment);
  const ids = (filter: Parameters<typeof traces.listObservations>[0]): string[] =>
    traces.listObservations(filter, ALL).rows.map((one) => one.id);
  expect(ids({})).toEqual(['c', 'b', 'a']);
  expect(ids({ traceId: 't' })).toEqual(['b', 'a']);
  expect(ids({ parentObservationId: 'a' })).toEqual(['b']);
  expect(ids({ type: 'TOOL' })).toEqual(['b']);
  expect(ids({ name: 'n' })).toEqual(['b']);
  expect(ids({ userId: 'u' })).toEqual(['b', 'a']);
  expect(ids({ level: 'ERROR' })).toEqual(['c']);
  expect(ids({ version: 'v' })).toEqual(['a']);
  expect(ids({ environment: ['x'] })).toEqual(['c']);
  expect(ids({ experimentId: 'e', experimentItemId: 'i' })).toEqual(['a']);
  expect(ids({ fromStartTime: second(2), toStartTime: second(3) })).toEqual(['b']);
  expect(traces.listObservations({ traceId: 't' }, { page: 2, limit: 1 })).toMatchObject({
    total: 2,
    rows: [{ id: 'a' }],
  });
  traces.saveObservation({ id: 'a', traceId: 't', experiment: null });
  expect(ids({ experimentId: 'e' })).toEqual([]);
});

it('a trace goes with its observations, its scores and its part in runs', () => {
  const { traces, scores, datasets, runs } = scratchStore();
  for (const id of ['t', 'kept']) {
    traces.save({ id, tags: ['x'] });
    traces.saveObservation({ id: `o-${id}`, traceId: id });
    scores.save({ id: `s-${id}`, name: 'f1', value: 1, traceId: id });
  }
  datasets.save({ name: 'd' });
  const run = runs.save({ datasetName: 'd', name: 'r' });
  runs.link({ runId: run.id, itemId: 'i', traceId: 't', observationId: null });
  expect(traces.delete('t')).toBe(true);
  expect(traces.delete('t')).toBe(false);
  expect(traces.observation('o-t')).toBeNull();
  expect(scores.get('s-t')).toBeNull();
  expect(runs.items(run.id)).toEqual([]);
  expect(traces.list({ tags: ['x'] }, ALL).rows.map((one) => one.id)).toEqual(['kept']);
  expect(traces.observation('o-kept')).not.toBeNull();
  expect(scores.get('s-kept')).not.toBeNull();
});
