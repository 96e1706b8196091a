import { describe, expect, test } from 'vitest';

import { UsageError } from '../../../src/data/problems.ts';
import type { Verdict } from '../../../src/judge/verdict.ts';
import type { Repeated, RepeatedRun } from '../../../src/compare/repeats/read-runs.ts';
import { compareRepeats } from '../../../src/compare/repeats/repeats.ts';
import { object, span } from '../../pair/items.ts';
import { questionOf, repeatedCase, runOf, spurious } from './questions.ts';

const food = (text: string) => object('food', text, { polarity: 'present' });

/** Runs whose cases have so many hits, spurious and missed spans: `{a: '2/1/0'}`. */
function tallied(name: string, cases: Readonly<Record<string, string>>): RepeatedRun {
  const verdicts = (id: string, counts: string): Verdict[] => {
    const [hit = 0, wrong = 0, missed = 0] = counts.split('/').map(Number);
    let index = -1;
    const one = (verdict: 'hit' | 'spurious' | 'missed') => (): Verdict => {
      index += 1;
      const item = { ...span(index * 10, index * 10 + 5), index };
      return {
        ...spurious(id, item),
        verdict,
        gold: verdict === 'spurious' ? null : item,
        predicted: verdict === 'missed' ? null : item,
      };
    };
    const made = (n: number, verdict: 'hit' | 'spurious' | 'missed') => Array.from({ length: n }, one(verdict));
    return [...made(hit, 'hit'), ...made(missed, 'missed'), ...made(wrong, 'spurious')];
  };
  return {
    name,
    predicted: name,
    cases: new Map(
      Object.entries(cases).map(([id, counts]) => [
        id,
        { failed: null, answered: true, verdicts: verdicts(id, counts) },
      ]),
    ),
  };
}

async function measured(...runs: readonly Readonly<Record<string, string>>[]): Promise<Repeated> {
  const question = await questionOf({ extends: 'pii/strict', measure: ['precision', 'recall', 'macro_f1'] }, [], true);
  return { ...question, runs: runs.map((cases, at) => tallied(`run ${at + 1}`, cases)), notices: [] };
}

