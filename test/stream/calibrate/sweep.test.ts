import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { readGrid } from '../../../src/stream/calibrate/sweep-grid.ts';
import { dominates } from '../../../src/stream/calibrate/choose-policy.ts';
import {
  type ScoredPolicy,
  type PolicySweep,
  sweepCaseOf,
  sweepPolicies,
} from '../../../src/stream/calibrate/sweep.ts';
import { passGate } from '../../../src/stream/replay/token-gate.ts';
import type { Trace } from '../../../src/stream/trace-records.ts';
import { madeTrace, turn } from '../made-trace.ts';
import { DOZEN } from './dozen-deltas.ts';

/** Small enough for a dozen deltas, with nothing forbidden. */
const SMALL = [
  'parameter_grid={min_words: [2, 3], max_words: [4, 5], silence_timer_ms: [1000], max_wait_timeout_ms: [4000]}',
  'validity_constraints.min_gap_between_min_max=1',
  'constraints={spam_pct_mean: null, timer_under_min_pct_mean: null, chunk_size_p50_min_ratio: null, chunk_size_p50_min: null}',
];

async function sweep(traces: readonly Trace[], set: readonly string[] = SMALL): Promise<PolicySweep> {
  const { grid } = await readGrid(null, set);
  return sweepPolicies(traces.map(sweepCaseOf), grid);
}

const updates = ({ policies }: PolicySweep): (number | null)[] =>
  policies.map(({ scores }) => scores.flush_count_mean.value);

/** Four conversations whose words come in bursts. */
function conversations(seed: number): Trace[] {
  let state = seed;
  const below = (most: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state % most;
  };
  return ['w', 'x', 'y', 'z'].map((id) => {
    let time = 0;
    const turns = Array.from({ length: 6 }, (_, at) => ({
      agent: `agent${at % 3}`,
      deltas: Array.from({ length: 5 + below(60) }, (): [string, number] => {
        time += below(40) === 0 ? 500 + below(4000) : below(120);
        return [below(9) === 0 ? '.' : ` word${below(7)}`, time];
      }),
    }));
    return madeTrace(id, turns);
  });
}

const BURSTS = [
  'parameter_grid={min_words: [5, 10, 15], max_words: [20, 30], silence_timer_ms: [500, 1000], max_wait_timeout_ms: [1500, 4000]}',
  'constraints={spam_pct_mean: null, timer_under_min_pct_mean: null, chunk_size_p50_min: null, chunk_size_p50_min_ratio: null}',
  'selection.resamples=50',
];

