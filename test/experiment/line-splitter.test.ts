import { describe, expect, it } from 'vitest';

import { LineSplitter } from '../../src/experiment/line-splitter.ts';

function split(chunks: readonly (string | Buffer)[], longest = 100): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter(
    (line, { start, number }) => lines.push(`${number} at ${start}: ${line.toString('utf8')}`),
    longest,
    ({ start, number }) => lines.push(`${number} at ${start} is too long`),
  );
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  splitter.end();
  return lines;
}

describe('lines', () => {
  it('come out whole, however they were cut, with where they begin', () => {
    const euro = Buffer.from('€');
    expect(split(['a', 'b\nc', '\n\nd\u2028e\n'])).toEqual(['1 at 0: ab', '2 at 3: c', '3 at 5: ', '4 at 6: d\u2028e']);
    expect(split([euro.subarray(0, 1), euro.subarray(1), '\n'])).toEqual(['1 at 0: €']);
  });

  it('are told apart from what has no end yet', () => {
    expect(split(['a\nno end'])).toEqual(['1 at 0: a', '2 at 2: no end']);
    const splitter = new LineSplitter(() => undefined);
    splitter.push(Buffer.from('a\nno end'));
    expect(splitter.start).toBe(2);
  });

  it('are left out where they are too long', () => {
    expect(split(['abc\n', 'abcd', 'ef', 'g\nxyz\n'], 4)).toEqual([
      '1 at 0: abc',
      '2 at 4 is too long',
      '3 at 12: xyz',
    ]);
    expect(split(['abcde\nx\n'], 4)).toEqual(['1 at 0 is too long', '2 at 6: x']);
  });
});
