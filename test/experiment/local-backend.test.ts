import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import type { Backend, ItemTrace } from '../../src/experiment/backend.ts';
import { localBackend } from '../../src/experiment/local-backend.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { backendContract } from './backend-contract.ts';

backendContract('the local store', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-local-'));
  const backend = localBackend(folder);
  return {
    backend,
    close: async () => {
      await backend.close();
      rmSync(folder, { recursive: true });
    },
  };
});

describe('what a local run leaves in the store', () => {
  let folder: string;
  let backend: Backend;
  let store: Store;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-local-'));
    backend = localBackend(folder);
    store = openStore(folder);
  });
  afterEach(async () => {
    store.close();
    await backend.close();
    rmSync(folder, { recursive: true });
  });

  async function published(changed: Partial<ItemTrace>): Promise<ItemTrace> {
    const dataset = await backend.saveDataset({ name: 'd' });
    const [item] = await backend.saveItems('d', [
      { id: 'i', input: 'Anna lives in Köln', expectedOutput: { entities: ['Anna'] }, metadata: { from: 'news' } },
    ]);
    const run = await backend.openRun({ dataset, name: 'r', description: 'a try', metadata: { model: 'm' } });
    const trace: ItemTrace = {
      traceId: 'ab'.repeat(16),
      rootId: 'cd'.repeat(8),
      callId: 'ef'.repeat(8),
      item: item!,
      name: 'graph-extractor',
      startedAt: '2026-03-01T10:00:00.000Z',
      endedAt: '2026-03-01T10:00:01.250Z',
      output: { entities: ['Anna', 'Köln'] },
      error: null,
      model: 'm',
      modelParameters: { temperature: 0 },
      isRetried: false,
      tries: [],
      request: [{ role: 'user', content: 'Who? Anna lives in Köln' }],
      isCached: false,
      usage: { inputTokens: 100, outputTokens: 20, cost: 0.0015 },
      prompt: { name: 'extract', version: 3 },
      passages: [{ id: 'a.txt#1', text: 'Köln', score: 0.5, source: 'a.txt' }],
      metadata: { repeat: 1 },
      scores: [{ id: 's', name: 'entity_f1', value: 0.8, comment: 'one too many' }],
      ...changed,
    };
    await run.publish([trace]);
    return trace;
  }

  it('a trace with a root span, and in it the call of the model', async () => {
    const { traceId, rootId, callId } = await published({});
    expect(store.traces.get(traceId)).toMatchObject({
      timestamp: '2026-03-01T10:00:00.000Z',
      name: 'graph-extractor',
      input: 'Anna lives in Köln',
      output: { entities: ['Anna', 'Köln'] },
      metadata: { repeat: 1 },
      environment: 'sdk-experiment',
    });
    const times = { startTime: '2026-03-01T10:00:00.000Z', endTime: '2026-03-01T10:00:01.250Z' };
    const run = store.runs.get('d', 'r');
    expect(store.traces.observationsOf(traceId)).toHaveLength(2);
    expect(store.traces.observation(rootId)).toMatchObject({
      ...times,
      parentObservationId: null,
      type: 'SPAN',
      level: 'DEFAULT',
      model: null,
      experiment: {
        experimentId: run?.id,
        experimentName: 'r',
        experimentDescription: 'a try',
        experimentMetadata: { model: 'm' },
        datasetId: run?.datasetId,
        itemId: 'i',
        itemExpectedOutput: { entities: ['Anna'] },
        itemMetadata: { from: 'news' },
        rootObservationId: rootId,
      },
    });
    expect(store.traces.observation(callId)).toMatchObject({
      ...times,
      parentObservationId: rootId,
      type: 'GENERATION',
      model: 'm',
      modelParameters: { temperature: 0 },
      usageDetails: { input: 100, output: 20, total: 120 },
      costDetails: { total: 0.0015 },
      promptName: 'extract',
      promptVersion: 3,
      metadata: { passages: [{ id: 'a.txt#1', text: 'Köln', score: 0.5, source: 'a.txt' }] },
      experiment: null,
    });
  });

  it('the link of item and trace, the experiment, and the scores', async () => {
    const { traceId, rootId } = await published({});
    const run = store.runs.get('d', 'r');
    expect(run).toMatchObject({ description: 'a try', metadata: { model: 'm' } });
    expect(store.runs.items(run!.id)).toMatchObject([{ datasetItemId: 'i', traceId, observationId: rootId }]);
    expect(store.runs.experiments({}, { page: 1, limit: 10 }).rows).toMatchObject([
      { id: run?.id, name: 'r', items: 1 },
    ]);
    expect(store.scores.ofTrace(traceId)).toMatchObject([
      {
        id: 's',
        name: 'entity_f1',
        value: 0.8,
        dataType: 'NUMERIC',
        source: 'API',
        comment: 'one too many',
        timestamp: '2026-03-01T10:00:01.250Z',
      },
    ]);
  });

  it('only the usage that is known', async () => {
    const { callId } = await published({ usage: { inputTokens: 7, outputTokens: null, cost: null }, passages: null });
    expect(store.traces.observation(callId)).toMatchObject({
      usageDetails: { input: 7 },
      costDetails: {},
      metadata: {},
    });
    await published({ usage: null, model: null });
    expect(store.traces.observation(callId)).toMatchObject({ type: 'GENERATION', usageDetails: {}, costDetails: {} });
  });

  it('the reason of a failure, which goes when the item is run again', async () => {
    const { rootId, callId } = await published({ output: null, error: { kind: 'rate-limit', message: 'try later' } });
    for (const id of [rootId, callId])
      expect(store.traces.observation(id)).toMatchObject({ level: 'ERROR', statusMessage: 'rate-limit: try later' });
    await published({});
    for (const id of [rootId, callId])
      expect(store.traces.observation(id)).toMatchObject({ level: 'DEFAULT', statusMessage: null });
  });

  it('scores of the whole run on the run', async () => {
    await published({});
    const dataset = await backend.dataset('d');
    const run = await backend.openRun({ dataset: dataset!, name: 'r', description: null, metadata: {} });
    await run.scoreRun([{ id: 'w', name: 'mean_f1', value: 0.5, comment: null }]);
    expect(store.scores.get('w')).toMatchObject({
      datasetRunId: store.runs.get('d', 'r')?.id,
      traceId: null,
      value: 0.5,
    });
    expect(await run.url()).toBeNull();
  });

  it('mistakes are the user’s to mend', async () => {
    const dataset = await backend.saveDataset({ name: 'd' });
    await expect(backend.saveItems('never', [])).rejects.toThrow(UsageError);
    await expect(Array.fromAsync(backend.items('never'))).rejects.toThrow('there is no dataset "never"');
    await expect(backend.labelPrompt('never', 1, ['a'])).rejects.toThrow(UsageError);
    await expect(backend.labelPrompt('never', 1, ['latest'])).rejects.toThrow(UsageError);
    await expect(
      backend.openRun({ dataset: { ...dataset, name: 'gone' }, name: 'r', description: null, metadata: {} }),
    ).rejects.toThrow(UsageError);
    expect(backend.kind).toBe('local');
    expect(backend.place).toBe(folder);
    const file = join(folder, 'a file');
    writeFileSync(file, '');
    expect(() => localBackend(file)).toThrow(UsageError);
  });
});
