import { describe, expect, test } from 'vitest';

import type { LogEntry } from '../../src/experiment/run/answer-log.ts';
import { type ExperimentSummary, SummaryCounter, type SummaryFrame } from '../../src/experiment/summary.ts';

type AnsweredEntry = Extract<LogEntry, { outcome: 'answered' }>;
type FailedEntry = Extract<LogEntry, { outcome: 'failed' }>;

const LOGGED = {
  item: 'i1',
  repeat: 1,
  usage: { inputTokens: 100, outputTokens: 10, cost: null },
  cost: 0.25,
  latencyMs: 200,
  raw: null,
  attempts: 1,
  cached: false,
  startedAt: '2025-01-01T00:00:00.000Z',
  endedAt: '2025-01-01T00:00:01.000Z',
};

function answered(more: Partial<AnsweredEntry> = {}): AnsweredEntry {
  return { ...LOGGED, outcome: 'answered', output: {}, passages: null, ...more };
}

function failed(kind: FailedEntry['kind'], more: Partial<FailedEntry> = {}): FailedEntry {
  const nothing = { usage: null, cost: null, latencyMs: null };
  return { ...LOGGED, ...nothing, outcome: 'failed', kind, message: `it was ${kind}`, ...more };
}

const FRAME: SummaryFrame = {
  name: 'baseline',
  folder: 'runs/baseline',
  dataset: { name: 'eval', version: 'abc', items: 10 },
  target: { kind: 'model', model: 'm', promptName: null, promptLabel: null, promptVersion: null, temperature: 0 },
  repeats: 1,
  added: 1,
  seconds: 12,
  stopped: null,
  scores: null,
  measures: null,
  notScored: 'no recipe was given',
  published: null,
  gate: null,
  scoreFolder: null,
};

function summaryOf(entries: readonly LogEntry[], frame: Partial<SummaryFrame> = {}): ExperimentSummary {
  const counter = new SummaryCounter();
  for (const entry of entries) counter.add(entry);
  return counter.summary({ ...FRAME, ...frame });
}

describe('a summary counts', () => {
  test('what was answered, failed, came from the cache and was not run', () => {
    const entries = [answered(), answered({ cached: true }), answered(), failed('rate')];
    expect(summaryOf(entries)).toMatchObject({ answered: 3, cached: 1, failed: 1, notRun: 6, name: 'baseline' });
    expect(summaryOf(entries, { repeats: 3 }).notRun).toBe(26);
    expect(summaryOf([])).toMatchObject({ answered: 0, failed: 0, notRun: 10, failures: [], latency: null });
  });

  test('failures by kind, the most frequent first, with the first example of each', () => {
    const entries = [
      failed('timeout', { item: 'a' }),
      failed('schema', { item: 'b', message: 'no entities' }),
      failed('rate', { item: 'c' }),
      failed('schema', { item: 'd' }),
    ];
    expect(summaryOf(entries).failures).toEqual([
      { kind: 'schema', count: 2, example: { item: 'b', message: 'no entities' } },
      { kind: 'rate', count: 1, example: { item: 'c', message: 'it was rate' } },
      { kind: 'timeout', count: 1, example: { item: 'a', message: 'it was timeout' } },
    ]);
  });

  test('calls, and how many of them were tries again; the cache needs none', () => {
    const entries = [
      answered({ attempts: 3 }),
      answered(),
      answered({ cached: true }),
      failed('rate', { attempts: 6 }),
    ];
    expect(summaryOf(entries).calls).toEqual({ made: 10, retried: 7 });
  });
});

