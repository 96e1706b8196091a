import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { DataOptions } from '../../../src/data/data-options.ts';
import { UsageError } from '../../../src/data/problems.ts';
import { memorySource } from '../../../src/data/source.ts';
import { runs } from '../../text/arbitraries.ts';
import { caseOf, casesOf, cutSource, jsonl, problems, readerOf, shown } from '../reading.ts';

const predictions = jsonl({ id: 'd1', spans: [] });
const table = (text: string | Uint8Array) => memorySource('gold.csv', text);

/** The gold spans of d1 that a table gives. */
async function gold(text: string | Uint8Array, options: Partial<DataOptions> = {}): Promise<string[]> {
  return shown((await caseOf({ gold: table(text), predictions }, options)).gold);
}

describe('csv', () => {
  it('gives one span a row, gathered by case wherever the rows stand', async () => {
    const read = await casesOf({
      gold: table('id,start,end,label,text\nd1,0,3,PER,Ann\nd2,0,2,ORG,EU\nd1,8,10,PER,Bo\n'),
      predictions: memorySource('p.csv', 'id,start,end,label\nd2,0,2,ORG\nd1,8,10,PER\n'),
    });
    expect(read.map(({ id, gold: own, predicted }) => [id, shown(own), shown(predicted)])).toEqual([
      ['d1', ['PER Ann 0..3', 'PER Bo 8..10'], ['PER  8..10']],
      ['d2', ['ORG EU 0..2'], ['ORG  0..2']],
    ]);
    expect(read[0]!.gold.map(({ index, line }) => [index, line])).toEqual([
      [0, 2],
      [1, 4],
    ]);
  });

  it('gives one case a row in a case file', async () => {
    const only = await caseOf({
      cases: memorySource('cases.csv', 'id,text,court\nd1,"Ann, ""the"" Bo",north\n'),
      gold: table('id,start,end,label\nd1,0,3,PER\n'),
      predictions,
    });
    expect(only).toMatchObject({ text: 'Ann, "the" Bo', fields: { court: 'north' } });
    expect(shown(only.gold)).toEqual(['PER Ann 0..3']);
  });

  it.each([
    ['commas', 'id,start,end,label\nd1,0,3,PER\n'],
    ['semicolons', 'id;start;end;label\nd1;0;3;PER\n'],
    ['tabs', 'id\tstart\tend\tlabel\nd1\t0\t3\tPER\n'],
    ['CR LF', 'id,start,end,label\r\nd1,0,3,PER\r\n'],
    ['CR alone', 'id,start,end,label\rd1,0,3,PER\r'],
    ['a mark', '\ufeffid,start,end,label\nd1,0,3,PER\n'],
    ['quotes', '"id","start","end","label"\n"d1","0","3","PER"\n'],
    ['a mark and quotes', '\ufeff"id","start","end","label"\n"d1","0","3","PER"\n'],
    ['spaces in the header', 'id, start, end, label\nd1, 0, 3,PER\n'],
    ['blank lines', '\n\nid,start,end,label\n\n  \nd1,0,3,PER\n\n'],
    ['no last line break', 'id,start,end,label\nd1,0,3,PER'],
    ['columns without a name', 'id,start,end,label,,\nd1,0,3,PER,,\n'],
  ])('takes %s', async (_, text) => {
    expect(await gold(text)).toEqual(['PER  0..3']);
  });

  it('is parted by what its header is parted by, not by the other delimiters', async () => {
    expect(await gold('id,start,end,label,text\nd1,0,4,PER,a;\tb\n')).toEqual(['PER a;\tb 0..4']);
    expect(await gold('id;start;end;label;"text"\nd1;0;3;PER;a,b\n')).toEqual(['PER a,b 0..3']);
    expect(await gold('"x,y,z,u,v,w,q";id;start;end;label\n;d1;0;3;PER\n')).toEqual(['PER  0..3']);
  });

  it('leaves cells that look like formulas or numbers as they are', async () => {
    const only = await caseOf({
      gold: table('id,start,end,label,text,note,code\nd1,0,7,PER,=1+1,@SUM(A1),007\n'),
      predictions,
    });
    expect(only.gold[0]).toMatchObject({ text: '=1+1', fields: { note: '@SUM(A1)', code: '007' } });
  });

  it('keeps line breaks inside quotes as they are', async () => {
    const read = await caseOf({
      cases: memorySource('cases.csv', 'id,text\r\nd1,"Ann\r\nmet\nBo"\r\n'),
      gold: table('id,start,end,label\nd1,5,8,V\n'),
      predictions,
    });
    expect(read.text).toBe('Ann\r\nmet\nBo');
    expect(shown(read.gold)).toEqual(['V met 5..8']);
  });

  it('takes columns under other names', async () => {
    const columns = { id: 'document', start: 'from', end: 'to', label: 'category', text: 'surface' };
    const only = await caseOf(
      {
        cases: memorySource('cases.csv', 'document,text\nd1,Ann met Bo.\n'),
        gold: table('document,from,to,category,surface\nd1,0,3,PER,Ann\n'),
        predictions,
      },
      { columns },
    );
    expect(shown(only.gold)).toEqual(['PER Ann 0..3']);
    expect(only.gold[0]!.fields).toEqual({});
  });

  it('reads annotators, and takes empty cells for none', async () => {
    const { gold: items } = await caseOf({
      gold: table('id,start,end,label,text,annotator\nd1,0,3,PER,,a1\nd1,0,3,PER,Ann,\n'),
      predictions,
    });
    expect(items.map(({ text, annotator }) => [text, annotator])).toEqual([
      ['', 'a1'],
      ['Ann', null],
    ]);
  });

  it('has cases with nothing found as rows of an id and empty cells', async () => {
    const read = await casesOf({
      gold: table('id,start,end,label\nd1,,,\nd2,0,3,PER\n'),
      predictions: jsonl({ id: 'd1', spans: [] }, { id: 'd2', spans: [] }),
    });
    expect(read.map(({ gold: own }) => own.length)).toEqual([0, 1]);
  });
});

