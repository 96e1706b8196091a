import { describe, expect, it } from 'vitest';

import type { Backend } from '../../../src/experiment/backend.ts';
import { localBackend } from '../../../src/experiment/local-backend.ts';
import { compareText } from '../../../src/text/compare.ts';
import { type Serving, serving } from '../../server/langfuse/serving.ts';
import { itemTrace, runOver } from './item-trace.ts';
import { quickBackend, server as recording } from './quick-backend.ts';

const SCORES = '/api/public/scores';

async function opened(generation: 3 | 4): Promise<Serving & { readonly langfuse: Backend; readonly local: Backend }> {
  const server = await serving({ generation });
  const local = localBackend(server.store.folder);
  return { ...server, langfuse: await quickBackend(server, { generation }), local };
}

/** Three traces an hour apart, the newest with another name on it than its root has. */
function makeTraces({ store }: Serving): void {
  const root = { parentObservationId: null, type: 'SPAN' } as const;
  for (const [at, name] of ['ask', 'ask', 'told'].entries()) {
    const time = `2026-01-01T0${at}:00:00.000Z`;
    const shared = { input: `q${at}`, output: `a${at}`, environment: at === 0 ? 'test' : 'production' };
    store.traces.save({
      ...shared,
      id: `t${at}`,
      timestamp: time,
      name,
      userId: `u${at}`,
      sessionId: 's',
      tags: at === 1 ? ['wrong', 'long'] : ['wrong'],
    });
    const level = at === 2 ? { level: 'ERROR', statusMessage: 'timeout: too slow' } : {};
    store.traces.saveObservation({
      ...shared,
      ...root,
      ...level,
      id: `r${at}`,
      traceId: `t${at}`,
      startTime: time,
      name: 'root',
    });
    store.traces.saveObservation({
      ...shared,
      id: `c${at}`,
      traceId: `t${at}`,
      parentObservationId: `r${at}`,
      type: 'GENERATION',
      name: 'call',
      startTime: time,
      input: { prompt: at },
      output: { text: at },
    });
  }
}

