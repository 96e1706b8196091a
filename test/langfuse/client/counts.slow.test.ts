import { describe, expect, it } from 'vitest';

import { expectedOf } from '../../experiment/backend-contract.ts';
import { itemTrace, runOver } from './item-trace.ts';
import { quickBackend, server } from './quick-backend.ts';

function traces(many: number) {
  return Array.from({ length: many }, (_, index) => itemTrace(index + 1));
}

const READS = /^GET \/(?:experiment-items|dataset-run-items|traces|v2\/|v3\/)/;

describe('counts read back', () => {
  it('are waited for where a server shows only later what it took', async () => {
    const shownAfter = async (generation: 3 | 4 | 'both', showAfterMs: number): Promise<void> => {
      const langfuse = await server({ generation, showAfterMs });
      const run = await runOver(await quickBackend(langfuse, { settleMs: 10_000 }), 2);
      await run.publish(traces(2));
      const begun = Date.now();
      expect(await run.counts(traces(2).map(expectedOf))).toMatchObject({ traces: 2, scores: 4 });
      expect(Date.now() - begun, 'not for all the time there is').toBeLessThan(8000);
      expect(langfuse.count(READS)).toBeLessThan(30);
    };
    await Promise.all([shownAfter(3, 500), shownAfter(4, 2000), shownAfter('both', 500)]);
  });

  it('show what a server has lost', async () => {
    const rules = [{ on: /^POST \/ingestion$/, times: 1, misdeed: { do: 'lose' } as const }];
    for (const generation of [3, 4] as const) {
      const langfuse = await server({ generation, rules });
      const run = await runOver(await quickBackend(langfuse), 60);
      await run.publish(traces(60));
      const expected = traces(60).map(expectedOf);
      // The first hundred scores went nowhere.
      expect(await run.counts(expected)).toEqual({
        traces: 60,
        scores: 20,
        short: expected.slice(0, 50).map(({ traceId }) => traceId),
      });
    }
  });

  it('show traces that were lost though they are linked, and no scores on what is not there', async () => {
    const rules = [{ on: /^POST \/otel/, times: 1, misdeed: { do: 'lose' } as const }];
    for (const generation of [3, 4, 'both'] as const) {
      const run = await runOver(await quickBackend(await server({ generation, rules })), 3);
      await run.publish(traces(3));
      expect(await run.counts(traces(3).map(expectedOf))).toMatchObject({ traces: 0, scores: 0 });
    }
  });

  it('come from the older list of scores where there is no newer one', async () => {
    const langfuse = await server({ generation: 3, scoresV3: false });
    const run = await runOver(await quickBackend(langfuse), 3);
    await run.publish(traces(3));
    expect(await run.counts(traces(2).map(expectedOf))).toMatchObject({ traces: 2, scores: 4 });
    const { query } = langfuse.requests.findLast(({ path }) => path === '/v2/scores')!;
    // Scores have the time at which they were first sent, which may be any time after the start.
    expect([query.get('fromTimestamp'), query.get('toTimestamp'), query.get('environment')]).toEqual([
      '2026-01-02T03:04:05.006Z',
      null,
      'sdk-experiment',
    ]);
  });

  it('take few calls for many traces', async () => {
    for (const generation of [3, 4] as const) {
      const langfuse = await server({ generation });
      const run = await runOver(await quickBackend(langfuse), 150);
      await run.publish(traces(150));
      const before = langfuse.requests.length;
      const expected = traces(150).map(expectedOf);
      expect(await run.counts(expected)).toEqual({ traces: 150, scores: 300, short: [] });
      // Two pages of items with their scores, or in Langfuse 3 two of traces, two of links, and what is not there.
      expect(langfuse.requests.length - before).toBeLessThanOrEqual(generation === 4 ? 2 : 6);
    }
  });

  it('are of the traces that are asked about, and of nothing else', async () => {
    const langfuse = await server({ generation: 4 });
    const backend = await quickBackend(langfuse);
    const run = await runOver(backend, 3);
    await run.publish(traces(3));
    const unknown = { ...expectedOf(itemTrace(3)), traceId: 'f'.repeat(32) };
    expect(await run.counts([expectedOf(itemTrace(2)), unknown])).toEqual({
      traces: 1,
      scores: 2,
      short: [unknown.traceId],
    });
    expect(await run.counts([])).toEqual({ traces: 0, scores: 0, short: [] });
    const other = await runOver(backend, 3, 'another run');
    expect(await other.counts([expectedOf(itemTrace(2))])).toMatchObject({ traces: 0, scores: 0 });
  });
});