describe('the spread of a measure', () => {
  test('between runs beside between cases, by hand', async () => {
    // Precision by case: a 1, 0.5 in run 1 and 0.5, 0.5 in run 2; overall 3/4 and 2/4.
    const { measures } = compareRepeats(await measured({ a: '2/0/0', b: '1/1/0' }, { a: '1/1/0', b: '1/1/0' }));
    const precision = measures.find(({ name }) => name === 'precision')!;
    expect(precision.values.map(({ value }) => value)).toEqual([0.75, 0.5]);
    expect(precision.runs).toEqual({
      n: 2,
      undefined: 0,
      mean: 0.625,
      min: 0.5,
      max: 0.75,
      sd: expect.closeTo(0.25 / Math.SQRT2, 12),
    });
    // Run 1: sd of 1 and 0.5 is 0.5 / √2; run 2: 0. Their mean is half of it.
    expect(precision.cases).toEqual({ meanSd: expect.closeTo(0.25 / Math.SQRT2, 12), undefined: null });
    // Within: (0.0625 × 2 + 0) / 2 = 0.0625. Between: 2 × 2 × 0.125² / 1 = 0.0625. Nothing is left for the cases.
    expect(precision.parts).toMatchObject({ cases: 2, betweenCases: 0, betweenRuns: 0.0625, runShare: 1 });
    // t with 1 degree of freedom is 12.706: √2 × 0.17678 is 0.25.
    expect(precision.limit.value).toBeCloseTo(12.706204736174694 * 0.25, 10);
  });

  test('an average over labels has no value by case', async () => {
    const { measures } = compareRepeats(await measured({ a: '1/0/0' }, { a: '1/1/0' }));
    expect(measures.find(({ name }) => name === 'macro_f1')).toMatchObject({ cases: null, parts: null });
  });

  test('an undefined value is counted with its reason and leaves the mean', async () => {
    const { measures } = compareRepeats(await measured({ a: '1/0/1' }, { a: '0/0/2' }, { a: '1/1/1' }));
    const precision = measures.find(({ name }) => name === 'precision')!;
    expect(precision.runs).toMatchObject({ n: 2, undefined: 1, mean: 0.75 });
    expect(precision.values[1]).toEqual({ value: null, undefined: 'nothing was predicted' });
    expect(precision.cases?.undefined).toBe('a run has a value for fewer than two cases');
    expect(precision.parts?.undefined).toBe('fewer than two cases have a value in every run');
    expect(precision.casesLeftOut).toBe(1);
  });

  test('runs with the same value have no spread, exactly, and no limit', async () => {
    const cases = { a: '1/2/0', b: '2/1/0', c: '3/3/0' };
    const { measures, meaning } = compareRepeats(await measured(cases, cases, cases));
    const precision = measures.find(({ name }) => name === 'precision')!;
    expect(precision.runs).toMatchObject({ mean: 0.5, sd: 0 });
    expect(precision.limit).toEqual({ value: null, undefined: 'every run has the same value' });
    expect(meaning).toMatch(/^macro_f1 is 0\.667 in all 3 runs: running again moved it by nothing here\./);
  });

  test('the sentence says what a difference between two systems would mean', async () => {
    const repeated = await measured({ a: '95/5/0' }, { a: '96/4/0' }, { a: '97/3/0' });
    const { meaning } = compareRepeats({
      ...repeated,
      plan: { ...repeated.plan, measures: repeated.plan.measures.slice(0, 1) },
    });
    // sd 0.01; limit 4.3027 × 1.4142 × 0.01.
    expect(meaning).toBe(
      'Run again, the same system has another precision: from 0.950 to 0.970 over 3 runs (sd 0.01). Two systems, each run once, whose precision differs by less than 0.0608 differ no more than two runs of this one do, 95 times in 100: such a difference means nothing by itself.',
    );
  });

  test('where two runs tell nothing, the sentence says so', async () => {
    const { meaning } = compareRepeats(await measured({ a: '1/1/0' }, { a: '3/1/0' }));
    expect(meaning).toMatch(/2 runs are too few to say which difference/);
  });
});

describe('the cases that are compared', () => {
  test('those in every run that none failed on; the others are named, and in no figure', async () => {
    const repeated = await measured({ a: '1/0/0', b: '0/9/0', c: '0/9/0' }, { a: '1/1/0', c: '0/9/0' });
    const failing = repeated.runs.map((run, at) => ({
      ...run,
      cases: new Map(
        [...run.cases].map(([id, own]) => [id, id === 'c' && at === 1 ? { ...own, failed: 'timed out' } : own]),
      ),
    }));
    const found = compareRepeats({ ...repeated, runs: failing });
    expect(found.cases).toEqual({
      compared: 1,
      leftOut: [
        { case: 'b', because: 'not in run 2' },
        { case: 'c', because: 'failed in run 2' },
      ],
    });
    expect(found.notices).toEqual(['2 cases left out, in no figure here: b (not in run 2); c (failed in run 2)']);
    expect(found.measures[0]?.values.map(({ value }) => value)).toEqual([1, 0.5]);
    expect(found.runs[1]).toEqual({ name: 'run 2', cases: 2, failed: 1, unanswered: 0 });
    expect(() => compareRepeats({ ...repeated, runs: failing }, { strict: true })).toThrow(
      /2 cases are not in every run without a failure: b \(not in run 2\)/,
    );
  });

  test('runs without a case in common are refused', async () => {
    const repeated = await measured({ a: '1/0/0' }, { b: '1/1/0' });
    expect(() => compareRepeats(repeated)).toThrow(UsageError);
  });

  test('an empty answer is an answer, and is said', async () => {
    const question = await questionOf('journal/ashwam');
    const runs = [runOf('one', { a: [food('rice')] }), runOf('two', { a: [] })];
    const silent = { ...runs[1]!, cases: new Map([['a', { failed: null, answered: false, verdicts: [] }]]) };
    const found = compareRepeats({ ...question, runs: [runs[0]!, silent], notices: [] });
    expect(found.notices).toEqual([
      'two has no prediction for 1 of 1 case: an empty answer, so it has none of the items there',
    ]);
    expect(found.items?.comeAndGo).toHaveLength(1);
  });

  test('runs with the same predictions are named', async () => {
    const question = await questionOf('journal/ashwam');
    const [a, b, c] = ['a', 'b', 'c'].map((name) => runOf(name, { x: [food('rice')] }));
    const same = (run: RepeatedRun): RepeatedRun => ({ ...run, predicted: 'the same' });
    expect(compareRepeats({ ...question, runs: [same(a!), b!, same(c!)], notices: [] }).notices).toEqual([
      'a, c have the same predictions: copies of one run count it several times',
    ]);
    expect(compareRepeats({ ...question, runs: [same(a!), same(b!)], notices: [] }).notices).toEqual([
      'all runs have the same predictions (a, b): the system is deterministic, or one file was copied',
    ]);
  });
});

