import { describe, expect, it } from 'vitest';

import type { ItemTrace } from '../../../src/experiment/backend.ts';
import { expectedOf } from '../../experiment/backend-contract.ts';
import { fastClock } from './fast-clock.ts';
import { itemTrace, runOver } from './item-trace.ts';
import { quickBackend, server } from './quick-backend.ts';
import type { Behaviour } from './recording-langfuse.ts';

const READS = /^GET \/(?:experiment-items|dataset-run-items|traces|v2\/scores|v3\/scores)/;
const SETTLE_MS = 30_000;
const ITEMS = 1000;
const SCORES = 12;

function traceWithScores(number: number): ItemTrace {
  return itemTrace(number, {
    scores: Array.from({ length: SCORES }, (_, at) => ({
      id: `item-${number}-${at}`,
      name: `measure_${at}`,
      value: at / SCORES,
      comment: null,
    })),
  });
}

/** Publishes a thousand items and reads them back, on a clock that only waiting moves, and 20 ms for each request. */
async function readBack(behaviour: Behaviour) {
  const clock = fastClock();
  const langfuse = await server({ ...behaviour, clock });
  const backend = await quickBackend(langfuse, { settleMs: SETTLE_MS, clock, patience: { timeoutMs: 30_000 } });
  const run = await runOver(backend, behaviour.generation === 4 ? 0 : ITEMS);
  const traces = Array.from({ length: ITEMS }, (_, at) => traceWithScores(at + 1));
  await run.publish(traces);
  const began = clock.now();
  const before = langfuse.requests.length;
  const found = await run.counts(traces.map(expectedOf));
  const reads = langfuse.requests.slice(before).filter(({ method, path }) => READS.test(`${method} ${path}`)).length;
  return { found, reads, minutes: (clock.now() - began) / 60_000, refused: langfuse.refused() };
}

const ALL = { traces: ITEMS, scores: ITEMS * SCORES, short: [] };
/** 12,000 scores at 50 a second. */
const INGESTION_MINUTES = 4;

describe('a thousand items with twelve scores each', () => {
  it('are waited for while a server takes in 50 scores a second and lists rows twice until they merge', async () => {
    const { found, reads, minutes } = await readBack({ generation: 4, scoresPerSecond: 50, mergesAfterMs: 60_000 });
    expect(found).toEqual(ALL);
    expect(minutes).toBeGreaterThan(INGESTION_MINUTES - 0.5);
    expect(minutes).toBeLessThan(INGESTION_MINUTES + 1);
    // A page of a hundred items, listed twice at first, is a read; one a second would be 240.
    expect(reads).toBeLessThan(200);
  }, 60_000);

  it('are waited for in Langfuse 3 as well', async () => {
    const { found, minutes } = await readBack({ generation: 3, scoresPerSecond: 50, mergesAfterMs: 60_000 });
    expect(found).toEqual(ALL);
    expect(minutes).toBeLessThan(INGESTION_MINUTES + 1);
  }, 120_000);

  it('are read back from a server that allows 30 reads a minute, and refuses few', async () => {
    const limits = { readsPerMinute: 30, scoresPerSecond: 50, mergesAfterMs: 60_000 };
    const { found, refused, minutes } = await readBack({ generation: 4, ...limits });
    expect(found).toEqual(ALL);
    expect(minutes).toBeGreaterThan(INGESTION_MINUTES - 0.5);
    expect(minutes).toBeLessThan(10);
    // One in each minute at most: the pause that is asked for is kept.
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThanOrEqual(Math.ceil(minutes));
  }, 60_000);

  it('show a true loss, of the very items that lack something, after a time without a change', async () => {
    const lost = new Set(['item-7-3', 'item-7-4', 'item-900-0']);
    const { found, minutes } = await readBack({
      generation: 4,
      scoresPerSecond: 50,
      readsPerMinute: 30,
      losesScore: (id) => lost.has(id),
    });
    expect(found).toEqual({
      traces: ITEMS,
      scores: ITEMS * SCORES - 3,
      short: [traceWithScores(7).traceId, traceWithScores(900).traceId],
    });
    expect(minutes).toBeLessThan(10);
  }, 60_000);
});