describe.each([3, 4] as const)('with a server like Langfuse %i', (generation) => {
  it('traces are listed, the newest first, by what they have to have; the same as from the store itself', async () => {
    const server = await opened(generation);
    makeTraces(server);
    for (const backend of [server.langfuse, server.local]) {
      const ids = async (search: object): Promise<string[]> =>
        (await backend.traces({ limit: 10, ...search })).map(({ id }) => id);
      expect(await ids({})).toEqual(['t2', 't1', 't0']);
      expect(await ids({ limit: 1 })).toEqual(['t2']);
      expect(await ids({ name: 'ask' })).toEqual(['t1', 't0']);
      expect(await ids({ name: 'nobody' })).toEqual([]);
      expect(await ids({ tags: ['wrong'] })).toEqual(['t2', 't1', 't0']);
      expect(await ids({ tags: ['wrong', 'long'] })).toEqual(['t1']);
      expect(await ids({ userId: 'u1' })).toEqual(['t1']);
      expect(await ids({ sessionId: 's', from: '2026-01-01T01:00:00.000Z' })).toEqual(['t2', 't1']);
      expect(await ids({ to: '2026-01-01T01:00:00.000Z' })).toEqual(['t0']);
      expect(await ids({ environment: 'test' })).toEqual(['t0']);
    }
    const [newest] = await server.langfuse.traces({ limit: 1 });
    expect(newest).toEqual({
      id: 't2',
      time: '2026-01-01T02:00:00.000Z',
      name: 'told',
      userId: 'u2',
      sessionId: 's',
      environment: 'production',
      tags: ['wrong'],
      // Lists of traces do not say what went wrong.
      error: generation === 3 ? null : 'timeout: too slow',
    });
    await server.local.close();
  });

  it('the traces of runs are listed with their items', async () => {
    const { langfuse } = await opened(generation);
    const run = await runOver(langfuse, 2);
    await run.publish([itemTrace(1), itemTrace(2)]);
    const dataset = (await langfuse.dataset('people'))!;
    const found = await Array.fromAsync(langfuse.runTraces(dataset));
    expect(found.map((one) => `${one.run} ${one.item} ${one.traceId}`).toSorted(compareText)).toEqual([
      `baseline item-1 ${itemTrace(1).traceId}`,
      `baseline item-2 ${itemTrace(2).traceId}`,
    ]);
    expect(await Array.fromAsync(langfuse.runTraces(dataset, 'baseline'))).toHaveLength(2);
    expect(await Array.fromAsync(langfuse.runTraces(dataset, 'other'))).toEqual([]);
  });

  it('an observation is found, with its trace or without', async () => {
    const server = await opened(generation);
    makeTraces(server);
    for (const backend of [server.langfuse, server.local]) {
      const call = { id: 't1', observationId: 'c1', name: 'call', input: { prompt: 1 }, output: { text: 1 } };
      expect(await backend.observation('c1')).toMatchObject(call);
      expect(await backend.observation('c1', 't1')).toMatchObject(call);
      expect(await backend.observation('c1', 't2')).toBeNull();
      expect(await backend.observation('nobody')).toBeNull();
    }
    await server.local.close();
  });

  it('the newest correction of a trace, of its root or of an observation is found', async () => {
    const server = await opened(generation);
    makeTraces(server);
    const correct = async (fields: object): Promise<number> =>
      (await server.ask('POST', SCORES, { name: 'any', dataType: 'CORRECTION', ...fields })).status;
    expect(await correct({ traceId: 't0', value: '42' })).toBe(200);
    expect(await correct({ traceId: 't1', observationId: 'c1', value: '{"text":"right"}' })).toBe(200);
    expect(await correct({ traceId: 't2', value: 'old' })).toBe(200);
    server.store.scores.save({
      id: 'newest',
      name: 'output',
      dataType: 'CORRECTION',
      value: 'x'.repeat(600),
      traceId: 't2',
      observationId: 'r2',
      timestamp: '2099-01-01T00:00:00.000Z',
    });
    for (const backend of [server.langfuse, server.local]) {
      // The output is text, so that its correction is.
      expect((await backend.trace('t0'))?.corrected).toEqual({ output: '42' });
      expect((await backend.trace('t1'))?.corrected).toBeNull();
      expect((await backend.observation('c1'))?.corrected).toEqual({ output: { text: 'right' } });
      expect((await backend.trace('t2'))?.corrected).toEqual({ output: 'x'.repeat(600) });
    }
    await server.local.close();
  });

  it('items that were archived are listed where that is asked for, found by their id, and restored as they were', async () => {
    const { langfuse, store } = await opened(generation);
    await langfuse.saveDataset({ name: 'd', metadata: { mine: 1 } });
    const items = ['a', 'b', 'c'].map((id) => ({ id, input: '42', metadata: { id } }));
    await langfuse.saveItems('d', items);
    await langfuse.saveItems('d', [{ id: 'b', status: 'ARCHIVED' }]);
    // By somebody else.
    store.datasets.saveItems('d', [{ id: 'c', status: 'ARCHIVED' }]);
    const listed = async (archived: boolean): Promise<string[]> =>
      (await Array.fromAsync(langfuse.items('d', { archived }))).map(({ id, status }) => `${id} ${status}`);
    expect(await listed(false)).toEqual(['a ACTIVE']);
    expect(await listed(true)).toEqual(['a ACTIVE', 'b ARCHIVED']);
    expect(await langfuse.item('c')).toMatchObject({ input: '42', status: 'ARCHIVED', datasetName: 'd' });
    await langfuse.saveDataset({ name: 'd', metadata: { mine: 2 } });
    expect((await langfuse.dataset('d'))?.metadata).toEqual({ mine: 2 });
    expect(await listed(true)).toContain('b ARCHIVED');
    await langfuse.saveItems('d', [{ id: 'b', status: 'ACTIVE' }]);
    expect(await listed(true)).toEqual(['a ACTIVE', 'b ACTIVE']);
    expect(await langfuse.item('b')).toMatchObject(items[1]!);
  });
});

