import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Problems } from '../../../src/data/problems.ts';
import {
  damageIn,
  guarded,
  isSameText,
  lostIn,
  spoiltBySaving,
  spreadsheetCsv,
  unguarded,
} from '../../../src/review/sheets/spreadsheet-cells.ts';
import { spreadsheetRows } from '../../../src/review/sheets/spreadsheet-rows.ts';

describe('a cell that a spreadsheet would take for a formula', () => {
  it.each(['=1+2', '+1', '-1', '@a', '\t=1', '\ra', '  =1', '\u00a0-1', '＝1', '＋1', '－1', '＠a', '\n=1'])(
    'gets an apostrophe: %j',
    (text) => {
      expect(guarded(text)).toBe(`'${text}`);
      expect(unguarded(guarded(text))).toBe(text);
    },
  );

  it('gets one more where it has one already, so that it comes back as it was', () => {
    expect(guarded("'=1")).toBe("''=1");
    expect(unguarded("''=1")).toBe("'=1");
  });

  it.each(['1', 'a=1', "'tis", "'", '', ' a', 'a-b', '—'])('is not %j, which stays as it is', (text) => {
    expect(guarded(text)).toBe(text);
    expect(unguarded(text)).toBe(text);
  });
});

describe('a table for spreadsheets', () => {
  it('has a mark, CR LF and quotes where they are needed', () => {
    expect(
      spreadsheetCsv(
        ['a', 'b'],
        [
          ['x, "y"', 'l1\nl2'],
          ['z', ''],
        ],
      ),
    ).toBe('\ufeffa,b\r\n"x, ""y""","l1\nl2"\r\nz,\r\n');
  });

  const HARD = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.string({ unit: fc.constantFrom(...Array.from('=+-@\'"\t\r\n ;,a＝\ufeffसे\u2028\0')), maxLength: 12 }),
  );

  it('never holds a NUL', () => {
    expect(spreadsheetCsv(['a'], [['x\0y']])).toBe('\ufeffa\r\nx\ufffdy\r\n');
  });

  it('gives any text back as it was, but for NUL', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(HARD, HARD, HARD), { maxLength: 5 }), async (rows) => {
        const csv = spreadsheetCsv(
          ['id', 'a', 'b', 'c'],
          rows.map((row, at) => [`r${at}`, ...row]),
        );
        const problems = new Problems();
        const table = await spreadsheetRows(csv.slice(1), 'a.csv', problems);
        problems.throwIfAny();
        expect(table.rows.map((row) => ['a', 'b', 'c'].map((column) => row.cell(column)))).toEqual(
          rows.map((row) => row.map((text) => text.split('\0').join('\ufffd'))),
        );
      }),
      { numRuns: 300, seed: 6 },
    );
  });

  it('never begins a cell as a formula begins', () => {
    fc.assert(
      fc.property(HARD, (text) => {
        expect(guarded(text)).not.toMatch(/^\s*[=+\-@＝＋－＠]|^[\t\r]/u);
      }),
      { numRuns: 500, seed: 6 },
    );
  });
});

describe('damage that spreadsheets do', () => {
  it.each([
    '02-Jan',
    '2. Jan',
    'Jan-02',
    'Dec-40',
    '15-Mär-26',
    '1/2/2026',
    '2026-01-02',
    '2026-01-02 00:00:00',
    '02.01.2026',
    '46024',
  ])('is a date in %j', (cell) => {
    expect(damageIn(cell)).toMatch(/date/);
  });

  it('is a large number or an error', () => {
    expect(damageIn('1.00E+05')).toMatch(/number/);
    expect(damageIn('#NAME?')).toMatch(/formula/);
    expect(damageIn('Err:508')).toMatch(/formula/);
  });

  it.each(['4', '4.0', 'vata', 'Jana', '1-2', '12', 'may be', '#1', 'i12'])('is not seen in %j', (cell) => {
    expect(damageIn(cell)).toBeNull();
  });
});

describe('a text that came back', () => {
  it.each([
    ['a\nb', 'a\r\nb'],
    ['a\r\nb', 'a\nb'],
    ['=x', "'=x"],
    ["'=x", '=x'],
    [' a ', 'a'],
  ])('is the same: %j and %j', (written, found) => {
    expect(isSameText(written, found)).toBe(true);
  });

  it('is another one when a word is', () => {
    expect(isSameText('a b', 'a c')).toBe(false);
    expect(spoiltBySaving('a b', 'a c')).toBeNull();
  });

  it('may have lost its letters to an old code page', () => {
    expect(spoiltBySaving('गरम tea 🍵 ok?', '??? tea ?? ok?')).toMatch(/^has \? for characters/);
    // Somebody asks a question: nothing was lost.
    expect(spoiltBySaving('warm tea', 'warm tea?')).toBeNull();
  });

  it('may have lost characters that nobody knows', () => {
    expect(spoiltBySaving('größer', 'gr\ufffd\ufffder')).toMatch(/^has \ufffd for characters/);
    expect(lostIn('gr\ufffder')).toMatch(/^has \ufffd where/);
    expect(lostIn('na?ve')).toMatch(/^has \? where/);
    expect(lostIn('??? ????')).toMatch(/^has \? where/);
    for (const text of ['Why?', 'really?? no', 'a ? b', '']) expect(lostIn(text), text).toBeNull();
  });

  it('may have been read with the wrong character set', () => {
    expect(spoiltBySaving('it’s højesteret', 'itâ€™s hÃ¸jesteret')).toMatch(/wrong character set/);
  });

  it('may have been cut off where a cell of Excel ends', () => {
    expect(spoiltBySaving('x'.repeat(40_000), 'x'.repeat(32_767))).toMatch(/cut off/);
    expect(spoiltBySaving('x'.repeat(40), 'x'.repeat(30))).toBeNull();
  });
});
