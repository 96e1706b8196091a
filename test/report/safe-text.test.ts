import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { safeText } from '../../src/report/safe-text.ts';
import { dangerous } from './made-up-run.ts';

describe('safeText', () => {
  it.each([
    ['plain text, also ÅÄÖ', 'plain text, also ÅÄÖ'],
    ['\u001b[31mred', '␛[31mred'],
    ['a\nb\tc\r', 'a⏎b␉c␍'],
    ['\u0007\u007f', '␇␡'],
    ['\u009b31m', '‹U+009B›31m'],
    ['photo\u202Egpj.exe', 'photo‹U+202E›gpj.exe'],
    ['zero\u200bwidth', 'zero‹U+200B›width'],
    ['\ud83d alone', '‹U+D83D› alone'],
  ])('shows %j as %j', (given, shown) => {
    expect(safeText(given)).toBe(shown);
  });

  it('leaves Devanagari with its joiners and emoji families alone', () => {
    expect(safeText('क्‍ष 👩‍🍳 नमस्ते')).toBe('क्‍ष 👩‍🍳 नमस्ते');
  });

  it('leaves nothing that a terminal would act on, and safe text as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const safe = safeText(text);
        expect(dangerous(safe)).toEqual([]);
        expect(safe).not.toContain('\n');
        expect(safeText(safe)).toBe(safe);
      }),
      { seed: 7 },
    );
  });
});
