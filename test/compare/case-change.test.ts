import { describe, expect, test } from 'vitest';

import { caseChange, caseChanges, type ChangedRun, changeMeasure, errorPrint } from '../../src/compare/case-change.ts';
import { makeVerdict, type Verdict } from '../../src/judge/verdict.ts';
import { buildMeasures } from '../../src/measure/measures.ts';
import { span } from '../pair/items.ts';

const state = (errors: number, print = 1, value: number | null = null) => ({ errors, print, value });
const quality = { name: 'quality', direction: 'higher' } as const;

describe('the change of a case', () => {
  test.each([
    [3, 7, { size: 4, change: 'worse' }],
    [7, 3, { size: -4, change: 'better' }],
    [0, 1, { size: 1, change: 'worse' }],
    [2, 2, { size: 0, change: 'unchanged' }],
  ] as const)('is errors of the other less errors of the baseline: %i and %i', (before, after, change) => {
    // F1 says the opposite, and is not asked.
    expect(caseChange(null, state(before, 1, after), state(after, 1, before))).toEqual(change);
  });

  test('with as many errors, but not the same ones, is neither more nor fewer', () => {
    expect(caseChange(null, state(2, 1, 0), state(2, 2, 0.667))).toEqual({ size: 0, change: 'others' });
  });

  test('by a measure follows its direction, and its best value', () => {
    const of = (measure: Parameters<typeof caseChange>[0], from: number | null, to: number | null): unknown =>
      caseChange(measure, state(9, 1, from), state(1, 1, to));
    expect(of(quality, 0.5, 0.75)).toEqual({ size: 0.25, change: 'better' });
    expect(of({ name: 'delay', direction: 'lower' }, 2, 3)).toEqual({ size: 1, change: 'worse' });
    expect(of({ name: 'ratio', direction: 'lower', best: 1 }, 0.5, 1.25)).toEqual({ size: 0.75, change: 'better' });
    // Rounding alone is no change.
    expect(of(quality, 0.33333333333333337, 0.3333333333333333)).toEqual({ size: 0, change: 'unchanged' });
    expect(of(quality, null, 1)).toEqual({ size: null, change: 'others' });
    expect(of(quality, null, null)).toEqual({ size: null, change: 'unchanged' });
  });
});

describe('cases change by', () => {
  const { measures } = buildMeasures({ macro_f1: {}, precision: {}, f1: {}, recall: {} }, null);
  const counts = { hit: 0, missed: 0, spurious: 0, excused: 0 };
  const named = (name: string) => measures.filter((measure) => measure.name === name);

  test('their errors as soon as any item of any case has a verdict', () => {
    for (const kind of ['hit', 'missed', 'spurious', 'excused'])
      expect(changeMeasure([{ counts }, { counts: { ...counts, [kind]: 1 } }], measures, [])).toBeNull();
  });

  test('else the first primary measure with values per case, else f1, else the first', () => {
    const none = [{ counts }];
    expect(changeMeasure(none, measures, named('recall'))?.name).toBe('recall');
    expect(changeMeasure(none, measures, [...named('macro_f1'), ...named('precision')])?.name).toBe('precision');
    expect(changeMeasure(none, measures, [])?.name).toBe('f1');
    expect(changeMeasure(none, named('precision'), [])?.name).toBe('precision');
    expect(changeMeasure(none, named('macro_f1'), [])).toBeNull();
  });
});

describe('the print of errors', () => {
  const [loc, per] = [span(0, 4, 'LOC'), span(5, 9, 'PER')];
  const verdict = (more: Partial<Verdict> & Pick<Verdict, 'verdict'>): Verdict =>
    makeVerdict({ case: 'c', scheme: null, kind: 'span', rule: 'pair', label: 'LOC', ...more });
  const missed = verdict({ verdict: 'missed', gold: loc });
  const spurious = verdict({ verdict: 'spurious', predicted: per });

  test('is the same whatever their order, their rule, what was right, and how predictions are numbered', () => {
    const print = errorPrint([missed, spurious]);
    expect(errorPrint([spurious, missed])).toBe(print);
    expect(errorPrint([missed, verdict({ verdict: 'hit', gold: per, predicted: per }), spurious])).toBe(print);
    const renumbered = { ...spurious, rule: 'no-match', predicted: { ...per, index: 7 }, gold: loc };
    expect(errorPrint([{ ...missed, predicted: per }, renumbered])).toBe(print);
  });

  test('differs with the item, its label, its place, its side and how often it is there', () => {
    const prints = [
      [],
      [missed],
      [spurious],
      [missed, spurious],
      [spurious, spurious],
      [verdict({ verdict: 'missed', gold: { ...loc, index: 1 } })],
      [verdict({ verdict: 'missed', gold: per })],
      [verdict({ verdict: 'spurious', predicted: { ...per, label: 'LOC' } })],
      [verdict({ verdict: 'spurious', predicted: { ...per, end: 8 } })],
    ].map(errorPrint);
    expect(new Set(prints).size).toBe(prints.length);
    expect(errorPrint([verdict({ verdict: 'hit', gold: loc, predicted: loc })])).toBe(0);
  });
});

describe('the changes of all cases', () => {
  const run = (
    errors: Readonly<Record<string, readonly [missed: number, spurious: number, print?: number]>>,
  ): ChangedRun => ({
    cases: new Map(
      Object.entries(errors).map(([id, [missed, spurious]]) => [
        id,
        { counts: { hit: 1, missed, spurious, excused: 0 }, measures: { f1: missed / 10 } },
      ]),
    ),
    errors: new Map(Object.entries(errors).map(([id, [missed, spurious, print]]) => [id, print ?? missed + spurious])),
  });
  const before = run({ a: [2, 0], b: [1, 1], c: [0, 0], d: [3, 0], e: [1, 0] });
  const after = run({ a: [1, 3], b: [1, 1, 9], c: [0, 0], d: [0, 0], e: [0, 2] });
  const ids = new Set(['a', 'b', 'c', 'd', 'e']);

  test('put each case into one group, and add up to the change of the total', () => {
    const { changes, moved } = caseChanges([before, after], ids, null, 10);
    expect(changes).toEqual({
      by: null,
      systems: [{ system: 1, worse: 2, better: 1, others: 1, unchanged: 1, errors: { baseline: 8, other: 8 } }],
    });
    expect(moved.map(({ case: id, difference, change }) => [id, difference, change])).toEqual([
      ['d', -3, 'better'],
      ['a', 2, 'worse'],
      ['e', 1, 'worse'],
    ]);
    expect(moved.reduce((sum, { difference }) => sum + difference, 0)).toBe(8 - 8);
    expect(caseChanges([before, after], ids, null, 1).moved).toHaveLength(1);
    expect(caseChanges([before, after], new Set(['b']), null, 10)).toMatchObject({ moved: [] });
  });

  test('of a measure have its values', () => {
    const f1 = { name: 'f1', direction: 'higher' } as const;
    const { changes, moved } = caseChanges([before, after], ids, f1, 10);
    expect(changes).toMatchObject({ by: 'f1', systems: [{ worse: 3, better: 0, others: 1, unchanged: 1 }] });
    expect(moved[0]).toMatchObject({ case: 'd', name: 'f1', baseline: 0.3, other: 0, change: 'worse' });
  });
});
