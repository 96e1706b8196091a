import { expect, it } from 'vitest';

import type { ExperimentLink } from '../../src/store/records.ts';
import type { Store } from '../../src/store/store.ts';
import { StoreConflict } from '../../src/store/store-conflict.ts';
import { ALL, scratchStore, second } from './scratch-store.ts';

it('a run is one by its dataset and its name', () => {
  const { datasets, runs } = scratchStore();
  const d = datasets.save({ name: 'd' });
  datasets.save({ name: 'e' });
  const made = runs.save({ datasetName: 'd', name: 'r', description: 'first', metadata: { model: 'm' }, id: 'my-id' });
  expect(made).toMatchObject({ id: 'my-id', datasetId: d.id, datasetName: 'd', name: 'r', metadata: { model: 'm' } });
  const again = runs.save({ datasetName: 'd', name: 'r', description: null, id: 'another-id' });
  expect(again).toMatchObject({ id: 'my-id', description: null, metadata: { model: 'm' }, createdAt: made.createdAt });
  const other = runs.save({ datasetName: 'e', name: 'r' });
  expect(other.id).not.toBe('my-id');
  expect(runs.get('d', 'r')).toEqual(again);
  expect(runs.byId(other.id)).toEqual(other);
  expect(runs.get('d', 'never')).toBeNull();
  expect(() => runs.save({ datasetName: 'never', name: 'r' })).toThrow(StoreConflict);
  expect(() => runs.save({ datasetName: 'e', name: 'new', id: 'my-id' })).toThrow(StoreConflict);
  expect(() => runs.save({ datasetName: 'e', name: '' })).toThrow(StoreConflict);
});

it('runs are listed newest first, and go with their links and scores but not with their traces', () => {
  const { datasets, runs, scores, traces } = scratchStore();
  datasets.save({ name: 'd' });
  for (const name of ['a', 'b', 'c']) runs.save({ datasetName: 'd', name });
  expect(runs.list('d', { page: 1, limit: 2 })).toMatchObject({ total: 3, rows: [{ name: 'c' }, { name: 'b' }] });
  expect(runs.list('never', ALL)).toEqual({ rows: [], places: [], total: 0 });
  const run = runs.save({ datasetName: 'd', name: 'b' });
  traces.save({ id: 't' });
  runs.link({ runId: run.id, itemId: 'i', traceId: 't', observationId: null });
  scores.save({ id: 's', name: 'f1', value: 1, datasetRunId: run.id });
  expect(runs.delete('d', 'b')).toBe(true);
  expect(runs.delete('d', 'b')).toBe(false);
  expect(runs.items(run.id)).toEqual([]);
  expect(scores.get('s')).toBeNull();
  expect(traces.get('t')).not.toBeNull();
});

it('a trace is linked to an item of a run once', () => {
  const { datasets, runs } = scratchStore();
  const dataset = datasets.save({ name: 'd' });
  const run = runs.save({ datasetName: 'd', name: 'r' });
  const link = { runId: run.id, itemId: 'i', traceId: 't', observationId: null };
  const first = runs.link(link);
  expect(first).toMatchObject({ datasetRunId: run.id, datasetRunName: 'r', datasetItemId: 'i', traceId: 't' });
  expect(runs.link({ ...link, observationId: 'o' })).toMatchObject({ id: first.id, observationId: 'o' });
  runs.link({ ...link, traceId: 't2' });
  runs.link({ ...link, itemId: 'j', traceId: 't3' });
  expect(runs.items(run.id).map((one) => [one.datasetItemId, one.traceId])).toEqual([
    ['i', 't'],
    ['i', 't2'],
    ['j', 't3'],
  ]);
  const listed = runs.listItems({ datasetId: dataset.id, runName: 'r' }, { page: 1, limit: 2 });
  expect(listed).toMatchObject({ total: 3, rows: [{ traceId: 't3' }, { traceId: 't2' }] });
  expect(runs.listItems({ datasetId: 'never', runName: 'r' }, ALL).total).toBe(0);
  expect(() => runs.link({ ...link, runId: 'never' })).toThrow('run not found: "never"');
});

