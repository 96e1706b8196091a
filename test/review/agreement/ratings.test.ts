import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { InputError } from '../../../src/data/problems.ts';
import { numberOf, ratingText } from '../../../src/review/agreement/rating-value.ts';
import { readRatings, type RatingsFile, type RatingsFileOptions } from '../../../src/review/agreement/ratings.ts';
import { memorySource } from '../../../src/data/source.ts';

async function read(
  content: string | Uint8Array,
  options: RatingsFileOptions = {},
  name = 'r.csv',
): Promise<RatingsFile> {
  return readRatings(memorySource(name, content), options);
}

async function refused(
  content: string | Uint8Array,
  options: RatingsFileOptions = {},
  name = 'r.csv',
): Promise<string> {
  const error: unknown = await read(content, options, name).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InputError);
  return error instanceof InputError ? error.message : '';
}

const WIDE = 'case,asha,bram\nC1,vata,pitta\nC2,vata,\nC3,NA,kapha\n';

describe('a wide table', () => {
  it('has the items in its first column and a rater in each other', async () => {
    const file = await read(WIDE);
    expect(file).toMatchObject({ raters: ['asha', 'bram'], numbers: false, silent: [], notAsked: 0 });
    expect(file.layout).toEqual({ kind: 'wide', item: 'case', by: null, raters: ['asha', 'bram'] });
    expect(file.groups).toEqual([
      {
        by: null,
        items: [
          { id: 'C1', line: 2 },
          { id: 'C2', line: 3 },
          { id: 'C3', line: 4 },
        ],
        ratings: [
          ['vata', 'pitta'],
          ['vata', null],
          [null, 'kapha'],
        ],
      },
    ]);
    expect(file.missing).toEqual([
      { mark: '', count: 1 },
      { mark: 'NA', count: 1 },
    ]);
  });

  it.each([
    ['semicolons, a byte order mark and CR LF', `\ufeff${WIDE.replaceAll(',', ';').replaceAll('\n', '\r\n')}`],
    ['tabs', WIDE.replaceAll(',', '\t')],
    ['quotes and space around cells', WIDE.replaceAll('vata', '" vata "')],
    ['columns without a name behind the table', WIDE.replaceAll('\n', ',,\n')],
    ['gzip', gzipSync(WIDE)],
  ])('may have %s', async (_, content) => {
    expect((await read(content)).groups).toEqual((await read(WIDE)).groups);
  });

  it('may name its raters and its items, in any order', async () => {
    const text = 'note,bram,asha,id\nfine,x,y,1\nodd,y,y,2\n';
    const file = await read(text, { item: 'id', raters: ['asha', 'bram'] });
    expect(file.raters).toEqual(['asha', 'bram']);
    expect(file.groups[0]!.ratings).toEqual([
      ['y', 'x'],
      ['y', 'y'],
    ]);
  });

  it('may have an index without a name, as pandas writes it', async () => {
    expect((await read(',a,b\n0,x,y\n1,x,x\n')).groups[0]!.items.map(({ id }) => id)).toEqual(['0', '1']);
    const file = await read(',item,a,b\n0,C1,x,y\n1,C2,x,x\n');
    expect([file.raters, file.groups[0]!.items[1]!.id]).toEqual([['a', 'b'], 'C2']);
  });

  it('with values below no name is refused: a rater would be lost without a word', async () => {
    await expect(read('item,a,,b\n1,x,,x\n2,y,y,x\n')).rejects.toThrow(
      'r.csv:1: column 3: it has no name, but holds values (line 3): whose ratings are they?',
    );
    expect((await read('item,a,,b\n1,x,y,x\n2,y,y,x\n', { raters: ['a', 'b'] })).raters).toEqual(['a', 'b']);
    // What a spreadsheet leaves behind the table.
    expect((await read('item,a,b,,\n1,x,x,,\n2,y,x,,\n')).raters).toEqual(['a', 'b']);
  });

  it('is divided by a column called dimension, or by the one that is named', async () => {
    const file = await read('case,dimension,a,b\nC1,safety,1,2\nC1,efficacy,3,3\nC2,safety,2,2\n');
    expect(file.groups.map(({ by, items }) => [by, items.length])).toEqual([
      ['efficacy', 1],
      ['safety', 2],
    ]);
    expect(file.raters).toEqual(['a', 'b']);
    expect((await read('lang,case,a,b\nen,C1,x,y\nhi,C1,x,x\n', { by: 'lang' })).groups.map(({ by }) => by)).toEqual([
      'en',
      'hi',
    ]);
  });
});

