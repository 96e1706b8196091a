import { expect, test } from 'vitest';

import { scoreIdOf, traceIdsOf } from '../../../src/experiment/run/item-trace.ts';

test('ids have the form that OpenTelemetry wants, are the same each time, and differ by run, item and repeat', () => {
  const ids = traceIdsOf('run-1', 'item', 1);
  expect(ids.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect([ids.rootId, ids.callId].every((id) => /^[0-9a-f]{16}$/.test(id))).toBe(true);
  expect(traceIdsOf('run-1', 'item', 1)).toEqual(ids);
  const others = [traceIdsOf('run-2', 'item', 1), traceIdsOf('run-1', 'items', 1), traceIdsOf('run-1', 'item', 2)];
  expect(new Set([ids, ...others].flatMap(({ traceId, rootId, callId }) => [traceId, rootId, callId])).size).toBe(12);
});

test('a score id is a UUID that begins as its trace does, one for each name', () => {
  const { traceId } = traceIdsOf('run-1', 'item', 1);
  const id = scoreIdOf(traceId, 'entity_f1');
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  expect(id.startsWith(traceId.slice(0, 8))).toBe(true);
  expect(scoreIdOf(traceId, 'entity_recall')).not.toBe(id);
});
