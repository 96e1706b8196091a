import { describe, expect, test } from 'vitest';

import { timeSources } from '../../src/stream/time-sources.ts';
import { madeTrace } from './made-trace.ts';

const T0 = Date.UTC(2020, 0, 1);
// Seqs: start 0, deltas 1 to 4, end 5.
const trace = madeTrace('c', [
  { agent: 'a', deltas: [0, 130, 270, 900].map((time, at) => [`d${at} `, time] as const) },
]);

const sources = (...times: readonly (readonly [seq: number, ms: number])[]): string[] =>
  timeSources(
    trace,
    times.map(([seq, ms]) => ({ end_seq: seq, timestamp: new Date(ms).toISOString() })),
  );

describe('where a timestamp comes from', () => {
  test('the delta at its seq, or the last one of the turn that ends there', () => {
    expect(sources([2, T0 + 130], [5, T0 + 900])).toEqual(['trace', 'trace']);
  });

  test('the start and a second for each seq', () => {
    expect(sources([2, T0 + 2000], [5, T0 + 5000], [5, T0 + 4000])).toEqual(['fallback', 'fallback', 'fallback']);
  });

  test('four on one line by seq are a grid, three may be chance', () => {
    const line = [1, 2, 3, 4].map((seq) => [seq, T0 + 11 + seq * 40] as const);
    expect(sources(...line)).toEqual(['grid', 'grid', 'grid', 'grid']);
    expect(sources(...line.slice(1))).toEqual(['other', 'other', 'other']);
  });

  test('before the trace, or more than ten minutes after it', () => {
    expect(sources([1, 1000], [2, T0 + 900 + 600_000], [3, T0 + 901 + 600_000])).toEqual([
      'outside',
      'other',
      'outside',
    ]);
  });

  test('one time for five different seqs is none; for four it may be one moment', () => {
    const long = madeTrace('l', [
      { agent: 'a', deltas: [0, 130, 270, 900, 1500, 2700].map((time, at) => [`d${at} `, time] as const) },
    ]);
    const at = (ms: number, seqs: readonly number[]): string[] =>
      timeSources(
        long,
        seqs.map((seq) => ({ end_seq: seq, timestamp: new Date(ms).toISOString() })),
      );
    expect(at(T0 + 7, [2, 3, 4, 5, 6])).toEqual(['constant', 'constant', 'constant', 'constant', 'constant']);
    expect(at(T0 + 7, [2, 3, 4, 5, 5])).toEqual(['other', 'other', 'other', 'other', 'other']);
    // The start of the trace is the time of its first delta, and of no other.
    expect(at(T0, [1, 2, 3, 4, 5, 6])).toEqual(['trace', 'constant', 'constant', 'constant', 'constant', 'constant']);
  });
});
