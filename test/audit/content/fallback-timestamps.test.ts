import { describe, expect, test } from 'vitest';

import { fallbackTimestamps } from '../../../src/audit/checks/content/trace-faults.ts';
import { streamCase } from '../../../src/stream/measure/stream-case.ts';
import { madeTrace } from '../../stream/made-trace.ts';
import { foundBy } from './found-by.ts';
import { capitals, fallback, fromTrace, madeLog, type TimeOf } from './stream-log.ts';

// Seqs: start 0, deltas 1 to 8, end 9.
const trace = madeTrace('c', [
  {
    agent: 'anna',
    deltas: ['The ', 'Fever ', 'came ', 'with ', 'Cough ', 'and ', 'Rash ', 'then.'].map(
      (text, at) => [text, at * at * 90] as const,
    ),
  },
]);
const WINDOWS = [
  [1, 2, 'Fever first'],
  [3, 5, 'Fever and Cough'],
  [6, 7, 'Rash'],
  [8, 8, 'nothing new'],
] as const;

async function found(timeOf: TimeOf, withFlushes = true): Promise<Awaited<ReturnType<typeof foundBy>>> {
  const given = await streamCase(trace, madeLog(trace, WINDOWS, timeOf, withFlushes), capitals, 'concat');
  return foundBy([fallbackTimestamps], 'stream/exaid', [given]);
}

describe('times that are not from the trace', () => {
  test('those of a replay are', async () => {
    expect((await found(fromTrace)).said).toEqual([]);
  });

  test('a second for each seq is an error where flush intervals rest on it', async () => {
    const { findings } = await found(fallback);
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      [
        'error',
        '8 of 8 records (100 %) have a time that is not from the trace (4 of kind flush, 4 of kind summary): 8 are the start of the trace and a second for each seq',
      ],
    ]);
    expect(findings[0]?.subjects).toContain('flush_interval_ms');
    expect(findings[0]?.why).toContain('for 3 of 3 intervals');
  });

  test('and a warning where no measure reads it', async () => {
    const { findings } = await found(fallback, false);
    expect(findings.map(({ severity }) => severity)).toEqual(['warning']);
    expect(findings[0]?.title).toMatch(/^4 of 4 records/);
  });

  test('other grids, and times of 1970 or of another day, are told apart', async () => {
    const grid = await found(({ meta }, seq) => meta.t0_emitted_ms + 7 + seq * 33);
    expect(grid.findings[0]?.title).toContain('8 are on an even grid by seq that the trace does not have');
    const epoch = await found((_, seq) => seq * seq);
    expect(epoch.findings[0]?.title).toContain('8 are before the trace began or long after its end');
    const nextDay = await found((one, seq) => fromTrace(one, seq) + 86_400_000);
    expect(nextDay.findings[0]?.title).toContain('8 are before the trace began or long after its end');
  });

  test('every record at the start of the trace is found', async () => {
    const windows = [2, 3, 4, 5, 6, 7].map((seq) => [seq, seq, 'Fever'] as const);
    const log = madeLog(trace, windows, ({ meta }) => meta.t0_emitted_ms);
    const { findings } = await foundBy([fallbackTimestamps], 'stream/exaid', [
      await streamCase(trace, log, capitals, 'concat'),
    ]);
    expect(findings.map(({ severity }) => severity)).toEqual(['error']);
    expect(findings[0]?.title).toContain('12 are one and the same time whatever the seq');
  });

  test('a log may name the time at which an answer was there', async () => {
    expect((await found((one, seq) => fromTrace(one, seq) + 800 + seq * seq)).said).toEqual([]);
  });

  test('a trace whose clock is made up says so itself: a note', async () => {
    const virtual = { ...trace, meta: { ...trace.meta, decoding: { assay: { clock: 'virtual' as const } } } };
    const given = await streamCase(virtual, madeLog(virtual, WINDOWS), capitals, 'concat');
    expect((await foundBy([fallbackTimestamps], 'stream/exaid', [given])).said).toEqual(['fallback-timestamps note']);
  });
});
