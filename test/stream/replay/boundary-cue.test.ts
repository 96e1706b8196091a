import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { cueAfter, cueEffect, NO_CUE } from '../../../src/stream/replay/boundary-cue.ts';
import { runsHere } from '../../many-runs.ts';

function endsInCue(...pieces: string[]): boolean {
  return pieces.reduce((state, piece) => cueAfter(cueEffect(piece), state), NO_CUE) !== NO_CUE;
}

describe('a text ends where a sentence or a line does', () => {
  test.each([
    ['so it is.', true],
    ['is it?', true],
    ['He said "Yes."', true],
    ['(it is so.)', true],
    ['so it is. ', true],
    ['so it is.\t ', true],
    ['a line\n', true],
    ['a line\n  ', true],
    ['a line\r\n', true],
    ['3.5', false],
    ['Hello. More', false],
    ['Hello', false],
    ['a tab\t', false],
    ['so it is. )', false],
    ['**bold.**', false],
    ['only a closer)', false],
    ['', false],
    ['   ', false],
  ])('%j: %s', (text, expected) => {
    expect(endsInCue(text)).toBe(expected);
  });

  test('a closing mark may come in a piece of its own', () => {
    expect(endsInCue('He said "Yes', '.', '"')).toBe(true);
    expect(endsInCue('He said "Yes', '.', ' "')).toBe(false);
  });

  test('pieces give what the whole text gives, which is what the pattern says', () => {
    const pattern = (text: string): boolean => /(?:\n|[.?!][)\]}'"]*)$/.test(text.replace(/[ \t]+$/, ''));
    const piece = fc.string({ unit: fc.constantFrom('a', '.', ')', '"', ' ', '\t', '\n', '!'), maxLength: 4 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => endsInCue(...pieces) === pattern(pieces.join(''))),
      { seed: 42, numRuns: runsHere(2000) },
    );
  });
});
