import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { displayWidth } from '../../src/report/display-width.ts';
import { shownLine, textLines } from '../../src/report/text-lines.ts';

const shown = (text: string, columns: number): string[] => textLines(text, columns).map(shownLine);

describe('textLines', () => {
  it('breaks after a space, at line breaks of either kind, and keeps empty lines', () => {
    expect(shown('one two three\r\n\nfour', 8)).toEqual(['one two', 'three', '', 'four']);
  });

  it('breaks a long word where it must', () => expect(shown('abcdefgh ij', 5)).toEqual(['abcde', 'fgh', 'ij']));

  it('breaks between wide characters', () => expect(shown('日本語テスト', 5)).toEqual(['日本', '語テ', 'スト']));

  it('shows what a terminal would act on', () => expect(shown('a\u001b[2J\tb', 80)).toEqual(['a␛[2J␉b']));

  it('knows the column of each character', () => {
    const [line] = textLines('🎂 नमस्ते!', 80);
    // The emoji takes two columns; त with its vowel sign is one character and one column, as is स with its sign.
    expect(line?.glyphs.map(({ shown: text, column }) => [text, column])).toEqual([
      ['🎂', 0],
      [' ', 2],
      ['न', 3],
      ['म', 4],
      ['स्ते', 5],
      ['!', 7],
    ]);
  });

  it('stands for every unit of the text once, in lines that fit', () => {
    const unit = fc.constantFrom('a', 'bc', ' ', '\n', '\r\n', '日', '🎂', 'े', '\u001b', 'longer-word');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), fc.integer({ min: 8, max: 30 }), (text, columns) => {
        const lines = textLines(text, columns);
        expect(lines[0]?.start).toBe(0);
        expect(lines.at(-1)?.end).toBe(text.length);
        lines.slice(1).forEach((line, at) => expect(line.start).toBe(lines[at]?.end));
        for (const line of lines) expect(displayWidth(shownLine(line))).toBeLessThanOrEqual(columns);
      }),
      { seed: 7 },
    );
  });
});