describe('the stability of items', () => {
  test('counts by label and by number of runs, the share and what two runs have in common', async () => {
    const question = await questionOf('journal/ashwam');
    const mood = object('emotion', 'calm');
    const found = compareRepeats(
      repeatedCase(question, [[food('rice'), food('dal'), mood], [food('rice')], [food('rice'), food('dal')]]),
    );
    expect(found.items?.kinds).toEqual([
      {
        kind: 'object',
        items: 3,
        inAllRuns: 1,
        share: { value: 1 / 3, undefined: null },
        byRuns: [1, 1, 1],
        // 2 × 1 / 4, 2 × 2 / 5 and 2 × 1 / 3.
        pairwise: { value: expect.closeTo((0.5 + 0.8 + 2 / 3) / 3, 12), undefined: null },
        labels: [
          { label: 'food', items: 2, inAllRuns: 1, share: { value: 0.5, undefined: null } },
          { label: 'emotion', items: 1, inAllRuns: 0, share: { value: 0, undefined: null } },
        ],
      },
    ]);
    expect(found.items?.comeAndGo.map(({ label, text, runs }) => ({ label, text, runs }))).toEqual([
      { label: 'emotion', text: 'calm', runs: ['found', null, null] },
      { label: 'food', text: 'dal', runs: ['found', null, 'found'] },
    ]);
    expect(found.measures).toEqual([]);
    expect(found.noMeasures).toMatch(/no gold was given/);
    expect(found.gold).toBeNull();
  });

  test('what other runs have in its stead is named: another label, or not quite the same words', async () => {
    const question = await questionOf('journal/ashwam');
    const { items } = compareRepeats(
      repeatedCase(question, [
        [object('symptom', 'heavy heart'), object('emotion', 'felt calm and grateful')],
        [object('emotion', 'heavy heart'), object('emotion', 'mood was good felt calm and grateful')],
      ]),
    );
    const near = Object.fromEntries(items!.comeAndGo.map(({ label, text, near: miss }) => [`${label} ${text}`, miss]));
    expect(near['symptom heavy heart']).toEqual({
      label: 'emotion',
      text: 'heavy heart',
      similarity: 1,
      why: 'label differs: emotion and symptom',
    });
    // 4 of 7 words in common are enough at 0.5, and too few at 0.6.
    expect(near['emotion felt calm and grateful']).toBeUndefined();
    const strict = await questionOf('journal/ashwam', ['pair.threshold=0.6']);
    const again = compareRepeats(
      repeatedCase(strict, [
        [object('emotion', 'felt calm and grateful')],
        [object('emotion', 'mood was good felt calm and grateful')],
      ]),
    );
    expect(again.items?.comeAndGo[0]?.near?.why).toBe('similarity 0.571 is under 0.6');
  });

  test('what has another label is named only if its words are alike enough', async () => {
    // One word of three: with the same label, half of the threshold of 0.5 is near; with another, all of it is needed.
    const inItsStead = async (label: string) => {
      const runs = [[object('symptom', 'heavy heart')], [object(label, 'heavy head')]];
      const { items } = compareRepeats(repeatedCase(await questionOf('journal/ashwam'), runs));
      return items!.comeAndGo.map(({ near }) => near?.why ?? null);
    };
    const unlike = 'similarity 0.333 is under 0.5';
    expect(await inItsStead('symptom')).toEqual([unlike, unlike]);
    expect(await inItsStead('emotion')).toEqual([null, null]);
  });

  test('nothing found in any run: undefined, and why', async () => {
    const { items } = compareRepeats(repeatedCase(await questionOf('journal/ashwam'), [[], []]));
    expect(items?.kinds[0]).toMatchObject({
      items: 0,
      share: { value: null, undefined: 'no run found anything' },
      pairwise: { value: null, undefined: 'no run found anything' },
    });
  });

  test('tokens are no items that could be followed', async () => {
    const { items, noItems } = compareRepeats(repeatedCase(await questionOf('pii/token'), [[], []]));
    expect(items).toBeNull();
    expect(noItems).toMatch(/^pii\/token scores tokens, not items/);
  });

  test('what left before pairing does not count, what a rule excused does', async () => {
    const question = await questionOf('pii/strict');
    const repeated = repeatedCase(question, [[span(0, 5), span(10, 15)], [span(0, 5)]]);
    const first = repeated.runs[0]!.cases.get('c1')!;
    const changed = (change: Partial<Verdict>): Repeated => {
      const verdicts = first.verdicts.map((own, at) => (at === 1 ? { ...own, ...change } : own));
      const run = { ...repeated.runs[0]!, cases: new Map([['c1', { ...first, verdicts }]]) };
      return { ...repeated, runs: [run, repeated.runs[1]!] };
    };
    const items = (change: Partial<Verdict>) => compareRepeats(changed(change)).items?.kinds[0]?.items;
    expect(items({ verdict: 'excused', setAside: true })).toBe(1);
    expect(items({ verdict: 'excused' })).toBe(2);
  });
});

