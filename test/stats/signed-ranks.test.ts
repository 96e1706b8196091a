import { describe, expect, it } from 'vitest';
import { signedRanks } from '../../src/stats/signed-ranks.ts';

// |d| = 0 0 1 1 2 4
const DIFFERENCES = [2, 0, -1, 1, 0, 4];

describe('signedRanks', () => {
  it('leaves zeros out first with wilcox', () => {
    // ranks 1.5 1.5 3 4; 4·5/4 = 5; (4·5·9 − (8 − 2)/2) / 24 = 177/24
    const found = signedRanks(DIFFERENCES, 'wilcox');
    expect(found).toMatchObject({ plus: 8.5, minus: 1.5, split: 0, ranked: 4, zeros: 2, ties: true, mean: 5 });
    expect(found.deviation).toBe(Math.sqrt(177 / 24));
  });

  it('ranks zeros and then leaves them out with pratt', () => {
    // ranks 1.5 1.5 3.5 3.5 5 6; 6·7/4 − 2·3/4 = 9; (6·7·13 − 2·3·5 − 6/2) / 24 = 513/24
    const found = signedRanks(DIFFERENCES, 'pratt');
    expect(found).toMatchObject({ plus: 14.5, minus: 3.5, split: 0, ranked: 6, zeros: 2, mean: 9 });
    expect(found.deviation).toBe(Math.sqrt(513 / 24));
  });

  it('gives half of the ranks of zeros to each side with zsplit', () => {
    // 6·7/4 = 10.5; (6·7·13 − (6 + 6)/2) / 24 = 540/24
    const found = signedRanks(DIFFERENCES, 'zsplit');
    expect(found).toMatchObject({ plus: 16, minus: 5, split: 1.5, ranked: 6, zeros: 2, mean: 10.5 });
    expect(found.deviation).toBe(Math.sqrt(540 / 24));
  });

  it('keeps only the ranks of pairs that differ, in the order given', () => {
    expect(signedRanks(DIFFERENCES, 'pratt').ranks).toEqual([5, 3.5, 3.5, 6]);
  });
});
