import { describe, expect, it } from 'vitest';

import type { MovedCase } from '../../../../src/compare/comparison.ts';
import { changesOf } from '../../../../web/src/report/compare/changes.ts';
import { row } from './row.ts';

const moved: readonly MovedCase[] = [
  { case: 'D08', system: 1, name: 'f1', baseline: 0, other: 0.8, difference: 0.8, change: 'better' },
  { case: 'D02', system: 2, name: 'f1', baseline: 0.5, other: 0.9, difference: 0.4, change: 'better' },
  { case: 'D01', system: 1, name: 'f1', baseline: 0.9, other: 0.6, difference: -0.3, change: 'worse' },
];

describe('what got better and what got worse', () => {
  const measures = [
    row({ name: 'recall', slice: { label: 'LOC' }, verdict: 'better', difference: 0.9 }),
    row({ name: 'f1', verdict: 'better', difference: 0.1, wins: 7, losses: 2 }),
    row({ name: 'recall', verdict: 'better', difference: 0.2 }),
    row({ name: 'seconds', direction: 'lower', verdict: 'worse', difference: 12 }),
    row({ name: 'f1', system: 2, verdict: 'worse', difference: -0.1, wins: 1, losses: 8 }),
  ];

  it('has the whole before slices and the largest first, of one system only', () => {
    const { measures: better } = changesOf({ measures, moved }, 1, 'better');
    expect(better.map(({ name, slice }) => [name, slice['label'] ?? null])).toEqual([
      ['recall', null],
      ['f1', null],
      ['recall', 'LOC'],
    ]);
    expect(changesOf({ measures, moved }, 1, 'worse').measures.map(({ name }) => name)).toEqual(['seconds']);
  });

  it('counts cases by the measure that moved cases go by', () => {
    expect(changesOf({ measures, moved }, 1, 'worse').cases).toEqual({ n: 2, name: 'f1' });
    expect(changesOf({ measures, moved }, 2, 'better').cases).toEqual({ n: 1, name: 'f1' });
    expect(changesOf({ measures, moved: [] }, 1, 'better').cases).toBeNull();
  });

  it('names the cases of its own system and direction', () => {
    expect(changesOf({ measures, moved }, 1, 'better').moved.map((one) => one.case)).toEqual(['D08']);
    expect(changesOf({ measures, moved }, 2, 'worse').moved).toEqual([]);
  });
});
