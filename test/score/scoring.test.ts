import { describe, expect, it } from 'vitest';

import { makeCase } from '../../src/data/case.ts';
import { makeItem } from '../../src/data/item.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { casesWithMostErrors } from '../../src/score/run-counts.ts';
import { joinSinks, scoreCases, type ScoredCase, Scoring } from '../../src/score/score.ts';
import { scoreToRun } from '../../src/score/score-to-folder.ts';

const span = (index: number, start: number, annotator: string | null = null) =>
  makeItem({ kind: 'span', index, label: 'PERSON', text: 'Ann', start, end: start + 3, annotator });

const BOTH = makeCase({
  id: 'a',
  text: 'Ann and Bob',
  gold: [span(0, 0, 'x'), span(1, 0, 'y'), span(2, 8, 'y')],
  predicted: [span(0, 0)],
});
const FAILED = makeCase({ id: 'b', text: 'Bob', gold: [span(0, 0)], failed: 'timed out', answered: false });
const UNANSWERED = makeCase({ id: 'c', text: 'Bob', gold: [span(0, 0)], answered: false });

const EACH = ['prepare.annotator=each', 'interval=off'];
const counts = ({ variants }: ScoredCase) =>
  variants.map(({ result }) => [result.case, result.counts.hit, result.counts.missed, result.counts.spurious]);

it('the worst cases are those with the most errors of both sorts, ties by id; cases without errors are none', () => {
  const worst = casesWithMostErrors();
  // Missed and spurious: 2 errors, 3, none, 2.
  const errors = { d: [0, 2], b: [1, 2], c: [0, 0], a: [2, 0] } as const;
  for (const [id, [missed, spurious]] of Object.entries(errors))
    worst.add({ case: id, counts: { hit: 1, missed, spurious, excused: 5 } });
  expect(worst.list().map(({ case: id, missed, spurious }) => [id, missed + spurious])).toEqual([
    ['b', 3],
    ['a', 2],
    ['d', 2],
  ]);
});

describe('scoring in memory', () => {
  it('gives each case with its verdicts under every scheme and what they add up to', async () => {
    const scoring = new Scoring(await planRecipe('pii/semeval', EACH));
    const scored = scoring.add(BOTH);
    expect(scored.given).toBe(BOTH);
    expect(counts(scored)).toEqual([
      ['a (x)', 1, 0, 0],
      ['a (y)', 1, 1, 0],
    ]);
    for (const { case: own, verdicts, schemes, result } of scored.variants) {
      expect([own.from, result.from]).toEqual(['a', 'a']);
      expect(schemes.length).toBeGreaterThan(0);
      expect(verdicts.every(({ scheme }) => scheme === null)).toBe(true);
      for (const { scheme, verdicts: judged } of schemes)
        expect(judged.every((one) => one.scheme === scheme && one.case === own.id)).toBe(true);
    }
    expect((await scoring.finish()).cases).toEqual({ total: 1, failed: 0, unanswered: 0 });
  });

  it('is what a stream of cases gives, told once per case and in their order', async () => {
    const plan = await planRecipe('pii/strict', EACH);
    const scoring = new Scoring(plan);
    const added = [BOTH, FAILED, UNANSWERED].map((one) => scoring.add(one));
    const [first, second]: ScoredCase[][] = [[], []];
    const sink = joinSinks([{ scored: (one) => void first!.push(one) }, { scored: (one) => void second!.push(one) }]);
    const result = await scoreCases(plan, [BOTH, FAILED, UNANSWERED], sink);
    expect(result).toEqual(await scoring.finish());
    expect(first).toEqual(added);
    expect(second).toEqual(added);
    const { measures } = await scoreToRun(plan, [BOTH, FAILED, UNANSWERED]);
    expect(measures.measures).toEqual(result.measures);
  });

  it('counts the gold of other annotators item by item', async () => {
    const scoring = new Scoring(await planRecipe('pii/strict', ['prepare.annotator=x', 'interval=off']));
    scoring.add(BOTH);
    expect((await scoring.finish()).notices['unusedGold']).toBe(2);
  });

  it('without a case there is nothing to measure', async () => {
    const scoring = new Scoring(await planRecipe('pii/strict'));
    await expect(scoring.finish()).rejects.toThrow('there is no case to score');
  });
});

describe('law: a case without a prediction is unanswered or failed, never both', () => {
  it.each(['leave-out', 'empty'])('with data.failed=%s', async (failed) => {
    const plan = await planRecipe('pii/strict', [`data.failed=${failed}`, 'interval=off']);
    for (const [given, expected] of [
      [BOTH, { total: 1, failed: 0, unanswered: 0 }],
      [FAILED, { total: 1, failed: 1, unanswered: 0 }],
      [UNANSWERED, { total: 1, failed: 0, unanswered: 1 }],
    ] as const)
      expect((await scoreCases(plan, [given])).cases).toEqual(expected);
    const { cases } = await scoreCases(plan, [BOTH, FAILED, UNANSWERED]);
    expect(cases).toEqual({ total: 3, failed: 1, unanswered: 1 });
  });
});

describe('law: the spread over cases counts the recipe’s own scheme only', () => {
  it('however many schemes there are', async () => {
    const cases = [BOTH, { ...BOTH, id: 'd', predicted: [] }, UNANSWERED].map((one) => ({
      ...one,
      gold: one.gold.filter(({ annotator }) => annotator !== 'y'),
    }));
    const { measures } = await scoreCases(await planRecipe('pii/every-scheme', ['interval=off']), cases);
    const own = measures.filter(({ slice }) => Object.keys(slice).length === 0);
    const recall = own.find(({ name }) => name === 'recall');
    expect(recall?.cases).toMatchObject({ n: 3, undefined: 0, mean: 1 / 3, min: 0, max: 1 });
    const spreads = own.flatMap(({ cases: spread }) => (spread === null ? [] : [spread.n + spread.undefined]));
    expect(new Set(spreads)).toEqual(new Set([3]));
    const beside = measures.filter(({ slice }) => Object.hasOwn(slice, 'scheme'));
    expect(beside.length).toBeGreaterThan(0);
    expect(beside.every(({ cases: spread }) => spread === null)).toBe(true);
  });
});
