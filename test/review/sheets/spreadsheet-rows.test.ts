import { describe, expect, it } from 'vitest';

import { InputError, Problems } from '../../../src/data/problems.ts';
import { spreadsheetRows, type SpreadsheetTable } from '../../../src/review/sheets/spreadsheet-rows.ts';

interface Reading {
  readonly table: SpreadsheetTable;
  readonly said: string;
}

async function read(text: string): Promise<Reading> {
  const problems = new Problems();
  const table = await spreadsheetRows(text, 'a.csv', problems);
  try {
    problems.throwIfAny();
    return { table, said: '' };
  } catch (error) {
    return { table, said: error instanceof InputError ? error.message : String(error) };
  }
}

function cells({ table }: Reading): string[][] {
  return table.rows.map((row) => table.columns.map((column) => row.cell(column)));
}

const PLAIN = [
  ['i1', 'x, y'],
  ['i2', 'line\nbreak'],
];

describe('rows of a table', () => {
  it.each([
    ['commas', 'item,b\r\ni1,"x, y"\r\ni2,"line\nbreak"\r\n'],
    ['semicolons', 'item;b\ni1;x, y\ni2;"line\nbreak"\n'],
    ['tabs', 'item\tb\ni1\tx, y\ni2\t"line\nbreak"'],
    ['CR', 'item;b\ri1;x, y\ri2;"line\nbreak"\r'],
    ['a line that names the delimiter', 'sep=;\r\nitem;b\r\ni1;x, y\r\ni2;"line\nbreak"\r\n'],
    ['such a line that was filled up', '"sep=;";\nitem;b\ni1;x, y\ni2;"line\nbreak"\n'],
    ['empty columns behind it', 'item,b,,\ni1,"x, y",,\ni2,"line\nbreak",,\n'],
    ['empty rows in and behind it', 'item;b\ni1;x, y\n;\ni2;"line\nbreak"\n;\n ; \n\n'],
    ['rows that end early and a space around its names', ' item ;b; c \ni1;x, y\ni2;"line\nbreak"\n'],
  ])('are read with %s', async (_, text) => {
    const reading = await read(text);
    expect(reading.said).toBe('');
    expect(cells(reading).map((row) => row.slice(0, 2))).toEqual(PLAIN);
  });

  it('have the line of the file and the row of the spreadsheet', async () => {
    const { table } = await read('sep=;\nitem;b\ni1;"two\nlines"\n;\ni2;x\n');
    expect(table.rows.map(({ line, row }) => [line, row])).toEqual([
      [3, 2],
      [6, 4],
    ]);
  });

  it('have quoted CR LF left as it is', async () => {
    expect(cells(await read('item;b\r\ni1;"x\r\ny"\r\n'))).toEqual([['i1', 'x\r\ny']]);
  });

  it('have no columns that every object has', async () => {
    const { table } = await read('item,__proto__,constructor\ni1,a,b\n');
    expect(table.columns.map((column) => table.rows[0]!.cell(column))).toEqual(['i1', 'a', 'b']);
    expect(table.rows[0]!.cell('toString')).toBe('');
  });
});

describe('what is wrong with a table', () => {
  it('is said of a row with more cells than the header, and the others are read', async () => {
    const reading = await read('item,b\ni1,x,y\ni2,z\n');
    expect(cells(reading)).toEqual([['i2', 'z']]);
    expect(reading.said).toBe(
      'a.csv:2: row 2: expected 2 cells as in the header, found "y" behind them; the row is left out (put a cell that holds the delimiter or a line break in quotes)',
    );
  });

  it('is said once of texts in apostrophes, whose rows are left out rather than read in pieces', async () => {
    const cause = `the delimiter of texts is ' instead of ", which cuts them into pieces`;
    const cure = '(save it again with " as the delimiter of texts)';
    const commas = await read("item,b,c,d\ni1,'x, y',4,\ni2,z,5,\ni3,'it''s',3,\ni4,'a, b',,\n");
    expect(cells(commas)).toEqual([['i2', 'z', '5', '']]);
    expect(commas.said).toBe(`a.csv:2: ${cause}: 3 rows from here on are left out ${cure}`);
    const breaks = await read("item;b;c\ni1;'x\ny';4\ni2;z;5\n");
    expect(cells(breaks)).toEqual([['i2', 'z', '5']]);
    expect(breaks.said).toBe(`a.csv:2: ${cause}: 2 rows from here on are left out ${cure}`);
    const all = await read("'item','b'\n'i1','x'\n");
    expect(all.table.columns).toEqual([]);
    expect(all.said).toBe(`a.csv:1: ${cause}: nothing can be read ${cure}`);
  });

  it('is not seen in texts that have apostrophes of their own', async () => {
    const reading = await read("item,b,c\ni1,'quoted',4\ni2,'tis,5\ni3,\"'x', 'y'\",\ni4,'tis\ni5,dogs',6\n");
    expect(reading.said).toBe('');
    expect(cells(reading)).toHaveLength(5);
  });

  it('is said of a name that stands twice over different cells', async () => {
    const reading = await read('item,b,b,c\ni1,x,y,z\n');
    expect(reading.table.columns).toEqual(['item', 'c']);
    expect(reading.said).toMatch(/^a\.csv:1: header: expected each column name once, found "b" again with other cells/);
    expect((await read('item,b,b,c\ni1,x,x,z\n')).said).toBe('');
  });

  it('is said of values below no name', async () => {
    const reading = await read('item,b,\ni1,x,\ni2,y,lost\n');
    expect(cells(reading)).toHaveLength(2);
    expect(reading.said).toMatch(/^a\.csv:1: column 3: it has no name, but holds "lost" \(line 3\)/);
  });

  it('is said of a quote that is never closed, and the rows before it are kept', async () => {
    const reading = await read('item,b\ni1,x\ni2,"y\n');
    expect(cells(reading)).toEqual([['i1', 'x']]);
    expect(reading.said).toMatch(/^a\.csv:3: not CSV: .*never closed/);
  });

  it('is said of a delimiter that is none, and of nothing at all', async () => {
    expect((await read('sep=|\nitem|b\n')).said).toMatch(/^a\.csv:1: the first line sets "\|" as the delimiter/);
    expect((await read('')).said).toBe('a.csv: the file is empty, expected a header and rows below it');
  });
});
