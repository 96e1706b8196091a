import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { displayWidth } from '../../src/report/display-width.ts';
import type { TextMark } from '../../src/report/document.ts';
import { laneLines, shownLine, wrappedLines } from '../../src/report/render-marked-text.ts';
import { makeStyle } from '../../src/report/style.ts';

const TEXT = 'The Warsaw Regional Court sat in Warsaw.';
const mark = (start: number, end: number, number: number, more: Partial<TextMark> = {}): TextMark => ({
  start,
  end,
  number,
  label: 'LOC',
  verdict: 'hit',
  side: 'gold',
  ...more,
});
const lanes = (marks: readonly TextMark[], text = TEXT, columns = 60): string[] =>
  laneLines(wrappedLines(text, columns)[0]!, marks, columns, makeStyle());

describe('laneLines', () => {
  it('puts number, verdict and label inside a mark that has room', () => {
    expect(lanes([mark(4, 25, 1, { label: 'ORG' })])).toEqual(['    ├─1✓ ORG────────────┤']);
  });

  it('puts them beside one that has not', () => {
    expect(lanes([mark(4, 10, 1)])).toEqual(['    ├────┤1✓ LOC']);
    expect(lanes([mark(4, 5, 1)])).toEqual(['    │1✓ LOC']);
  });

  it('puts them before one at the right edge', () => {
    expect(lanes([mark(33, 39, 2)], TEXT, 40)).toEqual(['                           2✓ LOC├────┤']);
  });

  it('gives nested and overlapping spans lanes of their own', () => {
    // "Warsaw Regional Court", "Warsaw" inside it, and "Court sat" across its end.
    expect(lanes([mark(4, 25, 1, { label: 'ORG' }), mark(4, 10, 2), mark(20, 29, 3, { label: 'MISC' })])).toEqual([
      '    ├─1✓ ORG────────────┤',
      '    ├────┤2✓ LOC    ├3✓ MISC┤',
    ]);
  });

  it('tells verdicts apart without colour, by symbol and by line', () => {
    const all = (['hit', 'missed', 'spurious', 'excused'] as const).map(
      (verdict) => lanes([mark(4, 14, 1, { verdict })])[0],
    );
    expect(all).toEqual(['    ├─1✓ LOC─┤', '    ├╌1✗ LOC╌┤', '    ├═1+ LOC═┤', '    ├·1~ LOC·┤']);
  });

  it('colours them by verdict', () => {
    const style = makeStyle({ colour: true });
    const line = wrappedLines(TEXT, 60)[0]!;
    expect(laneLines(line, [mark(4, 14, 1, { verdict: 'spurious' })], 60, style)).toEqual([
      '    \u001b[31m├═1+ LOC═┤\u001b[39m',
    ]);
  });

  it('leaves the end open that lies on another line', () => {
    const [first, second] = wrappedLines('The Warsaw Regional Court', 15);
    const whole = mark(4, 25, 1, { label: 'ORG' });
    const plain = makeStyle();
    expect(laneLines(first!, [whole], 15, plain)).toEqual(['    ├─1✓──›']);
    expect(laneLines(second!, [whole], 15, plain)).toEqual(['‹─1✓ ORG─────┤']);
  });

  it('marks a character as a whole though the span cuts into it', () => {
    // U+0939 U+0948 is one character; the span ends between the two.
    expect(lanes([mark(3, 4, 1)], 'रह\u0939\u0948 x')).toEqual(lanes([mark(2, 4, 1)], 'रह\u0939\u0948 x'));
  });

  it('stands under wide characters and emoji', () => {
    expect(lanes([mark(3, 5, 1)], '🎂 東京 x')).toEqual(['   ├──┤1✓ LOC']);
  });

  it('makes hostile labels safe and cuts long ones', () => {
    expect(lanes([mark(4, 5, 1, { label: '\u001b[2J' })])).toEqual(['    │1✓ ␛[2J']);
    expect(lanes([mark(4, 5, 1, { label: 'x'.repeat(99) })])).toEqual([`    │1✓ ${'x'.repeat(23)}…`]);
  });
});

const shown = (text: string, columns: number): string[] => wrappedLines(text, columns).map(shownLine);

describe('textLines', () => {
  it('breaks after a space, at line breaks of either kind, and keeps empty lines', () => {
    expect(shown('one two three\r\n\nfour', 8)).toEqual(['one two', 'three', '', 'four']);
  });

  it('breaks a long word where it must', () => expect(shown('abcdefgh ij', 5)).toEqual(['abcde', 'fgh', 'ij']));

  it('breaks between wide characters', () => expect(shown('日本語テスト', 5)).toEqual(['日本', '語テ', 'スト']));

  it('shows what a terminal would act on', () => expect(shown('a\u001b[2J\tb', 80)).toEqual(['a␛[2J␉b']));

  it('knows the column of each character', () => {
    const [line] = wrappedLines('🎂 नमस्ते!', 80);
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
        const lines = wrappedLines(text, columns);
        expect(lines[0]?.start).toBe(0);
        expect(lines.at(-1)?.end).toBe(text.length);
        lines.slice(1).forEach((line, at) => expect(line.start).toBe(lines[at]?.end));
        for (const line of lines) expect(displayWidth(shownLine(line))).toBeLessThanOrEqual(columns);
      }),
      { seed: 7 },
    );
  });
});
