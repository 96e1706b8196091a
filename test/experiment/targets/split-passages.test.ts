import { describe, expect, it } from 'vitest';

import { splitPassages } from '../../../src/experiment/targets/split-passages.ts';

describe('passages', () => {
  it('share words where they are to, and end with what is left', () => {
    expect(splitPassages('a b c d e f', { size: 3, overlap: 1 })).toEqual(['a b c', 'c d e', 'e f']);
    expect(splitPassages('a b c d e', { size: 3, overlap: 1 })).toEqual(['a b c', 'c d e']);
    expect(splitPassages('a b c d', { size: 2, overlap: 0 })).toEqual(['a b', 'c d']);
  });

  it('are stretches of the text as it stands', () => {
    expect(splitPassages('\n# Tea\n\nis  hot. ', { size: 3, overlap: 0 })).toEqual(['# Tea\n\nis', 'hot.']);
    expect(splitPassages(' \n', { size: 3, overlap: 0 })).toEqual([]);
  });
});