describe('a sweep', () => {
  test('of four policies over a dozen deltas, by hand', async () => {
    const found = await sweep([madeTrace('dozen', DOZEN)]);
    // At 2 words: "One two three.", " four five" after silence, then b: 4 words at 1200 and 2 held back.
    // 2 to 4 words: 3 flushes. 2 to 5: b at 1500. 3 to 4: the same. 3 to 5: the same as in the example.
    expect(updates(found)).toEqual([3, 3, 3, 3]);
    expect(found.policies.map(({ scores }) => scores.tail_words_mean.value)).toEqual([4, 3, 4, 3]);
    expect(found.policies.map(({ scores }) => scores.ttff_content_p50_ms.value)).toEqual([500, 500, 500, 500]);
    expect(found.policies.every(({ onFront }) => onFront)).toBe(true);
    expect(found.chosen?.policy.id).toBe('policy_0000');
    expect(found.noStability).toBe('there is one case only: nothing to resample');
  });

  test('what an ordinary gate does stands beside it, in the grid or not', async () => {
    const found = await sweep([madeTrace('dozen', DOZEN)]);
    expect(found.usual.policy).toMatchObject({ id: 'usual', minWords: 60, maxWords: 100, silenceMs: 1000 });
    // Only silence lets anything through: five words of a.
    expect(found.usual.scores.flush_count_mean).toEqual({ value: 1, n: 1 });
    expect(found.policies.some(({ policy }) => policy.id === 'usual')).toBe(false);
  });

  test('counts flushes as the gate itself does, whatever the wait counts from', async () => {
    const traces = conversations(7);
    for (const maxWait of ['every-buffer', 'first-buffer-only']) {
      const found = await sweep(traces, [...BURSTS, `maxWait=${maxWait}`]);
      for (const { policy, place } of found.policies)
        for (const [at, { input }] of traces.map(sweepCaseOf).entries()) {
          let regular = 0;
          passGate(input, policy, ({ reason }) => void (regular += reason === 'end_of_trace' ? 0 : 1));
          expect(found.table.columns.flush_count[place * traces.length + at]).toBe(regular);
        }
    }
  });

  test('the front has no policy that another beats, every other survivor is beaten, and the choice is on it', async () => {
    const point = ({ scores }: ScoredPolicy): number[] => [
      scores.flush_count_mean.value!,
      scores.ttff_content_p50_ms.value!,
      scores.worst_wait_p95_ms.value!,
    ];
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
        const found = await sweep(conversations(seed), [...BURSTS, 'selection.resamples=0']);
        const survivors = found.policies.filter(({ violations }) => violations.length === 0);
        expect(survivors).toHaveLength(found.survivors);
        for (const own of survivors)
          expect(survivors.some((other) => dominates(point(other), point(own)))).toBe(!own.onFront);
        // Chosen from the front, and from nowhere where there is none.
        expect([...found.front, ...(found.front.length === 0 ? [null] : [])]).toContain(found.chosen);
      }),
      { seed: 20261, numRuns: 20 },
    );
  });

  test('removes policies by constraint, with value and bound, and says what each removes alone', async () => {
    const found = await sweep(
      [madeTrace('dozen', DOZEN)],
      [...SMALL, 'constraints.chunk_size_p50_min_ratio=1.2', 'constraints.chunk_size_p95_max=4.5'],
    );
    // Chunks of 2, 3 and 4 or 5 words: median 3, p95 3.9 or 4.8. 1.2 times min_words is 2.4 or 3.6.
    expect(found.policies.map(({ violations }) => violations.map(({ constraint }) => constraint))).toEqual([
      [],
      ['chunk_size_p95_max'],
      ['chunk_size_p50_min_ratio'],
      ['chunk_size_p50_min_ratio', 'chunk_size_p95_max'],
    ]);
    const [ratio] = found.policies[2]!.violations;
    expect(ratio).toMatchObject({ value: 3, side: 'at least' });
    expect(ratio!.bound).toBeCloseTo(3.6, 12);
    expect(found.removed).toEqual([
      { constraint: 'chunk_size_p50_min_ratio', policies: 2, alone: 1 },
      { constraint: 'chunk_size_p95_max', policies: 2, alone: 1 },
    ]);
    expect(found.chosen?.policy.id).toBe('policy_0000');
  });

  test('derives the bounds that the grid leaves open, and takes a number that stands there', async () => {
    const trace = madeTrace('dozen', DOZEN);
    // a has said 2 words 200 ms after the first content delta and 3 after 400: p95 390, times 3. 1.5 times 4000.
    const bounds = new Map((await sweep([trace])).bounds.map(({ constraint, limit }) => [constraint, limit]));
    expect(bounds.get('ttff_content_p95_ms')).toBeCloseTo(1170, 9);
    expect(bounds.get('worst_wait_p95_ms')).toBe(6000);
    const given = await sweep(
      [trace],
      [...SMALL, 'constraints.ttff_content_p95_ms=499', 'derived_constraints.worst_wait_p95_ms.enabled=false'],
    );
    expect(given.bounds.map(({ constraint }) => constraint)).not.toContain('worst_wait_p95_ms');
    expect([given.survivors, given.chosen, given.noStability]).toEqual([0, null, 'nothing was chosen']);
  });

  test('a policy that lets nothing through cannot be ranked, and that is why it goes', async () => {
    const found = await sweep(
      [madeTrace('t', [turn('a', 'one two three@0')])],
      [
        ...SMALL,
        'parameter_grid.min_words=[2, 40]',
        'parameter_grid.max_words=[3, 50]',
        'constraints.flush_count_mean=null',
      ],
    );
    // 2 to 3 words: 1 flush. 2 to 50 and 40 to 50: none, with 40 to 3 not tried.
    expect(found.invalid.map(({ because }) => because)).toEqual(['min_words_lt_max_words']);
    expect(found.policies.map(({ scores }) => scores.ttff_content_p50_ms)).toEqual([
      { value: 0, n: 1 },
      { value: null, n: 0 },
      { value: null, n: 0 },
    ]);
    expect(found.policies[1]!.violations).toEqual([
      { constraint: 'objective', value: null, bound: null, side: 'at most' },
    ]);
    expect(found.chosen?.policy.id).toBe('policy_0000');
  });

  test('larger chunks are better where they are an objective', async () => {
    const found = await sweep(
      [madeTrace('dozen', DOZEN)],
      [...SMALL, 'selection.objectives=[chunk_size_p50, tail_words_mean]'],
    );
    const [size] = found.objectives;
    expect(size).toMatchObject({ name: 'chunk_size_p50', best: 3, worst: 3, used: false });
    // Equal in size; of these the fewest words left over.
    expect(found.chosen?.policy.maxWords).toBe(5);
  });

  test('every resample chooses one policy or none, and what it chooses is on its front', async () => {
    const found = await sweep(conversations(11), BURSTS);
    const stability = found.stability!;
    const chosen = stability.chosen.reduce((sum, times) => sum + times, 0);
    expect(chosen + stability.noneLeft).toBe(50);
    const { place } = found.chosen!;
    expect(stability.onFront.get(place)).toBeGreaterThanOrEqual(stability.chosen[place]!);
  });

  test('the order of the cases does not matter', async () => {
    const traces = conversations(11);
    const [one, other] = [await sweep(traces, BURSTS), await sweep(traces.toReversed(), BURSTS)];
    const shown = ({ policies, chosen, bounds }: PolicySweep): unknown => [
      bounds,
      chosen?.policy,
      policies.map(({ onFront, distance, scores }) => [
        onFront,
        distance,
        scores.worst_wait_p95_ms,
        scores.tail_words_mean,
      ]),
    ];
    expect(shown(other)).toEqual(shown(one));
  });

  test('cases that are all alike leave no doubt', async () => {
    const [first] = conversations(3);
    const copies = ['p', 'q', 'r'].map((id) => ({ ...first!, meta: { ...first!.meta, case_id: id } }));
    const { stability, chosen } = await sweep(copies, BURSTS);
    expect(stability!.chosen[chosen!.place]).toBe(50);
    expect(stability!.spread[0]!.chosen).toEqual({
      low: chosen!.scores.flush_count_mean.value,
      high: chosen!.scores.flush_count_mean.value,
    });
  });
});
