import { describe, expect, test } from 'vitest';

import { makeCriterion, passesGate, thresholdFor } from '../../src/pair/criterion.ts';
import { object, span } from './items.ts';

describe('thresholdFor', () => {
  test.each([
    [0.7, 'LOC', 0.7],
    [{ LOC: 0.3, default: 0.6 }, 'LOC', 0.3],
    [{ LOC: 0.3, default: 0.6 }, 'ORG', 0.6],
    [{ LOC: 0.3 }, 'ORG', 0.5],
    // A label is text from a file: what every object has is no threshold.
    [{ LOC: 0.3, default: 0.6 }, 'constructor', 0.6],
    [{ LOC: 0.3, default: 0.6 }, 'toString', 0.6],
  ])('%j for %s is %s', (threshold, label, expected) => {
    expect(thresholdFor(threshold, label)).toBe(expected);
  });
});

describe('passesGate', () => {
  test('label or any field must be equal; no gate lets everything through', () => {
    expect(passesGate(['label'], span(0, 1, 'LOC'), span(0, 1, 'LOC'))).toBe(true);
    expect(passesGate(['label'], span(0, 1, 'LOC'), span(0, 1, 'ORG'))).toBe(false);
    expect(passesGate(['polarity'], object('a', 'x', { polarity: 'p' }), object('b', 'x', { polarity: 'p' }))).toBe(
      true,
    );
    expect(passesGate(['polarity'], object('a', 'x', { polarity: 'p' }), object('a', 'x'))).toBe(false);
    expect(passesGate([], span(0, 1, 'LOC'), span(5, 9, 'ORG'))).toBe(true);
  });
});

test('makeCriterion fills in what is not said', () => {
  expect(makeCriterion('c', { threshold: undefined })).toEqual({
    name: 'c',
    gate: [],
    similarity: 'exact',
    threshold: 0.5,
    tolerance: 0,
    words: 'whitespace',
    normalise: [],
    inverse: [],
    symmetric: [],
    equivalent: [],
    acceptable: null,
    own: null,
  });
});
