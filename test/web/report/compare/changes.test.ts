import { describe, expect, it } from 'vitest';

import type { CaseChanges, MovedCase } from '../../../../src/compare/comparison.ts';
import { changesOf } from '../../../../web/src/report/compare/changes.ts';
import { row } from './row.ts';

const moved: readonly MovedCase[] = [
  { case: 'D08', system: 1, name: 'errors', baseline: 8, other: 0, difference: -8, change: 'better' },
  { case: 'D02', system: 2, name: 'errors', baseline: 5, other: 1, difference: -4, change: 'better' },
  { case: 'D01', system: 1, name: 'errors', baseline: 1, other: 4, difference: 3, change: 'worse' },
];
const errors = { baseline: 20, other: 12 };
const changes: CaseChanges = {
  by: null,
  systems: [
    { system: 1, worse: 2, better: 7, others: 1, unchanged: 0, errors },
    { system: 2, worse: 8, better: 1, others: 0, unchanged: 1, errors },
  ],
};

describe('what got better and what got worse', () => {
  const measures = [
    row({ name: 'recall', slice: { label: 'LOC' }, verdict: 'better', difference: 0.9 }),
    row({ name: 'f1', verdict: 'better', difference: 0.1, wins: 7, losses: 2 }),
    row({ name: 'recall', verdict: 'better', difference: 0.2 }),
    row({ name: 'seconds', direction: 'lower', verdict: 'worse', difference: 12 }),
    row({ name: 'f1', system: 2, verdict: 'worse', difference: -0.1, wins: 1, losses: 8 }),
  ];

  it('has the whole before slices and the largest first, of one system only', () => {
    const { measures: better } = changesOf({ measures, moved, changes }, 1, 'better');
    expect(better.map(({ name, slice }) => [name, slice['label'] ?? null])).toEqual([
      ['recall', null],
      ['f1', null],
      ['recall', 'LOC'],
    ]);
    expect(changesOf({ measures, moved, changes }, 1, 'worse').measures.map(({ name }) => name)).toEqual(['seconds']);
  });

  it('counts cases as the comparison does, not by the values of a measure', () => {
    expect(changesOf({ measures, moved, changes }, 1, 'worse').cases).toBe(2);
    expect(changesOf({ measures, moved, changes }, 2, 'better').cases).toBe(1);
    expect(changesOf({ measures, moved: [], changes }, 1, 'better').cases).toBe(7);
  });

  it('names the cases of its own system and direction', () => {
    expect(changesOf({ measures, moved, changes }, 1, 'better').moved.map((one) => one.case)).toEqual(['D08']);
    expect(changesOf({ measures, moved, changes }, 2, 'worse').moved).toEqual([]);
  });
});
