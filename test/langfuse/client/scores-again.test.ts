import { afterEach, expect, it, vi } from 'vitest';

import { serving } from '../../server/langfuse/serving.ts';
import { itemTrace, runOver } from './item-trace.ts';
import { quickBackend, server } from './quick-backend.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const scored = (value: number, comment: string | null = null) =>
  itemTrace(1, { scores: [{ id: 'item-1-recall', name: 'entity_recall', value, comment }] });

it.each([3, 4] as const)(
  'a score that is sent twice within one millisecond has the later value (generation %s)',
  async (generation) => {
    const { store, environment } = await serving({ generation });
    const run = await runOver(await quickBackend({ environment }), 1);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    // Ids of events are random: with equal times, one of two sendings would be lost.
    for (let round = 1; round <= 8; round += 1) {
      await run.publish([scored(0, 'at first')]);
      await run.publish([scored(round)]);
      expect(store.scores.get('item-1-recall')).toMatchObject({ value: round, comment: null });
      await run.scoreRun([{ id: 'whole', name: 'pooled', value: 0, comment: null }]);
      await run.scoreRun([{ id: 'whole', name: 'pooled', value: round, comment: null }]);
      expect(store.scores.get('whole')?.value).toBe(round);
    }
  },
);

it('every sending is an event of its own, at the time of sending, and the score keeps its id', async () => {
  const langfuse = await server();
  const run = await runOver(await quickBackend(langfuse), 1);
  const began = new Date().toISOString();
  for (const value of [1, 2]) await run.publish([scored(value)]);
  const events = langfuse.requests
    .filter(({ path }) => path === '/ingestion')
    .flatMap(({ body }) => body['batch'] as { id: string; timestamp: string; body: { id: string } }[]);
  expect(new Set(events.map(({ id }) => id)).size).toBe(2);
  expect(events.map(({ body }) => body.id)).toEqual(['item-1-recall', 'item-1-recall']);
  const [first, second] = events.map(({ timestamp }) => timestamp);
  expect(began <= first! && first! < second!).toBe(true);
});

it('the later value counts also on a server that takes scores one by one', async () => {
  const rules = [{ on: /^POST \/ingestion$/, times: 99, misdeed: { do: 'answer', status: 404 } as const }];
  const langfuse = await server({ rules });
  const run = await runOver(await quickBackend(langfuse), 1);
  await run.publish([scored(1)]);
  await run.publish([scored(2)]);
  expect(langfuse.count(/^POST \/scores$/)).toBe(2);
  expect(langfuse.kept.scores.get('item-1-recall')).toMatchObject({ value: 2 });
});
