import { isUtf8 } from 'node:buffer';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { InputError, Problems } from '../../src/data/problems.ts';
import { byteOrderMarkLength, decodeUtf8, refuseForeign, strictUtf8, wholeCharacters } from '../../src/data/utf8.ts';
import { runs } from '../text/arbitraries.ts';
import { cutAt } from './reading.ts';

describe('decodeUtf8', () => {
  it('gives the text of valid bytes', () => {
    expect(decodeUtf8(Buffer.from('højesteret 🙂'), 1, 'f', new Problems())).toBe('højesteret 🙂');
  });

  it('names the line of the fault when a record goes over several', () => {
    const problems = new Problems();
    expect(decodeUtf8(Buffer.from('{\n"a":\n"h\u00f8j"}', 'latin1'), 5, 'f', problems)).toBeNull();
    expect(() => {
      problems.throwIfAny();
    }).toThrow(/^f:7: the bytes are not UTF-8/);
  });
});

describe('byteOrderMarkLength', () => {
  it.each([
    ['\ufeffa', 3],
    ['a', 0],
    ['', 0],
  ])('of %j is %i', (text, expected) => {
    expect(byteOrderMarkLength(Buffer.from(text))).toBe(expected);
  });
});

describe('wholeCharacters', () => {
  it.each([
    [[], 0],
    [[0x61], 1],
    [[0x61, 0xc3], 1],
    [[0x61, 0xc3, 0xb8], 3],
    [[0xe0, 0xa4], 0],
    [[0xe0, 0xa4, 0x95], 3],
    [[0xf0, 0x9f, 0x99], 0],
    [[0xf0, 0x9f, 0x99, 0x82], 4],
    [[0x80, 0x80, 0x80, 0x80], 4],
  ])('of %j is %i bytes', (bytes, expected) => {
    expect(wholeCharacters(Buffer.from(bytes))).toBe(expected);
  });
});

describe('strictUtf8', () => {
  const all = async (bytes: Buffer, places: readonly number[]): Promise<Buffer> =>
    Buffer.concat(await Array.fromAsync(strictUtf8(cutAt(bytes, places), 'f')));

  it('hands valid bytes on unchanged wherever they are cut, and refuses the others', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
          fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => Buffer.from(text)),
        ),
        fc.array(fc.nat(40), { maxLength: 5 }),
        async (bytes, places) => {
          const outcome = await all(bytes, places).catch((error: unknown) => error instanceof InputError);
          expect(outcome).toEqual(isUtf8(bytes) ? bytes : true);
        },
      ),
      runs,
    );
  });

  it('names the line of the first fault, also when a character is cut off at the end', async () => {
    await expect(all(Buffer.from('id\nh\u00f8j\n', 'latin1'), [1, 4])).rejects.toThrow(/^f:2: the bytes are not UTF-8/);
    await expect(all(Buffer.from('id\n🙂').subarray(0, -1), [])).rejects.toThrow(/^f:2: the bytes are not UTF-8/);
  });
});

describe('refuseForeign', () => {
  it.each([
    ['UTF-16 with its mark, little end first', Buffer.from('\ufeff{}', 'utf16le'), /UTF-16.*iconv -f UTF-16/],
    ['UTF-16 with its mark, big end first', Buffer.from([0xfe, 0xff, 0, 0x7b]), /UTF-16.*iconv -f UTF-16/],
    ['UTF-16 without a mark', Buffer.from('{}', 'utf16le'), /NUL bytes.*UTF-16/],
    ['UTF-16 without a mark, big end first', Buffer.from([0, 0x7b, 0, 0x22]), /NUL bytes.*UTF-16/],
    ['UTF-32, big end first', Buffer.from([0, 0, 0xfe, 0xff]), /NUL bytes/],
    ['an Excel workbook', Buffer.from('PK\u0003\u0004'), /Excel workbook.*CSV UTF-8/],
    ['bzip2', Buffer.from('BZh9'), /bunzip2/],
    ['xz', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), /unxz/],
    ['Parquet', Buffer.from('PAR1'), /Parquet.*JSONL/],
  ])('knows %s', (_, bytes, message) => {
    expect(() => {
      refuseForeign(bytes, 'f');
    }).toThrow(message);
  });

  it.each(['{"id":1}', '\ufeff{}', 'PK,text', 'B O', 'é'])('lets %j pass', (text) => {
    expect(() => {
      refuseForeign(Buffer.from(text), 'f');
    }).not.toThrow();
  });
});
