import { describe, expect, it } from 'vitest';

import { LineSplitter } from '../../../src/experiment/targets/line-process.ts';

function split(chunks: readonly (string | Buffer)[], longest = 100): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter(
    (line) => lines.push(line.toString('utf8')),
    (most) => lines.push(`longer than ${most}`),
    longest,
  );
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  return lines;
}

describe('lines', () => {
  it('come out whole, however they were cut', () => {
    const euro = Buffer.from('€');
    expect(split(['a', 'b\nc', '\n\nd\u2028e\n'])).toEqual(['ab', 'c', '', 'd\u2028e']);
    expect(split([euro.subarray(0, 1), euro.subarray(1), '\n'])).toEqual(['€']);
    expect(split(['no end'])).toEqual([]);
  });

  it('end where one is too long', () => {
    expect(split(['abc\n', 'abcd', 'e\nxyz\n'], 4)).toEqual(['abc', 'longer than 4']);
    expect(split(['abcde\nx\n'], 4)).toEqual(['longer than 4']);
  });
});
