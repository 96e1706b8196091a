import { describe, expect, test } from 'vitest';

import { CASE_COLUMNS, caseStatistics } from '../../../src/stream/calibrate/case-table.ts';
import { gateInput } from '../../../src/stream/replay/gate-input.ts';
import { type GatePolicy, USUAL_GATE } from '../../../src/stream/replay/token-gate.ts';
import { madeTrace, type MadeTurn, turn } from '../made-trace.ts';
import { DOZEN } from './dozen-deltas.ts';

const small: GatePolicy = { ...USUAL_GATE, minWords: 3, maxWords: 5 };

/** Null if there is no value. */
function columnsOf(turns: readonly MadeTurn[], policy = small, alpha = 0.7): Record<string, number | null> {
  const statistics = caseStatistics(gateInput(madeTrace('t', turns)), policy, alpha);
  return Object.fromEntries(
    Object.entries(statistics).map(([name, value]) => [
      name,
      Number.isNaN(value) ? null : Math.round(value * 1e6) / 1e6,
    ]),
  );
}

describe('what a policy does with a case', () => {
  test('a dozen deltas, worked out by hand', () => {
    expect(columnsOf(DOZEN)).toEqual({
      flush_count: 3,
      without_flush: 0,
      end_flush_count: 2,
      // The first content delta comes at 100, after a turn of control.
      ttff_content_ms: 500,
      ttff_trace_ms: 600,
      // Of 2, 3 and 5 words: places 1, 1.8 and 1.9.
      chunk_size_p50: 3,
      chunk_size_p90: 4.6,
      chunk_size_p95: 4.8,
      chunk_size_max: 5,
      // 600 − 100, 1500 − 1000, and after silence 900 + 1000 − 700.
      wait_p50_ms: 500,
      wait_p95_ms: 1130,
      wait_max_ms: 1200,
      // Noticed at 9000 only: 9000 − 700.
      late_wait_p95_ms: 7520,
      late_wait_max_ms: 8300,
      // Moments 600, 1500 and 1900.
      gap_p95_ms: 875,
      // Fewer than 0.7 · 3 words: the two after silence.
      spam_pct: 33.333333,
      timer_flush_pct: 33.333333,
      timer_under_min_pct: 33.333333,
      // six, seven and zeta.
      tail_words: 3,
    });
  });

  test('alpha says what is too small: 2 of 3 words are not, with half of min_words', () => {
    expect(columnsOf(DOZEN, small, 0.5)['spam_pct']).toBe(0);
  });

  test('where nothing is let through before the end there are no times and sizes, and all words are left over', () => {
    const found = columnsOf([turn('a', 'one two@5')]);
    expect(found).toMatchObject({ flush_count: 0, without_flush: 1, end_flush_count: 1, tail_words: 2 });
    expect(CASE_COLUMNS.filter((name) => found[name] !== null)).toEqual([
      'flush_count',
      'without_flush',
      'end_flush_count',
      'tail_words',
    ]);
  });

  test('one flush has no gap', () => {
    const turns = [turn('a', 'one two three.@40')] as const;
    expect(columnsOf(turns)).toMatchObject({ flush_count: 1, ttff_trace_ms: 40, ttff_content_ms: 0, gap_p95_ms: null });
  });

  test('the first flush is the first in time, though silence is noticed later than it', () => {
    // a falls silent at 0, which has lasted long enough at 1000; b is let through at 3000; a speaks again at 5000.
    const turns = [turn('a', 'uno@0'), turn('b', 'one two three.@3000'), turn('a', 'dos@5000')] as const;
    expect(columnsOf(turns)).toMatchObject({ flush_count: 2, ttff_trace_ms: 1000, gap_p95_ms: 2000 });
  });
});
