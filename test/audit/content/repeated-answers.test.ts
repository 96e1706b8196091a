import { describe, expect, test } from 'vitest';

import { joinedGroups } from '../../../src/audit/checks/content/repeated-answers.ts';

describe('groups with members in common', () => {
  test('become one, over several steps, and a member is in it once', () => {
    expect(joinedGroups([[1, 2], [3, 4], [5, 6], [4, 2], [7]])).toEqual([[1, 2, 3, 4], [5, 6], [7]]);
    expect(joinedGroups([[1], [2], [3], [3, 2], [2, 1]])).toEqual([[1, 2, 3]]);
    expect(joinedGroups([[1, 1], [1]])).toEqual([[1]]);
  });

  test('none is none', () => {
    expect(joinedGroups([])).toEqual([]);
    expect(joinedGroups([[], [2]])).toEqual([[2]]);
  });
});
