import { describe, expect, test } from 'vitest';

import { v3Chunk } from '../../../src/stream/calibrate/calibrate-v3.ts';

const sizes = (caseId: string, regular: readonly number[], end = 0): Parameters<typeof v3Chunk>[0][number] => ({
  caseId,
  regular,
  excluded: { end_of_trace: end, turn_end: 0 },
  sha256: `sha256:${caseId}`,
});

describe('the chunk of V3', () => {
  test('is the median over cases of each case’s median, rounded up: 125, 124 and 131 give 125', () => {
    const found = v3Chunk([sizes('a', [130, 120], 2), sizes('b', [124], 1), sizes('c', [140, 129, 131])]);
    expect(found).toMatchObject({ chunkCtu: 125, median: 125, n: 3, regular: 6 });
    expect(found.excluded).toEqual({ end_of_trace: 3, turn_end: 0 });
    expect(found.cases.map(({ median }) => median)).toEqual([125, 124, 131]);
  });

  test('a median between two numbers is rounded up: 124 and 125 give 124.5, so 125', () => {
    expect(v3Chunk([sizes('a', [124]), sizes('b', [125])])).toMatchObject({ chunkCtu: 125, median: 124.5 });
  });

  test('a long case counts as much as a short one', () => {
    const long = Array.from({ length: 1000 }, () => 10);
    expect(v3Chunk([sizes('a', long), sizes('b', [100]), sizes('c', [100])]).chunkCtu).toBe(100);
  });

  // numpy 2.4.6: RandomState(42), 10,000 times np.median of choice(sorted medians), np.percentile 2.5 and 97.5.
  test('its interval is numpy’s bootstrap over cases', () => {
    const medians = [124, 123, 124, 128, 124, 125, 129, 118];
    const { interval, noInterval } = v3Chunk(medians.map((median, at) => sizes(String(at), [median])));
    expect({ interval, noInterval }).toEqual({ interval: { low: 123, high: 128 }, noInterval: null });
  });

  test('a case without a regular flush has no say, and is counted as such', () => {
    const found = v3Chunk([sizes('a', [], 3), sizes('b', [80])]);
    expect(found).toMatchObject({ chunkCtu: 80, n: 1, interval: null });
    expect(found.noInterval).toMatch(/one value only/);
    expect(found.cases[0]!.median).toBeNull();
  });

  test('without any regular flush there is no chunk, and the reason is said', () => {
    expect(v3Chunk([sizes('a', [], 1)])).toMatchObject({
      chunkCtu: null,
      median: null,
      noInterval: 'no case has a regular flush',
    });
  });
});