it('the call of a run has its usage and cost among the observations of Langfuse 4', async () => {
  const { langfuse, ask } = await opened(4);
  await (await runOver(langfuse, 1)).publish([itemTrace(1)]);
  const { body } = await ask('GET', '/api/public/v2/observations?type=GENERATION&fields=core,model,usage');
  expect(body).toMatchObject({
    data: [
      {
        model: 'gemini-x',
        usageDetails: { input: 11, output: 7, total: 18 },
        costDetails: { total: 0.002 },
        totalCost: 0.002,
        usagePricingTierName: null,
      },
    ],
  });
});

describe('a search without a hit', () => {
  it.each([3, 4] as const)('is an empty list on a server that is only like Langfuse %i', async (generation) => {
    const server = await serving({ generation });
    // Asked what it has: the older endpoints answer 404 in Langfuse 4, the newer ones in Langfuse 3.
    const langfuse = await quickBackend(server);
    expect(await langfuse.traces({ name: 'nobody', limit: 10 })).toEqual([]);
    expect(await langfuse.trace('a'.repeat(32))).toBeNull();
  });
});

describe('a span that was sent again and is listed twice', () => {
  const core = { id: 'r1', traceId: 't1', startTime: '2026-01-01T00:00:00.000Z', parentObservationId: null };
  const failed = { ...core, name: 'ask', level: 'ERROR', statusMessage: 'timeout: too slow', output: null };
  const answered = { ...core, name: 'ask', level: 'DEFAULT', statusMessage: null, output: '"a"' };

  it.each([
    ['the failure first', [failed, answered]],
    ['the answer first', [answered, failed]],
  ])('counts by the row that is not ERROR, %s', async (_, rows) => {
    const rule = (on: RegExp, data: readonly object[]) =>
      ({ on, times: 9, misdeed: { do: 'answer', status: 200, body: { data, meta: {} } } }) as const;
    const ofRun = rows.map((row) => ({ ...row, experimentName: 'baseline', experimentItemId: 'i1' }));
    const langfuse = await recording({
      generation: 4,
      rules: [rule(/^GET \/v2\/observations$/, rows), rule(/^GET \/experiment-items$/, ofRun)],
    });
    const backend = await quickBackend(langfuse);
    for (const limit of [1, 10]) expect(await backend.traces({ limit })).toMatchObject([{ id: 't1', error: null }]);
    expect(await backend.trace('t1')).toMatchObject({ id: 't1', output: 'a' });
    expect(await backend.observation('r1', 't1')).toMatchObject({ output: 'a' });
    await backend.saveDataset({ name: 'people' });
    const dataset = (await backend.dataset('people'))!;
    expect(await Array.fromAsync(backend.runTraces(dataset))).toMatchObject([{ traceId: 't1', error: null }]);
  });
});

describe('corrections', () => {
  it('come back by both lists of scores, under their one name', async () => {
    const { ask } = await serving();
    const body = { id: 'k', name: 'any', dataType: 'CORRECTION', traceId: 't', value: '"right"' };
    expect((await ask('POST', SCORES, body)).status).toBe(200);
    expect((await ask('GET', '/api/public/v3/scores?dataType=CORRECTION')).body).toMatchObject({
      data: [{ name: 'output', dataType: 'CORRECTION', value: '"right"' }],
    });
    expect((await ask('GET', '/api/public/v2/scores?dataType=CORRECTION')).body).toMatchObject({
      data: [{ name: 'output', dataType: 'CORRECTION', value: 0, stringValue: '"right"' }],
    });
  });

  it.each([
    [{ sessionId: 's', value: 'a' }, 'a correction belongs to a trace or an observation'],
    [{ traceId: 't', value: 1 }, 'expected text, since dataType is CORRECTION'],
    [{ traceId: 't', value: 'a', configId: 'c' }, 'a correction has no configuration'],
  ])('of %j are refused', async (fields, reason) => {
    const { ask } = await serving();
    const answer = await ask('POST', SCORES, { name: 'output', dataType: 'CORRECTION', ...fields });
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining(reason)]);
  });
});
