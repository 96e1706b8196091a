import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';

import type { Case } from '../../src/data/case.ts';
import { UsageError } from '../../src/data/problems.ts';
import { assay } from '../cli/run-assay.ts';
import { caseOf, span } from '../pair/items.ts';
import { scoreWith } from '../recipe/score-with.ts';
import type { Counts } from '../stats/made-up-counts.ts';
import { folders, SPANS, spansCase, spansCases } from './scored-folders.ts';

const ROWS: readonly Counts[] = [
  [2, 1, 0],
  [1, 0, 2],
  [3, 0, 1],
  [0, 2, 1],
  [2, 2, 2],
];
const ON = 'interval.resamples=300';

const scored = folders();

describe('an interval', () => {
  test('is there for every value over several cases, between the least and the most a case has', async () => {
    const { measure } = await scoreWith(SPANS, spansCases(ROWS), [ON]);
    for (const name of ['precision', 'recall', 'f1']) {
      const { value, interval, units, noInterval } = measure(name);
      expect(noInterval).toBeNull();
      expect(units).toBe(5);
      expect(interval).toMatchObject({ level: 0.95, method: 'bootstrap-percentile' });
      expect(interval!.low).toBeGreaterThanOrEqual(0);
      expect(interval!.low).toBeLessThan(value!);
      expect(interval!.high).toBeGreaterThan(value!);
    }
  });

  // numpy: RandomState(42).randint(0, 5, 5), 300 times, over these rows; np.percentile of 2h / (2h + s + m).
  test('is numpy’s for the same counts', async () => {
    const { measure } = await scoreWith(SPANS, spansCases(ROWS), [ON]);
    expect(measure('f1').interval?.low).toBeCloseTo(0.36363636363636365, 12);
    expect(measure('f1').interval?.high).toBeCloseTo(0.7737179487179485, 12);
  });

  test('off: the values stay, and why there is none is said', async () => {
    const [on, off] = [
      await scoreWith(SPANS, spansCases(ROWS), [ON]),
      await scoreWith(SPANS, spansCases(ROWS), ['interval=off']),
    ];
    expect(off.measure('f1')).toEqual({ ...on.measure('f1'), interval: null, noInterval: 'not asked for' });
    expect(off.signature).toMatch(/\|interval:off$/);
    expect(off.comparable).toBe(on.comparable);
  });

  test('method, level, resamples and seed come from the recipe and stand in the signature, not in what is compared', async () => {
    const usual = await scoreWith(SPANS, spansCases(ROWS), [ON]);
    const set = ['interval.method=bca', 'interval.level=0.9', 'interval.seed=7', 'interval.resamples=400'];
    const other = await scoreWith(SPANS, spansCases(ROWS), set);
    expect(other.measure('f1').interval).toMatchObject({ level: 0.9, method: 'bootstrap-bca' });
    expect(other.measure('f1').interval?.low).toBeGreaterThan(usual.measure('f1').interval!.low);
    expect(usual.signature).toMatch(/\|interval:percentile\(300,0\.95,seed 42\)$/);
    expect(other.signature).toMatch(/\|interval:bca\(400,0\.9,seed 7\)$/);
    expect(other.comparable).toBe(usual.comparable);
    const seed = await scoreWith(SPANS, spansCases(ROWS), [ON, 'interval.seed=43']);
    expect(seed.measure('f1').interval).not.toEqual(usual.measure('f1').interval);
  });

  test.each([
    'interval.level=1',
    'interval.level=0',
    'interval.resamples=0',
    'interval.resamples=1.5',
    'interval.seed=-1',
    'interval.method=normal',
    'interval.cluster=3',
    'interval.unit=case',
    'interval=maybe',
  ])('%s is refused', async (line) => {
    await expect(scoreWith(SPANS, spansCases(ROWS), [line])).rejects.toThrow(/interval/);
  });

  test('one case, one case with the label, no case with a value: each said in words', async () => {
    const one = await scoreWith(SPANS, spansCases(ROWS.slice(0, 1)), [ON]);
    expect(one.measure('f1').noInterval).toBe('there is one case only: nothing to resample');
    const label = await scoreWith(
      SPANS,
      [spansCase('a', { X: [1, 0, 1], Y: [1, 1, 0] }), spansCase('b', [2, 0, 0])],
      [ON],
    );
    expect(label.measure('f1', { label: 'Y' })).toMatchObject({
      units: 1,
      interval: null,
      noInterval: 'only one case has anything to measure: nothing to resample',
    });
    const nothing = await scoreWith(
      SPANS,
      spansCases([
        [0, 0, 1],
        [0, 0, 2],
      ]),
      [ON],
    );
    expect(nothing.measure('precision')).toMatchObject({
      value: null,
      interval: null,
      noInterval: 'there is no value',
    });
  });

  test('a failed case is in no resample', async () => {
    const failed = spansCase('c99', [9, 9, 9], { failed: 'time-out' });
    const [without, withFailed] = [
      await scoreWith(SPANS, spansCases(ROWS), [ON]),
      await scoreWith(SPANS, [...spansCases(ROWS), failed], [ON]),
    ];
    expect(withFailed.measures).toEqual(without.measures);
    const all = await scoreWith(SPANS, [failed], [ON]);
    expect(all.measure('f1')).toMatchObject({ value: null, units: 0, interval: null, noInterval: 'there is no value' });
  });

  test('zeroDivision: a value that stands for 0/0 is no certainty', async () => {
    const set = [ON, 'zeroDivision=0'];
    const found = await scoreWith(
      SPANS,
      spansCases([
        [0, 0, 1],
        [0, 0, 2],
      ]),
      set,
    );
    expect(found.measure('precision')).toMatchObject({
      value: 0,
      interval: null,
      noInterval: 'no case has anything to measure',
    });
    const failed = await scoreWith(SPANS, [spansCase('a', [1, 0, 0], { failed: 'no' })], set);
    expect(failed.measure('f1')).toMatchObject({ value: 0, noInterval: 'no case has anything to measure' });
  });
});

