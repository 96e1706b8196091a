import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { harmless, shorten, distinctTexts, visible } from '../../src/data/visible.ts';
import { anyText, runs } from '../text/arbitraries.ts';

describe('visible', () => {
  it.each([
    ['Ann "the" Lee', '"Ann \\"the\\" Lee"'],
    ['clear \u001b[2J', '"clear \\u001b[2J"'],
    ['\u009b31m', '"\\u009b31m"'],
    ['\u202Etxt', '"\\u202etxt"'],
    ['a\u2028b', '"a\\u2028b"'],
    ['zero\u200bwidth', '"zero\\u200bwidth"'],
    ['\ud83d', '"\\ud83d"'],
    ['\u{e0041}', '"\\u{e0041}"'],
    ['क्‍ष 👩‍👧 é', '"क्‍ष 👩‍👧 é"'],
  ])('shows %j', (text, expected) => {
    expect(visible(text)).toBe(expected);
  });

  it('never lets a control character through', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(visible(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/);
      }),
      runs,
    );
  });
});

describe('harmless', () => {
  it('leaves ordinary text as it is and escapes the rest, line breaks too', () => {
    expect(harmless('J001 højesteret 🙂')).toBe('J001 højesteret 🙂');
    expect(harmless('a\nb\u0007')).toBe('a\\u000ab\\u0007');
  });
});

describe('two texts that are told apart', () => {
  it.each([
    ['PERSON', 'LOC', ['PERSON', 'LOC']],
    ['New York', 'new york', ['New York', 'new york']],
    ['PERSON', 'PERSON ', ['"PERSON"', '"PERSON "']],
    ['A B', 'A  B', ['"A B"', '"A  B"']],
    ['A\tB', 'A B', ['"A\\tB"', '"A B"']],
    ['PERSON', 'PER\u200bSON', ['"PERSON"', '"PER\\u200bSON"']],
    // A no-break space, and an accent of its own, look like the usual ones even in quotes.
    ['A B', 'A\u00a0B', ['"A B"', '"A\\u00a0B"']],
    ['caf\u00e9', 'cafe\u0301', ['"caf\\u00e9"', '"cafe\\u0301"']],
  ])('%j and %j', (a, b, expected) => {
    expect(distinctTexts(a, b)).toEqual(expected);
  });
});

describe('shorten', () => {
  it.each([
    ['short', 10, 'short'],
    ['exactly ten', 11, 'exactly ten'],
    ['abcdef', 3, 'abc…'],
    ['ab🙂def', 3, 'ab…'],
    ['ab🙂def', 4, 'ab🙂…'],
  ])('cuts %j at %i to %j', (text, most, expected) => {
    expect(shorten(text, most)).toBe(expected);
  });
});
