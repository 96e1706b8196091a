import { describe, expect, it } from 'vitest';

import { majorityVote } from '../../../src/stats/agreement/majority-vote.ts';

describe('majority vote', () => {
  it('takes the label that two of three gave, and lists the items without one', () => {
    const found = majorityVote(
      [
        ['vata', 'vata', 'pitta'],
        ['vata', 'pitta', 'kapha'],
        ['kapha', 'kapha', 'kapha'],
        ['vata', null, null],
        [null, null, null],
      ],
      { quorum: 2, of: 3 },
    );
    expect(found.items.map(({ label }) => label)).toEqual(['vata', null, 'kapha', null, null]);
    expect(found.disputed).toEqual([1]);
    expect(found.undecided).toEqual([3, 4]);
    expect(found.decided).toBe(2);
    expect(found.items[0]).toEqual({
      item: 0,
      label: 'vata',
      votes: [
        { label: 'vata', count: 2 },
        { label: 'pitta', count: 1 },
      ],
      ratings: 3,
      disputed: false,
      reason: null,
    });
    expect(found.items[1]!.reason).toBe('a tie: "kapha" and "pitta" and "vata" have 1 of 3 votes each');
    expect(found.items[3]!.reason).toBe('1 of the 2 ratings it takes; 2 of 3 ratings are missing');
    expect(found.items[4]!.reason).toBe('it has no rating');
  });

  it('asks by itself for more than half of the ratings given, and at least two', () => {
    const found = majorityVote([
      ['a', 'a', 'b', 'b'],
      ['a', 'a', 'a', 'b'],
      ['a', 'a', 'b', 'c'],
      ['a', 'a', null, null],
      ['a', null, null, null],
    ]);
    expect(found.items.map(({ label }) => label)).toEqual([null, 'a', null, 'a', null]);
    expect(found.disputed).toEqual([0, 2]);
    expect(found.items[2]!.reason).toBe('"a" leads with 2 of 4 votes, and needs 3');
    expect(found.undecided).toEqual([4]);
  });

  it('never breaks a tie, also where both have the quorum', () => {
    const found = majorityVote([['a', 'b']], { quorum: 1 });
    expect(found.items[0]).toMatchObject({ label: null, disputed: true });
    expect(majorityVote([['a', 'a', 'b', 'c']], { quorum: 2 }).items[0]!.label).toBe('a');
  });

  it('says when a missing rating may still settle it', () => {
    expect(majorityVote([['a', 'b', null]], { quorum: 2 }).items[0]!.reason).toBe(
      'a tie: "a" and "b" have 1 of 2 votes each; 1 of 3 ratings are missing',
    );
  });

  it('refuses a quorum that cannot be reached, and more ratings than are meant', () => {
    expect(() => majorityVote([['a', 'a']], { quorum: 3 })).toThrow('quorum 3');
    expect(() => majorityVote([['a', 'a']], { quorum: 0 })).toThrow('quorum 0');
    expect(() => majorityVote([['a', 'a', 'a']], { quorum: 2, of: 2 })).toThrow('row 1: 3 ratings');
    expect(majorityVote([], { quorum: 2 })).toEqual({ items: [], disputed: [], undecided: [], decided: 0 });
  });
});