describe('gold', () => {
  test('found always, sometimes, never, or excused', async () => {
    const repeated = await measured({ a: '2/0/3' }, { a: '1/0/4' });
    // The fourth in both runs; the fifth in the second alone, so that a run is blamed for it.
    const excusedIn = [[3], [3, 4]];
    const excused = repeated.runs.map((run, place) => ({
      ...run,
      cases: new Map(
        [...run.cases].map(([id, own]) => [
          id,
          {
            ...own,
            verdicts: own.verdicts.map((one): Verdict =>
              excusedIn[place]!.includes(one.gold?.index ?? -1) ? { ...one, verdict: 'excused' } : one,
            ),
          },
        ]),
      ),
    }));
    const { gold } = compareRepeats({ ...repeated, runs: excused });
    expect(gold?.counts).toEqual({ always: 1, sometimes: 1, never: 2, excused: 1 });
    expect(gold?.items.map(({ found, runs }) => `${found} ${runs.join(' ')}`)).toEqual([
      'always hit hit',
      'sometimes hit missed',
      'never missed missed',
      'excused excused excused',
      'never missed excused',
    ]);
  });

  test('that only some runs have is left out and counted', async () => {
    const { gold } = compareRepeats(await measured({ a: '1/0/1' }, { a: '1/0/0' }));
    expect(gold).toMatchObject({ counts: { always: 1, never: 0 }, notInEveryRun: 1 });
  });
});
