import { describe, expect, test } from 'vitest';

import { makeCase } from '../../src/data/case.ts';
import { makeItem } from '../../src/data/item.ts';
import { makeVerdict, type Verdict } from '../../src/judge/verdict.ts';
import { buildMeasures } from '../../src/measure/measures.ts';
import { Tally } from '../../src/measure/tally.ts';

/* Measures whose values by label have a name of their own, and only some labels. */

function rating(question: string, dimension: string, value: number): Verdict {
  return makeVerdict({
    case: 'c1',
    scheme: null,
    kind: 'rating',
    verdict: 'excused',
    rule: 'logged',
    label: dimension,
    predicted: makeItem({ kind: 'rating', index: 0, label: dimension, fields: { question, value } }),
  });
}

function values(params: object, verdicts: readonly Verdict[]): unknown[] {
  const tally = new Tally(buildMeasures({ m: params }, null).measures, ['label']);
  tally.addCase(makeCase({ id: 'c1' }), null, verdicts);
  return tally.values().map(({ slice, value, n }) => [slice, value, n]);
}

const MEAN = { of: 'field-mean', kind: 'rating', field: 'value', direction: 'higher' };
const RATINGS = [
  rating('a', 'safety', 4),
  rating('a', 'safety', 5),
  rating('a', 'efficacy', 3),
  rating('b', 'harm', 1),
];

describe('by', () => {
  test('without it every label of the run has a value, called label', () => {
    expect(values(MEAN, RATINGS)).toEqual([
      [{}, 13 / 4, 4],
      [{ label: 'efficacy' }, 3, 1],
      [{ label: 'harm' }, 1, 1],
      [{ label: 'safety' }, 4.5, 2],
    ]);
  });

  test('with a name and labels, those labels have values under that name, also those that do not occur', () => {
    const by = { slice: 'dimension', labels: ['safety', 'personalization'] };
    expect(values({ ...MEAN, where: { question: ['a'] }, by }, RATINGS)).toEqual([
      [{}, 4, 3],
      [{ dimension: 'safety' }, 4.5, 2],
      [{ dimension: 'personalization' }, null, 0],
    ]);
  });

  test('with a name alone, the labels are those that the measure has anything of', () => {
    expect(values({ ...MEAN, where: { question: ['a'] }, by: { slice: 'dimension' } }, RATINGS)).toEqual([
      [{}, 4, 3],
      [{ dimension: 'efficacy' }, 3, 1],
      [{ dimension: 'safety' }, 4.5, 2],
    ]);
  });

  test('none: the whole alone', () => {
    expect(values({ ...MEAN, by: 'none' }, RATINGS)).toEqual([[{}, 13 / 4, 4]]);
  });
});

test('a recipe has its own words for there being nothing to measure', () => {
  const tally = new Tally(buildMeasures({ m: { ...MEAN, nothing: 'nobody has rated it' } }, null).measures, []);
  tally.addCase(makeCase({ id: 'c1' }), null, []);
  expect(tally.values()[0]).toMatchObject({ value: null, undefined: 'nobody has rated it', n: 0 });
});