describe('csv complains', () => {
  it.each([
    [
      'a missing column',
      'id,start,end,lable\nd1,0,3,PER\n',
      [
        'gold.csv:1: column label: expected a column for label, found only "id", "start", "end", "lable" (map it with --columns label=lable)',
      ],
    ],
    [
      'a first line that is a row: no map would help',
      'd1,0,3,PER\nd2,0,3,PER\n',
      [
        'gold.csv:1: header: expected the names of the columns in the first line, found "d1", "0", "3", "PER" (write a line above it that names them, such as id,start,end,label)',
      ],
    ],
    [
      'missing columns, all at once',
      '\nname,x\nd1,0\n',
      [
        expect.stringMatching(/^gold\.csv:2: column id: .*--columns id=NAME/),
        expect.stringMatching(/^gold\.csv:2: column start/),
        expect.stringMatching(/^gold\.csv:2: column end/),
        expect.stringMatching(/^gold\.csv:2: column label/),
      ],
    ],
    [
      'a column twice',
      'id,start,end,label,start\nd1,0,3,PER,1\n',
      ['gold.csv:1: header: expected each column name once, found "start"'],
    ],
    [
      'a column called __proto__',
      'id,start,end,label,__proto__\nd1,0,3,PER,1\n',
      ['gold.csv:1: header: expected other column names, found "__proto__" (rename or remove this column)'],
    ],
    ['a short row', 'id,start,end,label\nd1,0,3\n', ['gold.csv:2: row: expected 4 cells as in the header, found 3']],
    [
      'a long row',
      'id,start,end,label\nd1,0,3,PER,x\n',
      ['gold.csv:2: row: expected 4 cells as in the header, found 5'],
    ],
    [
      'offsets that are no whole numbers',
      'id,start,end,label\nd1,x,1.5,PER\nd1,NaN,1e3,PER\nd1,0,9999999999999999,PER\n',
      [
        'gold.csv:2: start: expected a whole number of at most 15 digits, found "x"',
        'gold.csv:2: end: expected a whole number of at most 15 digits, found "1.5"',
        'gold.csv:3: start: expected a whole number of at most 15 digits, found "NaN"',
        'gold.csv:3: end: expected a whole number of at most 15 digits, found "1e3"',
        'gold.csv:4: end: expected a whole number of at most 15 digits, found "9999999999999999"',
      ],
    ],
    [
      'an empty offset or label',
      'id,start,end,label\nd1,0,,PER\nd1,0,3,\n',
      [
        'gold.csv:2: end: expected a whole number of at most 15 digits, found ""',
        'gold.csv:3: label: expected a label, found ""',
      ],
    ],
    ['an empty id', 'id,start,end,label\n,0,3,PER\n', ['gold.csv:2: id: expected a case id, found ""']],
    ['a header alone', 'id,start,end,label\n', ['gold.csv: no record was found in this file']],
    [
      'a quote in the middle of a cell',
      'id,start,end,label\nd1,0,3,PER\nd1,0,3,P"ER\n',
      [expect.stringMatching(/^gold\.csv:3: not CSV in the record that begins here: Invalid Opening Quote/)],
    ],
    [
      'a quote that never closes',
      'id,start,end,label\nd1,0,3,PER\n"d1,0,3,PER\nd1,0,3,PER\n',
      [expect.stringMatching(/^gold\.csv:3: not CSV: the record that begins here has a quote that is never closed/)],
    ],
  ])('of %s', async (_, text, expected) => {
    expect(await problems({ gold: table(text), predictions })).toEqual(expected);
  });

  it.each(['\n', '\r\n', '\r'])('with the right lines after quoted line breaks, where lines end in %j', async (end) => {
    const rows = [
      'id,start,end,label,text',
      `d1,0,3,PER,"a${end}b${end}c"`,
      'd1,1',
      '',
      `d1,x,3,PER,"${end}"`,
      'd1,0,3,PER,"un"closed',
    ];
    expect((await problems({ gold: table(rows.join(end)), predictions })).map((line) => line.split(':')[1])).toEqual([
      '5',
      '7',
      '9',
    ]);
  });

  it('of bytes that are not UTF-8, with their line', async () => {
    const text = Buffer.from('id,start,end,label\nd1,0,3,PER\nd1,0,3,P\u00c9R\n', 'latin1');
    expect(await problems({ gold: table(text), predictions })).toEqual([
      expect.stringMatching(/^gold\.csv:3: the bytes are not UTF-8/),
    ]);
  });

  it('of a record longer than allowed, which an open quote makes', async () => {
    const text = `id,start,end,label,text\nd1,0,3,PER,"${'x'.repeat(5000)}`;
    expect(await problems({ gold: table(text), predictions }, { maxRecordMiB: 0.001 })).toEqual([
      expect.stringMatching(/^gold\.csv:2: the record that begins here is too long .*maxRecordMiB/),
    ]);
  });

  it('of a mapped column that is not there, even when the plain name is', async () => {
    const text = 'id,start,end,label,category\nd1,0,3,PER,X\n';
    expect(await problems({ gold: table(text), predictions }, { columns: { label: 'categroy' } })).toEqual([
      'gold.csv:1: column categroy: expected a column for label, found only "id", "start", "end", "label", "category" (map it with --columns label=category)',
    ]);
  });

  it('of a part that there is not', async () => {
    const reading = gold('id,start,end,label\nd1,0,3,PER\n', { columns: { lable: 'x' } });
    await expect(reading).rejects.toThrow(UsageError);
    await expect(reading).rejects.toMatchObject({
      message: 'columns: there is no part called lable',
      next: 'did you mean label?',
    });
  });

  it('of a case given twice', async () => {
    const cases = memorySource('cases.csv', 'id,text\nd1,a\nd2,b\nd1,c\n');
    expect(await problems({ cases, gold: predictions, predictions })).toContain(
      'cases.csv:4: the id "d1" was given before in this file (one record per case is expected)',
    );
  });
});

describe('csv, cut anywhere,', () => {
  it('gives the same rows', async () => {
    const cell = fc.oneof(
      fc.constantFrom('d1', '0', '12', 'PER', '"a ""b"""', '"x\ny"', '"x\r\ny"', 'æ', ''),
      fc.string({ maxLength: 3 }),
    );
    const rows = fc.array(fc.array(cell, { minLength: 5, maxLength: 5 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.constantFrom('\n', '\r\n'),
        fc.array(fc.nat(150), { maxLength: 6 }),
        async (cells, end, places) => {
          const text = Buffer.from(
            ['id,start,end,label,text', ...cells.map((row) => row.join(',')), 'd1,0,1,PER,a'].join(end),
          );
          const outcome = async (at: readonly number[]): Promise<unknown> => {
            const reader = readerOf({ gold: cutSource('g.csv', text, at), predictions });
            return Array.fromAsync(reader).catch((error: unknown) => String(error));
          };
          expect(await outcome(places)).toEqual(await outcome([]));
        },
      ),
      runs,
    );
  });
});
