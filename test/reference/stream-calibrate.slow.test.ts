import { describe, expect, test } from 'vitest';

import { readByCase } from '../../src/stream/calibrate/flush-sizes.ts';
import { calibrateFromLogs, calibrateFromTraces } from '../../src/stream/calibrate/calibrate-v3.ts';
import { readCaseList } from '../../src/stream/calibrate/case-list.ts';
import { readGrid } from '../../src/stream/calibrate/sweep-grid.ts';
import { SCORE_NAMES } from '../../src/stream/calibrate/scores.ts';
import { type ScoredPolicy, type PolicySweep, sweepCaseOf, sweepPolicies } from '../../src/stream/calibrate/sweep.ts';
import { readRunLog, runLogFiles } from '../../src/stream/read-run-log.ts';
import { readVariant } from '../../src/stream/replay/read-variant.ts';
import { noReference, referencePath } from './reference-data.ts';

const TRACES = 'stream/traces';

// Every figure here comes from a program in Python 3 with numpy 2.4.6 that was written after the specification: the gate,
// the scores, the choice, and the resampling with RandomState(42).
describe.skipIf(noReference)('calibration on the published traces', () => {
  test('V0’s logs of eight cases give a chunk of 124 CTU; the published 126 is that of forty', async () => {
    const found = await calibrateFromLogs(referencePath('stream/runs'), 'V0');
    expect(found).toMatchObject({ chunkCtu: 124, median: 124, n: 8, regular: 345 });
    expect(found.cases.map(({ median }) => median)).toEqual([124, 123, 124, 128, 124, 125, 129, 118]);
    expect(found.excluded).toEqual({ end_of_trace: 26, turn_end: 0 });
    expect(found.interval).toEqual({ low: 123, high: 128 });
  });

  test('the traces alone give what the logs give', async () => {
    const logged = await calibrateFromLogs(referencePath('stream/runs'), 'V0');
    const gate = readVariant('V0', null, ['maxWait=first-buffer-only']);
    const replayed = await calibrateFromTraces(referencePath(TRACES), gate);
    const shown = (of: typeof logged): unknown => of.cases.map(({ sha256: _, ...own }) => own);
    expect(shown(replayed)).toEqual(shown(logged));
    expect(replayed.interval).toEqual(logged.interval);
  });

  test('of the first 21 cases of the ordered list five are there', async () => {
    const list = await readCaseList(
      referencePath('stream/manifests/exaid_traces_1d5b227a_0ad5f2b4_d22060bf.case_list.jsonl'),
    );
    expect(list.sha256).toBe('sha256:d22060bfce58b04cf0b3a24d09166a9bdeb5bb4be168022e15e87fba346ee087');
    const found = await calibrateFromLogs(referencePath('stream/runs'), 'V0', { list, first: 21 });
    expect(found).toMatchObject({ chunkCtu: 124, n: 5 });
    expect(found.list?.missing).toHaveLength(16);
  });

  const sweepOf = async (...set: readonly string[]): Promise<PolicySweep> => {
    const { grid } = await readGrid(referencePath('stream/configs/calibration_sweep.yaml'), set);
    return sweepPolicies(await readByCase(referencePath(TRACES), sweepCaseOf), grid);
  };
  const shown = ({ scores }: ScoredPolicy): Record<string, number | null> =>
    Object.fromEntries(
      SCORE_NAMES.map((name) => {
        const { value } = scores[name];
        return [name, value === null ? null : Math.round(value * 1e6) / 1e6];
      }),
    );

  test('the usual policy flushes as often as the logs say, case by case', async () => {
    const one = '{min_words: [60], max_words: [100], silence_timer_ms: [1000], max_wait_timeout_ms: [4000]}';
    const found = await sweepOf('maxWait=first-buffer-only', 'selection.resamples=0', `parameter_grid=${one}`);
    expect(found.usual.policy.id).toBe('policy_0000');
    const logs = await Promise.all(runLogFiles(referencePath('stream/runs/V0')).map(readRunLog));
    const counts = (end: boolean): number[] =>
      logs.map(({ flushes }) => flushes.filter(({ trigger_reason: why }) => (why === 'end_of_trace') === end).length);
    const row = (name: 'flush_count' | 'end_flush_count'): number[] => {
      const { place } = found.usual;
      return [...found.table.columns[name].subarray(place * 8, place * 8 + 8)];
    };
    expect(row('flush_count')).toEqual(counts(false));
    expect(row('end_flush_count')).toEqual(counts(true));
    expect(row('flush_count')).toEqual([43, 57, 49, 34, 40, 37, 40, 45]);
  });

  test('a sweep of 625 policies: scores, survivors, front, choice, and how sure it is', async () => {
    const found = await sweepOf();
    expect([found.policies.length, found.survivors, found.front.length]).toEqual([625, 375, 115]);
    expect(found.removed).toEqual([{ constraint: 'chunk_size_p50_min', policies: 250, alone: 250 }]);
    expect(found.bounds.find(({ constraint }) => constraint === 'ttff_content_p95_ms')?.limit).toBeCloseTo(4803.3, 9);
    expect(shown(found.usual)).toEqual({
      flush_count_mean: 43.25,
      ttff_content_p50_ms: 1318.5,
      ttff_content_p95_ms: 1869.35,
      ttff_trace_p50_ms: 1845.5,
      chunk_size_p50: 66,
      chunk_size_p90: 80.86,
      chunk_size_p95: 89.2,
      chunk_size_max: 96,
      worst_wait_p50_ms: 2127,
      worst_wait_p95_ms: 2479.64,
      worst_wait_max_ms: 4081,
      late_wait_p95_ms: 19131.965,
      late_wait_max_ms: 40128,
      gap_p95_ms: 3464.8125,
      spam_pct_mean: 4.493294,
      timer_flush_pct_mean: 6.993952,
      timer_under_min_pct_mean: 6.993952,
      tail_words_mean: 110.625,
      cases_without_flush: 0,
    });
    expect(found.chosen?.policy).toMatchObject({
      id: 'policy_0406',
      minWords: 60,
      maxWords: 100,
      silenceMs: 1500,
      maxWaitMs: 5000,
    });
    expect(found.chosen?.distance).toBeCloseTo(0.3414158582240133, 12);
    expect(found.objectives.map(({ best, worst }) => [best, worst])).toEqual([
      [37.25, 50.125],
      [1230.5, 1457],
      [expect.closeTo(2438.3525, 6), expect.closeTo(4073.28, 6)],
    ]);

    const { stability } = found;
    const times = (id: number): number | undefined => stability?.chosen[id];
    expect([406, 400, 255, 500, 375, 380, 265, 405].map(times)).toEqual([357, 150, 125, 122, 74, 70, 33, 29]);
    expect(stability?.onFront.get(406)).toBe(931);
    expect(stability?.noneLeft).toBe(0);
    expect(stability?.spread.map(({ chosen }) => chosen)).toEqual([
      { low: 38.121875, high: 47.875 },
      { low: 1220, high: 1831 },
      { low: expect.closeTo(2356.70156, 4), high: expect.closeTo(2676.4, 6) },
    ]);
    expect(stability?.spread[0]?.difference).toEqual({ low: -1, high: -0.125 });
  });
});