describe('slices', () => {
  const CASES: readonly Case[] = [
    spansCase('a', { X: [1, 0, 1], Y: [1, 0, 0] }, { fields: { lang: 'de' } }),
    spansCase('b', { X: [1, 1, 0] }, { fields: { lang: 'de' } }),
    spansCase('c', { Z: [0, 1, 3] }, { fields: { lang: 'en' } }),
    spansCase('d', { X: [5, 0, 0] }),
  ];
  const SLICED = { ...SPANS, measure: ['f1', 'macro_f1', 'macro_recall'], slice: ['label', 'lang'] };

  test('a macro average of a column’s value goes over the labels of its own cases', async () => {
    const { measure } = await scoreWith(SLICED, CASES, [ON]);
    // de: X has 2 hits, 1 spurious, 1 missed: 4/6. Y: 1. Their mean 5/6; recall 2/3 and 1, also 5/6.
    expect(measure('macro_f1', { lang: 'de' })).toMatchObject({ n: 2, units: 2, undefined: null });
    expect(measure('macro_f1', { lang: 'de' }).value).toBeCloseTo((4 / 6 + 1) / 2, 15);
    expect(measure('macro_recall', { lang: 'de' }).value).toBeCloseTo((2 / 3 + 1) / 2, 15);
    expect(measure('macro_f1', { lang: 'de' }).noInterval).toBe('label X is in 2 cases only: 3 or more are needed');
    expect(measure('macro_f1', { lang: 'en' })).toMatchObject({ value: 0, n: 1, interval: null });
  });

  test('the slice has the interval its cases have alone, and the whole that of all cases', async () => {
    const [whole, alone] = [await scoreWith(SLICED, CASES, [ON]), await scoreWith(SLICED, CASES.slice(0, 2), [ON])];
    for (const name of ['f1', 'macro_f1'])
      expect(whole.measure(name, { lang: 'de' })).toMatchObject({
        value: alone.value(name),
        interval: alone.measure(name).interval,
        units: 2,
      });
    expect(whole.measure('f1').units).toBe(4);
  });
});