describe('what was spent', () => {
  test('at the price of batches and at the full price, also for answers of no use', () => {
    const batched = { batch: 'batch_1', latencyMs: null };
    const unusable = { usage: LOGGED.usage, cost: 0.25, ...batched };
    const entries = [answered(batched), answered(batched), answered(), failed('schema', unusable), failed('server')];
    expect(summaryOf(entries)).toMatchObject({
      batch: { batched: { answers: 3, cost: 0.75 }, single: { answers: 1, cost: 0.25 } },
      latency: { n: 1 },
    });
    expect(summaryOf([answered({ ...batched, cost: null }), answered(batched)]).batch).toEqual({
      batched: { answers: 2, cost: null },
      single: { answers: 0, cost: 0 },
    });
    expect(summaryOf([answered()])).not.toHaveProperty('batch');
  });

  test('is added up over answers that were paid for, usable or not', () => {
    const unusable = failed('schema', { usage: LOGGED.usage, cost: 0.5 });
    const { usage, cost } = summaryOf([answered(), answered({ cached: true }), unusable]);
    expect(usage).toEqual({
      inputTokens: 200,
      outputTokens: 20,
      unknown: 0,
      atLeast: { inputTokens: 200, outputTokens: 20 },
    });
    expect(cost).toEqual({ value: 0.75, currency: '', unknown: 0, atLeast: 0.75 });
  });

  test('is not known as soon as one answer does not say, and then at least what the others say', () => {
    const half = answered({ usage: { inputTokens: 7, outputTokens: null, cost: null }, cost: null });
    const { usage, cost } = summaryOf([answered(), half]);
    expect(usage).toEqual({
      inputTokens: 107,
      outputTokens: null,
      unknown: 1,
      atLeast: { inputTokens: 107, outputTokens: 10 },
    });
    expect(cost).toEqual({ value: null, currency: '', unknown: 1, atLeast: 0.25 });
    expect(summaryOf([answered({ usage: null })]).usage).toMatchObject({ inputTokens: null, unknown: 1 });
    expect(summaryOf([failed('answer')]).cost).toMatchObject({ value: null, unknown: 1 });
  });

  test('at most for calls whose answer never came: each as the dearest answer', () => {
    const entries = [answered({ cost: 0.25 }), answered({ cost: 0.5 }), failed('server')];
    expect(summaryOf(entries, { lostCalls: 3 })).toMatchObject({ lostCalls: 3, lostCost: 1.5, cost: { value: 0.75 } });
    expect(summaryOf([failed('server')], { lostCalls: 3 })).toMatchObject({ lostCalls: 3, lostCost: null });
    expect(summaryOf(entries)).not.toHaveProperty('lostCost');
  });

  test('a call that was never answered hides nothing', () => {
    expect(summaryOf([answered(), failed('rate'), failed('connection')]).cost).toMatchObject({
      value: 0.25,
      unknown: 0,
    });
  });

  test('an outcome that another took the place of was paid for, and counts for nothing else', () => {
    const counter = new SummaryCounter();
    counter.addReplaced(failed('schema', { usage: LOGGED.usage, cost: 1, attempts: 2 }));
    counter.add(answered());
    expect(counter.summary(FRAME)).toMatchObject({
      answered: 1,
      failed: 0,
      failures: [],
      cost: { value: 1.25 },
      usage: { inputTokens: 200 },
      calls: { made: 3, retried: 1 },
    });
  });
});

describe('latency', () => {
  test('is of answers that were waited for: the cache and failures have none', () => {
    const entries = [10, 20, 30, 40].map((latencyMs) => answered({ latencyMs }));
    const others = [
      answered({ latencyMs: 9999, cached: true }),
      failed('schema', { latencyMs: 9999 }),
      answered({ latencyMs: null }),
    ];
    // numpy's percentile: place 0.95 · 3 = 2.85 between 30 and 40.
    expect(summaryOf([...entries, ...others]).latency).toEqual({ median: 25, p95: 38.5, mean: 25, n: 4 });
  });

  test('keeps eight bytes an answer', () => {
    const counter = new SummaryCounter();
    for (let at = 1; at <= 100_001; at += 1) counter.add(answered({ latencyMs: at }));
    expect(counter.summary(FRAME).latency).toEqual({ median: 50_001, p95: 95_001, mean: 50_001, n: 100_001 });
  });
});

test('money is rounded to millionths: sums of binary fractions end in digits that are no money', () => {
  const counter = new SummaryCounter();
  for (const cost of [0.1, 0.2]) counter.add(answered({ cost }));
  counter.addUnread(2, { inputTokens: 1, outputTokens: 1, cost: null }, 0.000_000_6);
  const { cost, batch } = counter.summary(FRAME);
  expect([cost.value, cost.atLeast, batch?.unread]).toEqual([0.300_001, 0.300_001, { answers: 2, cost: 0.000_001 }]);
});

test('what is less than a millionth is not written as nothing', () => {
  const counter = new SummaryCounter();
  counter.add(answered({ cost: 0.000_000_04 }));
  expect(counter.summary(FRAME).cost.value).toBe(0.000_000_04);
});