describe('a long table', () => {
  const rows = [
    ['C1', 'r10', 'x'],
    ['C1', 'r2', 'y'],
    ['C2', 'r2', 'x'],
  ];
  const long = (header: string): string => [header, ...rows.map((row) => row.join(','))].join('\n');

  it.each(['item,rater,label', 'id,annotator,rating', 'case_id,reviewer,value'])(
    'is told by its columns: %s',
    async (header) => {
      const file = await read(long(header));
      // By natural order, whatever the order of the rows.
      expect(file.raters).toEqual(['r2', 'r10']);
      expect(file.groups[0]!.ratings).toEqual([
        ['y', 'x'],
        ['x', null],
      ]);
    },
  );

  it('may have other names, which are given', async () => {
    const file = await read(long('claim,who,said'), { item: 'claim', rater: 'who', label: 'said' });
    expect(file.layout.kind).toBe('long');
    expect(file.groups[0]!.ratings).toHaveLength(2);
  });

  it('leaves raters out that were not asked for, and counts their ratings', async () => {
    const file = await read(`${long('item,rater,label')}\nC1,r3,z\n`, { raters: ['r10', 'r2'] });
    expect(file).toMatchObject({ raters: ['r10', 'r2'], notAsked: 1 });
  });

  it('may be JSON: lines, or an array, with numbers and null', async () => {
    const records = [
      { item: 1, rater: 'a', label: true },
      { item: 1, rater: 'b', label: false },
      { item: 2, rater: 'a', label: null },
      { item: 2, rater: 'b', label: true },
    ];
    const lines = await read(records.map((record) => JSON.stringify(record)).join('\n'), {}, 'r.jsonl');
    expect(lines.groups[0]!.ratings).toEqual([
      ['true', 'false'],
      [null, 'true'],
    ]);
    expect((await read(JSON.stringify(records, null, 2), {}, 'r.json')).groups[0]!.ratings).toEqual(
      lines.groups[0]!.ratings,
    );
    expect(lines.missing).toEqual([{ mark: '', count: 1 }]);
  });

  it('may be wide in JSON too', async () => {
    const file = await read('{"item":"C1","a":1,"b":2}\n{"item":"C2","b":3,"a":3}\n{"item":"C3","a":1}', {}, 'r.jsonl');
    expect(file.raters).toEqual(['a', 'b']);
    expect(file.groups[0]!.ratings).toEqual([
      [1, 2],
      [3, 3],
      [1, null],
    ]);
  });
});

describe('ratings', () => {
  it('are numbers where all of them are, in one way of writing', async () => {
    const file = await read('item,a,b\n1,1,1.0\n2,+2,2.50\n');
    expect(file.numbers).toBe(true);
    expect(file.groups[0]!.ratings).toEqual([
      [1, 1],
      [2, 2.5],
    ]);
    expect((await read('item,a,b\n1,1,mild\n')).groups[0]!.ratings).toEqual([['1', 'mild']]);
    expect((await read('item,a,b\n1,007,7\n')).groups[0]!.ratings).toEqual([['007', '7']]);
  });

  it('that are declared are categories, also those that look like a mark for missing', async () => {
    const file = await read('item,a,b\n1,yes,NA\n2,no,\n', { categories: ['yes', 'no', 'NA'] });
    expect(file.groups[0]!.ratings).toEqual([
      ['yes', 'NA'],
      ['no', null],
    ]);
  });

  it('of nobody are left out with the rater', async () => {
    expect(await read('item,a,b,c\n1,x,y,\n2,x,x,n/a\n')).toMatchObject({ raters: ['a', 'b'], silent: ['c'] });
  });

  it.each([
    ['1', 1],
    ['-0.5', -0.5],
    ['.5', 0.5],
    ['1e3', 1000],
    ['-0', 0],
    ['01', null],
    ['1,5', null],
    ['', null],
    ['0x1', null],
    ['Infinity', null],
    ['1e999', null],
    ['12345678901234567890', null],
  ])('%j as a number is %d', (text, value) => {
    expect(numberOf(text)).toBe(value);
  });

  it('of other kinds than text, numbers and yes or no are none', () => {
    expect([ratingText(null), ratingText(undefined), ratingText(' a '), ratingText(1), ratingText(false)]).toEqual([
      '',
      '',
      'a',
      '1',
      'false',
    ]);
    expect([ratingText({}), ratingText([1]), ratingText(NaN)]).toEqual([null, null, null]);
  });
});

