import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { lineSplitter, readLines, type TextRecord, textLines } from '../../src/data/lines.ts';
import { Problems } from '../../src/data/problems.ts';
import { runs, validText } from '../text/arbitraries.ts';
import { cutAt } from './reading.ts';

interface Read {
  readonly records: TextRecord[];
  readonly problems: number;
}

async function lines(bytes: string | Buffer, places: readonly number[] = [], maxBytes = 1000): Promise<Read> {
  const problems = new Problems();
  const stream = cutAt(Buffer.from(bytes), places);
  const records = (await Array.fromAsync(readLines(stream, { file: 'f', problems, maxBytes }))).flat();
  return { records, problems: problems.count };
}

describe('readLines', () => {
  it('splits at LF and CR LF, skips blank lines and counts them', async () => {
    expect(await lines('a\r\n\n  \nb\n\r\nc')).toEqual({
      records: [
        { text: 'a', line: 1 },
        { text: 'b', line: 4 },
        { text: 'c', line: 6 },
      ],
      problems: 0,
    });
  });

  it('takes U+2028, U+2029, U+0085 and a lone carriage return as ordinary characters', async () => {
    const text = 'a\u2028b\u2029c\u0085d\re';
    expect((await lines(`${text}\n`)).records).toEqual([{ text, line: 1 }]);
  });

  it('notes lines that are not UTF-8 and goes on', async () => {
    expect(await lines(Buffer.from('a\nh\u00f8j\nb', 'latin1'))).toEqual({
      records: [
        { text: 'a', line: 1 },
        { text: 'b', line: 3 },
      ],
      problems: 1,
    });
  });

  it.each([[[]], [[2]], [[5]], [[5, 6]], [[1, 2, 3, 4, 5, 6, 7]]])(
    'takes lines of exactly the greatest length, cut at %j',
    async (places) => {
      expect((await lines('12345\r\n12345\n', places, 5)).records).toEqual([
        { text: '12345', line: 1 },
        { text: '12345', line: 2 },
      ]);
      expect(await lines('123456\r\nab', places, 5)).toEqual({ records: [{ text: 'ab', line: 2 }], problems: 1 });
      expect(await lines('ab\n123456', places, 5)).toEqual({ records: [{ text: 'ab', line: 1 }], problems: 1 });
    },
  );

  it('says how long a record may be and how to allow more', async () => {
    const problems = new Problems();
    const read = readLines(cutAt(Buffer.from('x'.repeat(3e6)), []), { file: 'f', problems, maxBytes: 2.5 * 1048576 });
    await Array.fromAsync(read);
    expect(() => {
      problems.throwIfAny();
    }).toThrow(/^f:1: the record is longer than 2.5 MiB .*--set data.maxRecordMiB=N/);
  });

  it('gives the same lines wherever the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(validText, fc.constantFrom('\n', '\r\n', '\n\n')), { maxLength: 8 }),
        fc.array(fc.nat(120), { maxLength: 8 }),
        async (parts, places) => {
          const text = parts.join('');
          expect(await lines(text, places, 40)).toEqual(await lines(text, [], 40));
        },
      ),
      runs,
    );
  });
});

function split(chunks: readonly (string | Buffer)[], longest = 100): string[] {
  const seen: string[] = [];
  const splitter = lineSplitter(
    (line, start, number) => seen.push(`${number} at ${start}: ${line.toString('utf8')}`),
    longest,
    (number) => seen.push(`${number} is too long`),
  );
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  splitter.end();
  return seen;
}

describe('lineSplitter', () => {
  it('gives whole lines, however they were cut, with where they begin; empty ones are counted', () => {
    const euro = Buffer.from('€');
    expect(split(['a', 'b\nc', '\n\nd\u2028e\n'])).toEqual(['1 at 0: ab', '2 at 3: c', '4 at 6: d\u2028e']);
    expect(split([euro.subarray(0, 1), euro.subarray(1), '\n'])).toEqual(['1 at 0: €']);
  });

  it('knows what has not ended yet', () => {
    expect(split(['a\nno end'])).toEqual(['1 at 0: a', '2 at 2: no end']);
    const splitter = lineSplitter(() => undefined);
    splitter.push(Buffer.from('a\nno end'));
    expect(splitter.start()).toBe(2);
  });

  it('leaves out lines that are too long', () => {
    expect(split(['abc\n', 'abcd', 'ef', 'g\nxyz\n'], 4)).toEqual(['1 at 0: abc', '2 is too long', '3 at 12: xyz']);
    expect(split(['abcde\nx\n'], 4)).toEqual(['1 is too long', '2 at 6: x']);
  });
});

describe('textLines', () => {
  it('gives the lines of a text that are not blank, with their numbers', () => {
    expect([...textLines('a\n\n \nb\r\n\u2028c')]).toEqual([
      { text: 'a', line: 1 },
      { text: 'b\r', line: 4 },
      { text: '\u2028c', line: 5 },
    ]);
    expect([...textLines('')]).toEqual([]);
  });
});
