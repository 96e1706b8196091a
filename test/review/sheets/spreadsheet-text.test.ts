import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { memorySource } from '../../../src/data/source.ts';
import { readSheetText, readSpreadsheetText, spreadsheetText } from '../../../src/review/sheets/spreadsheet-text.ts';

const TEXT = 'item,text\r\ni1,वात 🍵 “é”\r\n';
const big = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

describe('the text of a file that a spreadsheet saved', () => {
  it.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT}`)],
    ['UTF-16LE with a mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
    ['UTF-16BE with a mark', big(`\ufeff${TEXT}`)],
    ['UTF-16LE without a mark', Buffer.from(TEXT, 'utf16le')],
    ['UTF-16BE without a mark', big(TEXT)],
  ])('is the same from %s', (_, bytes) => {
    expect(spreadsheetText(bytes, 'a.csv')).toBe(TEXT);
  });

  it('may be packed', async () => {
    expect(await readSpreadsheetText(memorySource('a.csv.gz', gzipSync(TEXT)))).toBe(TEXT);
  });

  it('is empty for an empty file', () => {
    expect(spreadsheetText(Buffer.alloc(0), 'a.csv')).toBe('');
  });

  it('is refused in an old code page, with the line and how to save it', () => {
    const bytes = Buffer.concat([Buffer.from('item,text\ni1,ok\ni2,caf'), Buffer.from([0xe9]), Buffer.from('\n')]);
    expect(() => spreadsheetText(bytes, 'a.csv')).toThrow(
      /^a\.csv:3: the bytes are neither UTF-8 nor UTF-16: .*CSV UTF-8.*LibreOffice/,
    );
  });

  it.each([
    ['a new workbook', Buffer.from('PK\u0003\u0004rest'), /Excel workbook/],
    ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), /old Excel workbook, expected CSV/],
    ['half a character of UTF-16', Buffer.from('\ufeffab', 'utf16le').subarray(0, 5), /UTF-16LE, but not all of it/],
    ['a lone surrogate', Buffer.from('\ufeffa\ud83d', 'utf16le'), /cut off or damaged/],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), /expected UTF-8 text/],
  ])('is refused for %s', (_, bytes, message) => {
    expect(() => spreadsheetText(bytes, 'a.csv')).toThrow(message);
  });

  it('is refused beyond the most that is held', async () => {
    await expect(readSpreadsheetText(memorySource('a.csv', 'x'.repeat(1048577)), 1048576)).rejects.toThrow(
      'a.csv: it is longer than 1 MiB',
    );
  });
});

describe('the text of a sheet that somebody filled in', () => {
  const read = (bytes: Buffer) => readSheetText(memorySource('a.csv', bytes));

  it('is read in Windows-1252 where it can be nothing else', async () => {
    const bytes = Buffer.from('item,text\ni1,caf\xe9 \x93gut\x94 \x80\x99\xff\n', 'latin1');
    expect(await read(bytes)).toEqual({ text: 'item,text\ni1,café “gut” €™ÿ\n', codePage: 'Windows-1252' });
  });

  it('is UTF-8 or UTF-16 where it is', async () => {
    for (const bytes of [Buffer.from(TEXT), Buffer.from(`\ufeff${TEXT}`, 'utf16le'), big(TEXT)])
      expect(await read(bytes)).toEqual({ text: TEXT, codePage: null });
  });

  it.each([
    ['a byte that Windows-1252 does not have', Buffer.from('a,b\n\x81\xe9', 'latin1')],
    ['control characters', Buffer.from('a,b\n\x01\xe9', 'latin1')],
    ['UTF-8 that was damaged', Buffer.concat([Buffer.from('a,caf\u00e9\n'), Buffer.from([0xe9])])],
    ['a mark that says UTF-8', Buffer.concat([Buffer.from('\ufeffa\n'), Buffer.from([0xe9])])],
  ])('is refused with %s', async (_, bytes) => {
    await expect(read(bytes)).rejects.toThrow(/neither UTF-8 nor UTF-16/);
  });
});