describe('what is wrong with a file of ratings is said at once, with its line', () => {
  it('second ratings, cells too many, items without an id, categories nobody declared', async () => {
    const said = await refused('item,a,b\n1,x,y\n1,x,x\n2,x,y,x\n,x,x\n3,x,yy\n', { categories: ['x', 'y'] });
    expect(said.split('\n')).toEqual([
      expect.stringMatching(/^r\.csv:3: a: a second rating of "1"; the first is on line 2/),
      expect.stringMatching(/^r\.csv:3: b: a second rating of "1"/),
      'r.csv:4: row: expected 3 cells as in the header, found 4',
      'r.csv:5: item: expected the id of an item, found nothing',
      'r.csv:6: b: expected one of the declared categories (x, y), found "yy" (did you mean y?)',
    ]);
  });

  it('ratings out of range, and words where numbers are needed', async () => {
    const said = await refused('item,a,b\n1,0,5\n2,mild,6\n', { range: { low: 1, high: 5 } });
    expect(said.split('\n')).toEqual([
      'r.csv:2: a: expected a number from 1 to 5, found "0"',
      'r.csv:3: a: expected a number from 1 to 5, found "mild"',
      'r.csv:3: b: expected a number from 1 to 5, found "6"',
    ]);
    expect(await refused('item;a;b\n1;1,5;2\n', { numbers: 'any' })).toContain('r.csv:2: a: expected a number');
    expect(await refused('item,a,b\n1,-1,2\n', { numbers: 'from-0' })).toContain('expected 0 or more');
  });

  it('a second rating in a long file, and a row without a rater', async () => {
    const said = await refused('item,rater,label\n1,a,x\n1,b,x\n1,a,y\n2,,x\n');
    expect(said).toContain('r.csv:4: a: a second rating of "1"; the first is on line 2');
    expect(said).toContain('r.csv:5: rater: expected the name of a rater, found nothing');
  });

  it('one rater, nobody, a rater who is not there', async () => {
    expect(await refused('item,a\n1,x\n')).toContain('only one rater, "a"; agreement needs two');
    expect(await refused('item,a,b\n1,x,\n')).toContain('("b" gave none)');
    expect(await refused('item,a,b\n1,,NA\n')).toContain('nobody gave a rating');
    expect(await refused('item,anna,b\n1,x,y\n', { raters: ['ana', 'b'] })).toContain('name it with --raters anna');
    expect(await refused('item,rater,label\n1,a,x\n1,b,y\n', { raters: ['a', 'c'] })).toContain(
      'c: this rater gave no rating',
    );
  });

  it('columns that are not there or are there twice', async () => {
    expect(await refused(WIDE, { item: 'cas' })).toContain('column cas: there is no such column');
    expect(await refused(WIDE, { by: 'dimensoin' })).toContain('column dimensoin');
    expect(await refused('item,rater,label\n1,a,x\n', { label: 'lable' })).toContain('name it with --label label');
    expect(await refused('item,a,a\n1,x,y\n')).toContain('found "a" again');
  });

  it('files that are empty, end early or are no table', async () => {
    expect(await refused('')).toContain('the file is empty');
    expect(await refused(' \n\n')).toContain('the file is empty');
    expect(await refused('item,a,b\n')).toContain('no row was found');
    expect(await refused('item,a,b\n1,"x,y\n')).toContain('quote that is never closed');
    expect(await refused('{"item":1,"rater":"a","label":"x"}\n[1]\n{"item":', {}, 'r.jsonl')).toMatch(
      /r\.jsonl:2: expected a JSON object.*\nr\.jsonl:3: the JSON is cut off/s,
    );
    expect(await refused('[{"item":1,"rater":"a","label":"x"}', {}, 'r.json')).toContain('cut off');
    expect(await refused(Buffer.from('item,a,b\n1,\u00e9,x\n', 'latin1'))).toContain('not UTF-8');
    expect(await refused(Buffer.from('\ufeffitem,a,b\n', 'utf16le'))).toContain('UTF-16');
    expect(await refused(gzipSync('{"item":1,"rater":"a","label":"x"}\n').subarray(0, 30), {}, 'r.jsonl.gz')).toContain(
      'gzip',
    );
  });

  it('a rating that is an object', async () => {
    expect(await refused('{"item":1,"rater":"a","label":{"x":1}}', {}, 'r.jsonl')).toContain(
      'label: expected a rating (text, a number, true or false), found an object',
    );
  });
});