describe('interval.cluster', () => {
  const doc = (...docs: readonly (string | null)[]) =>
    spansCases(ROWS, (at) => ({ fields: docs[at] == null ? { lang: 'de' } : { doc: docs[at], lang: 'en' } }));
  const BY = [ON, 'interval.cluster=doc'];

  test('cases of one document are one unit, whatever their order; those without stand for themselves', async () => {
    const found = await scoreWith(SPANS, doc('x', 'y', 'x', null, 'y'), BY);
    expect(found.measure('f1')).toMatchObject({ units: 3, interval: { method: 'bootstrap-percentile' } });
    expect(found.notices).toMatchObject({ unclustered: 1 });
    expect(found.signature).toMatch(/,seed 42,by doc#[0-9a-f]{8}\)$/);
    // The same sums as three cases: x = 5/1/1, y = 3/2/4, and the fourth as it was; the lone case comes first.
    const sums = [spansCase('1', [0, 2, 1]), spansCase('2', [5, 1, 1]), spansCase('3', [3, 2, 4])];
    const plain = await scoreWith(SPANS, sums, [ON]);
    expect(found.measure('f1').interval).toEqual(plain.measure('f1').interval);
    expect(found.value('f1')).toBe(plain.value('f1'));
    const turned = await scoreWith(SPANS, doc('x', 'y', 'x', null, 'y').toReversed(), BY);
    expect(turned.measures).toEqual(found.measures);
  });

  test('the signature names which cases belong together', async () => {
    const [one, other, same] = [
      await scoreWith(SPANS, doc('x', 'y', 'x', 'z', 'y'), BY),
      await scoreWith(SPANS, doc('x', 'x', 'y', 'z', 'y'), BY),
      await scoreWith(SPANS, doc('x', 'y', 'x', 'z', 'y').toReversed(), BY),
    ];
    expect(one.signature).not.toBe(other.signature);
    expect(one.signature).toBe(same.signature);
  });

  test('values and what may be compared are those without clusters', async () => {
    const [by, plain] = [
      await scoreWith(SPANS, doc('x', 'y', 'x', 'z', 'y'), BY),
      await scoreWith(SPANS, doc('x', 'y', 'x', 'z', 'y'), [ON]),
    ];
    expect(by.comparable).toBe(plain.comparable);
    expect(by.measures.map(({ value, n }) => [value, n])).toEqual(plain.measures.map(({ value, n }) => [value, n]));
    expect(by.measure('f1').interval).not.toEqual(plain.measure('f1').interval);
  });

  test('one yes or no a case, but two cases a document: no Wilson', async () => {
    const yesNo = spansCases(
      [
        [1, 0, 0],
        [0, 1, 0],
        [1, 0, 0],
        [1, 0, 0],
      ],
      (at) => ({ fields: { doc: at < 2 ? 'x' : at } }),
    );
    const by = await scoreWith(SPANS, yesNo, BY);
    expect(by.measure('precision')).toMatchObject({ units: 3, interval: { method: 'bootstrap-percentile' } });
    const plain = await scoreWith(SPANS, yesNo, [ON]);
    expect(plain.measure('precision')).toMatchObject({ units: 4, interval: { method: 'wilson' } });
  });

  test('one document only: nothing to resample', async () => {
    const { measure } = await scoreWith(SPANS, doc('x', 'x', 'x', 'x', 'x'), BY);
    expect(measure('f1').noInterval).toBe('there is one doc only: nothing to resample');
  });

  test('a column that nobody has is a slip', async () => {
    const wrong = scoreWith(SPANS, doc('x', 'y', 'x', null, 'y'), [ON, 'interval.cluster=patient']);
    await expect(wrong).rejects.toThrow(UsageError);
    await expect(wrong).rejects.toThrow('interval.cluster: no case has a value of patient');
  });

  test('also where each annotator makes a case of its own, which belongs to its document', async () => {
    const wrong = scoreWith({ ...SPANS, prepare: { annotator: 'each' } }, annotated(), [
      ON,
      'interval.cluster=patient',
    ]);
    await expect(wrong).rejects.toThrow('interval.cluster: no case has a value of patient');
  });

  test('a slice none of whose cases has the column is no slip', async () => {
    const sliced = { ...SPANS, slice: ['lang'] };
    const found = await scoreWith(sliced, doc('x', 'y', 'x', null, null), BY);
    expect(found.measure('f1', { lang: 'de' }).units).toBe(2);
    expect(found.measure('f1', { lang: 'en' }).units).toBe(2);
  });
});

function annotated(): Case[] {
  const by = (annotator: string, start: number) => ({ ...span(start, start + 3, 'X'), annotator });
  return [
    caseOf({ id: 'd1', gold: [by('p', 0), by('q', 0), by('q', 8)], predicted: [span(0, 3, 'X')] }),
    caseOf({ id: 'd2', gold: [by('p', 0), by('q', 4)], predicted: [span(4, 7, 'X')] }),
    caseOf({ id: 'd3', gold: [by('p', 0)], predicted: [span(0, 3, 'X'), span(4, 7, 'X')] }),
  ];
}

test('annotator: each: two opinions of one document are not two documents', async () => {
  const recipe = { ...SPANS, prepare: { annotator: 'each' }, slice: ['annotator'] };
  const { measure } = await scoreWith(recipe, annotated(), [ON]);
  // Five cases, three documents. Recall: p finds 1 of 1, 0 of 1, 1 of 1; q 1 of 2, 1 of 1.
  expect(measure('recall')).toMatchObject({ value: 4 / 6, n: 6, units: 3, cases: { n: 5 } });
  expect(measure('recall').interval?.method).toBe('bootstrap-percentile');
  // Of one annotator each document is there once: a plain proportion.
  expect(measure('recall', { annotator: 'p' })).toMatchObject({
    value: 2 / 3,
    units: 3,
    interval: { method: 'wilson' },
  });
});

describe('the files of a run', () => {
  const validator = (name: string) => {
    const schema: unknown = JSON.parse(assay(['schema', name]).stdout);
    if (typeof schema !== 'object' || schema === null) throw new Error('no schema');
    return new Ajv2020({ strict: false }).compile(schema);
  };

  test('cases.jsonl has slices and clusters where the recipe asks for them, and both files are as the schema says', async () => {
    const cases = [
      spansCase('a', ROWS[0]!, { fields: { lang: 'de', doc: 1 } }),
      spansCase('b', ROWS[1]!, { fields: { doc: 1 } }),
      spansCase('c', ROWS[2]!, { fields: { lang: 'en' } }),
    ];
    const set = ['slice=[lang]', 'interval.cluster=doc'];
    const [sliced, plain] = [await scored('sliced', cases, { set }), await scored('plain', cases)];
    const lines = (folder: string): unknown[] =>
      readFileSync(join(folder, 'cases.jsonl'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line));
    expect(lines(sliced.folder)).toMatchObject([
      { case: 'a', slices: { lang: 'de' }, cluster: '1' },
      { case: 'b', slices: {}, cluster: '1' },
      { case: 'c', slices: { lang: 'en' } },
    ]);
    expect(lines(sliced.folder)[2]).not.toHaveProperty('cluster');
    for (const line of lines(plain.folder)) {
      expect(line).not.toHaveProperty('slices');
      expect(line).not.toHaveProperty('cluster');
    }
    const [asCases, asMeasures] = [validator('cases'), validator('measures')];
    for (const line of [...lines(sliced.folder), ...lines(plain.folder)])
      expect(asCases(line) || asCases.errors).toBe(true);
    for (const { folder } of [sliced, plain]) {
      const measures: unknown = JSON.parse(readFileSync(join(folder, 'measures.json'), 'utf8'));
      expect(asMeasures(measures) || asMeasures.errors).toBe(true);
    }
    expect(asMeasures({ ...sliced.measures, measures: [{ name: 'f1' }] })).toBe(false);
    expect(sliced.manifest.notices).toMatchObject({ unclustered: 1 });
  });

  test('the same input gives the same bytes', async () => {
    const [one, other] = [await scored('one', spansCases(ROWS)), await scored('other', spansCases(ROWS).toReversed())];
    const bytes = (folder: string): string => readFileSync(join(folder, 'measures.json'), 'utf8');
    expect(bytes(other.folder)).toBe(bytes(one.folder));
  });
});
