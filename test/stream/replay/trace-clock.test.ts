import { describe, expect, test } from 'vitest';

import { TraceClock } from '../../../src/stream/replay/trace-clock.ts';
import type { StreamDelta, Trace } from '../../../src/stream/trace-records.ts';
import { madeTrace, turn } from '../made-trace.ts';

const START = '2020-01-01T00:00:00.000Z';

function clockOf(times: readonly (readonly [seq: number, emitted: number | null])[]): TraceClock {
  const made: Trace = madeTrace('t', [turn('a', 'x@0')]);
  const [first] = made.deltas;
  const deltas = times.map(([seq, emitted]): StreamDelta => ({ ...first!, seq, t_emitted_ms: emitted }));
  return new TraceClock({ ...made, deltas });
}

describe('the clock of a trace', () => {
  const day = Date.parse(START);

  test('tells the time of the delta at a seq', () => {
    const clock = clockOf([
      [1, day + 5],
      [4, day + 7],
      [9, day + 11],
    ]);
    expect([clock.at(1), clock.at(4), clock.at(9)]).toEqual([
      '2020-01-01T00:00:00.005Z',
      '2020-01-01T00:00:00.007Z',
      '2020-01-01T00:00:00.011Z',
    ]);
    expect(clock.counts()).toEqual({ fromTrace: 3, fromFallback: 0 });
  });

  test('falls back to the start and a second for each seq, and counts it', () => {
    const clock = clockOf([
      [1, null],
      [4, day + 7],
    ]);
    expect([0, 1, 3, 5].map((seq) => clock.at(seq))).toEqual([
      START,
      '2020-01-01T00:00:01.000Z',
      '2020-01-01T00:00:03.000Z',
      '2020-01-01T00:00:05.000Z',
    ]);
    expect(clock.counts()).toEqual({ fromTrace: 0, fromFallback: 4 });
  });

  test('of deltas with one seq the last that has a time counts', () => {
    const clock = clockOf([
      [2, day + 1],
      [2, day + 2],
      [2, null],
      [3, day + 9],
    ]);
    expect(clock.at(2)).toBe('2020-01-01T00:00:00.002Z');
  });
});
