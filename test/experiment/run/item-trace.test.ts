import { expect, test } from 'vitest';

import { UsageError } from '../../../src/data/problems.ts';
import { itemTrace, type TraceFrame } from '../../../src/experiment/run/item-trace.ts';
import type { LogEntry } from '../../../src/experiment/run/answer-log.ts';
import { answered, failed } from './entries.ts';

const FRAME: TraceFrame = {
  record: { id: 'run', name: 'first', prompt: null },
  target: {
    kind: 'model',
    model: 'some/model',
    modelParameters: {},
    request: ({ input }) => [{ role: 'user', content: `Who? ${String(input)}` }],
  },
};
const ITEM = { id: 'a', input: 'Ann met Bo.', expected_output: null };
const FIRST = '2026-11-15T10:00:00.000Z';

function traceOf(entry: LogEntry, more: { readonly startedAt?: string; readonly frame?: TraceFrame } = {}) {
  const { startedAt = FIRST, frame = FRAME } = more;
  return itemTrace(frame, { item: ITEM, entry, result: null, wasFailure: false, startedAt });
}

test('a trace lasts as long as the answer took, whenever that was', () => {
  // Read from a file in 5 ms, and recorded as 1,234 ms.
  expect(traceOf({ ...answered('a', 'x'), latencyMs: 1234 })).toMatchObject({
    startedAt: FIRST,
    endedAt: '2026-11-15T10:00:01.234Z',
  });
  expect(traceOf({ ...answered('a', 'x'), latencyMs: null }).endedAt).toBe('2026-11-15T10:00:00.005Z');
  expect(traceOf({ ...answered('a', 'x'), latencyMs: 1e300 }).endedAt).toBe('2027-11-16T10:00:00.000Z');
});

test('an item that was asked again keeps the time of its first outcome, and says when it was asked again', () => {
  const entry = { ...answered('a', 'x'), startedAt: '2026-11-17T08:00:00.000Z', endedAt: '2026-11-17T08:00:00.005Z' };
  const trace = traceOf(entry);
  expect(trace).toMatchObject({ startedAt: FIRST, endedAt: '2026-11-15T10:00:00.005Z', isRetried: true });
  expect(trace.metadata).toMatchObject({ asked_again_at: '2026-11-17T08:00:00.000Z' });
  expect(traceOf(answered('a', 'x')).metadata).not.toHaveProperty('asked_again_at');
  expect(traceOf(answered('a', 'x')).metadata).not.toHaveProperty('batch');
  expect(traceOf(answered('a', 'x')).isRetried).toBe(false);
});

test('the cost is what the run counts, and nothing for an answer from the cache', () => {
  const usage = { inputTokens: 2000, outputTokens: 500, cost: null };
  const entry = { ...answered('a', 'x'), usage, cost: 0.002 };
  expect(traceOf(entry).usage).toEqual({ ...usage, cost: 0.002 });
  expect(traceOf({ ...entry, cached: true, cost: 0 })).toMatchObject({
    usage: { inputTokens: 0, outputTokens: 0, cost: 0 },
    isCached: true,
  });
  expect(traceOf(failed('a', 'server', 'down')).usage).toBeNull();
});

test('the request is what the target was sent, or the input where nothing could be made of it', () => {
  expect(traceOf(answered('a', 'x')).request).toEqual([{ role: 'user', content: 'Who? Ann met Bo.' }]);
  const unfit = (): never => {
    throw new UsageError('the prompt asks for {{ title }}');
  };
  const frame = { ...FRAME, target: { ...FRAME.target, request: unfit } };
  expect(traceOf(failed('a', 'request', 'no title'), { frame }).request).toBe('Ann met Bo.');
});

test('an answer from a batch names it, and its hours of waiting are no latency', () => {
  const trace = traceOf({
    ...answered('a', 'x'),
    latencyMs: null,
    batch: 'batch_1',
    endedAt: '2026-11-15T19:00:00.000Z',
  });
  expect(trace.metadata).toMatchObject({ batch: 'batch_1' });
  expect(trace.endedAt).toBe(trace.startedAt);
});