it('counts the traces of a run that are there, and the scores on them', () => {
  const { datasets, runs, traces, scores } = scratchStore();
  datasets.save({ name: 'd' });
  const run = runs.save({ datasetName: 'd', name: 'r' });
  for (const id of ['linked', 'not linked']) {
    traces.save({ id });
    scores.save({ id: `1 ${id}`, name: 'a', value: 1, traceId: id });
    scores.save({ id: `2 ${id}`, name: 'b', value: 1, traceId: id });
  }
  runs.link({ runId: run.id, itemId: 'i', traceId: 'linked', observationId: null });
  runs.link({ runId: run.id, itemId: 'j', traceId: 'linked', observationId: null });
  runs.link({ runId: run.id, itemId: 'i', traceId: 'not there', observationId: null });
  expect(runs.count(run.id, ['linked', 'not linked', 'not there'])).toEqual({ traces: 1, scores: 2 });
  expect(runs.count(run.id, [])).toEqual({ traces: 0, scores: 0 });
});

function observe(store: Store, id: string, changed: Partial<ExperimentLink>, seconds: number): void {
  const experiment = {
    experimentId: 'e1',
    experimentName: 'one',
    experimentDescription: null,
    experimentMetadata: { model: 'm' },
    datasetId: 'd1',
    itemId: 'i1',
    itemExpectedOutput: { x: 1 },
    itemMetadata: null,
    rootObservationId: id,
    ...changed,
  };
  const times = { startTime: second(seconds), endTime: second(seconds + 5) };
  store.traces.saveObservation({ id, traceId: `trace of ${id}`, experiment, ...times });
}

it('experiments are what their root observations say', () => {
  const store = scratchStore();
  observe(store, 'a', { itemId: 'i1' }, 10);
  observe(store, 'b', { itemId: 'i2', experimentDescription: 'the newest says it' }, 20);
  observe(store, 'child', { itemId: 'i2', rootObservationId: 'b' }, 90);
  observe(store, 'c', { experimentId: 'e2', experimentName: 'two', datasetId: null, itemId: 'i1' }, 30);
  store.traces.saveObservation({ id: 'no experiment', traceId: 't' });
  const { runs } = store;
  expect(runs.experiments({}, ALL)).toEqual({
    total: 2,
    places: [0, 1],
    rows: [
      {
        id: 'e2',
        name: 'two',
        description: null,
        metadata: { model: 'm' },
        datasetId: null,
        startTime: second(30),
        endTime: second(35),
        items: 1,
      },
      {
        id: 'e1',
        name: 'one',
        description: 'the newest says it',
        metadata: { model: 'm' },
        datasetId: 'd1',
        startTime: second(10),
        endTime: second(25),
        items: 2,
      },
    ],
  });
  const ids = (filter: Parameters<typeof runs.experiments>[0]): string[] =>
    runs.experiments(filter, ALL).rows.map((one) => one.id);
  expect(ids({ ids: ['e1', 'never'] })).toEqual(['e1']);
  expect(ids({ names: ['two'] })).toEqual(['e2']);
  expect(ids({ datasetIds: ['d1'] })).toEqual(['e1']);
  expect(ids({ fromTime: second(20) })).toEqual(['e2']);
  expect(ids({ toTime: second(30) })).toEqual(['e1']);
  expect(runs.experiments({}, { page: 2, limit: 1 })).toMatchObject({ total: 2, rows: [{ id: 'e1' }] });

  const roots = (filter: Parameters<typeof runs.experimentItems>[0]): string[] =>
    runs.experimentItems(filter, ALL).rows.map((one) => one.id);
  expect(roots({})).toEqual(['c', 'b', 'a']);
  expect(roots({ experimentIds: ['e1'] })).toEqual(['b', 'a']);
  expect(roots({ experimentNames: ['two'] })).toEqual(['c']);
  expect(roots({ itemIds: ['i1'] })).toEqual(['c', 'a']);
  expect(roots({ datasetIds: ['d1'], fromTime: second(20) })).toEqual(['b']);
  expect(runs.experimentItems({}, { page: 1, limit: 1 })).toMatchObject({
    total: 3,
    rows: [{ experiment: { itemExpectedOutput: { x: 1 } } }],
  });
});
