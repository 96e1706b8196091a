import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Problems } from '../../../src/data/problems.ts';
import { guarded, spreadsheetCsv, unguarded } from '../../../src/review/sheets/spreadsheet-cells.ts';
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
