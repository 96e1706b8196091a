import { describe, expect, test } from 'vitest';

import { pairSegments } from '../../src/pair/segments.ts';
import { span } from './items.ts';

describe('tokens', () => {
  test('200,000 of them are no trouble: their square would run into the time limit of the test', () => {
    const text = 'abcd '.repeat(200_000);
    const spans = Array.from({ length: 100_000 }, (_, at) => span(at * 10, at * 10 + 4, 'X'));
    const { pairs } = pairSegments(spans, spans, text, 'token', { name: 'pair', gate: ['label'], words: 'unicode' });
    expect(pairs.reduce((sum, { weight }) => sum + weight, 0)).toBe(100_000);
  });
});
