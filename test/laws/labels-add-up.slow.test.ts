import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Item } from '../../src/data/item.ts';
import type { MeasureValue } from '../../src/measure/tally.ts';
import { VERDICTS } from '../../src/judge/verdict.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { presetNames } from '../../src/recipe/presets.ts';
import { scoreWith } from '../recipe/score-with.ts';
import { caseOf, span } from '../pair/items.ts';
import { made, runs, spanSides } from './arbitrary-cases.ts';
import { scorer } from './score-sync.ts';

const SPAN_PRESETS = [
  'pii/strict',
  'pii/exact',
  'pii/type',
  'pii/partial',
  'pii/iou',
  'pii/token',
  'pii/character',
  'pii/semeval',
  'pii/every-scheme',
  'pii/piranha',
  'pii/piranha-as-coded',
];
const COUNTED = Object.fromEntries(VERDICTS.map((verdict) => [`all_${verdict}`, { of: 'count', verdict }]));
const SEMEVAL = ['correct', 'incorrect', 'incorrect_predictions', 'partial', 'missed_alone', 'spurious_alone'] as const;

/** A count by scheme and label; the label is empty for all of them, the scheme for the recipe's own. */
function lookUp(measures: readonly MeasureValue[]): (name: string, scheme: string, label?: string) => number {
  const key = (name: string, scheme = '', label = ''): string => JSON.stringify([name, scheme, label]);
  const values = new Map(measures.map(({ name, slice, value }) => [key(name, slice['scheme'], slice['label']), value]));
  return (name, scheme, label = '') => values.get(key(name, scheme, label)) ?? 0;
}

describe('the counts of the labels add up to the count of all', () => {
  test.each(SPAN_PRESETS)('%s', async (preset) => {
    const score = await scorer({ extends: preset, measure: COUNTED });
    fc.assert(
      fc.property(spanSides, (given) => {
        const { measures } = score(made(given));
        const counts = measures.filter(({ name }) => name.startsWith('all_') || SEMEVAL.some((one) => one === name));
        const sums = new Map<string, number>();
        for (const { name, slice, value } of counts) {
          const key = `${name} ${slice['scheme'] ?? ''}`;
          sums.set(key, (sums.get(key) ?? 0) + (slice['label'] === undefined ? -1 : 1) * (value ?? 0));
        }
        expect([...sums].filter(([, left]) => left !== 0)).toEqual([]);
      }),
      { ...runs, numRuns: 100 },
    );
  });
});

describe('pii/semeval', () => {
  const labels = ['PERSON', 'LOC', 'ORG', 'DATETIME'];
  const having = (items: readonly Item[], label: string): number => items.filter((one) => one.label === label).length;

  test('in every row, gold is correct, incorrect, partial or missed, and a prediction one of these or spurious', async () => {
    const score = await scorer('pii/semeval');
    fc.assert(
      fc.property(spanSides, (given) => {
        const value = lookUp(score(made(given)).measures);
        const sum = (names: readonly string[], scheme: string, label?: string): number =>
          names.reduce((all, name) => all + value(name, scheme, label), 0);
        const goldSide = ['correct', 'partial', 'incorrect', 'missed_alone'];
        const predictedSide = ['correct', 'partial', 'incorrect_predictions', 'spurious_alone'];
        for (const scheme of ['', 'exact', 'partial', 'type']) {
          expect(value('incorrect', scheme)).toBe(value('incorrect_predictions', scheme));
          expect(sum(goldSide, scheme)).toBe(given.gold.length);
          expect(sum(predictedSide, scheme)).toBe(given.predicted.length);
          for (const label of labels) expect(sum(goldSide, scheme, label)).toBe(having(given.gold, label));
        }
        // Where labels need not agree, a hit is in the row of gold's label.
        for (const scheme of ['', 'type'])
          for (const label of labels) expect(sum(predictedSide, scheme, label)).toBe(having(given.predicted, label));
      }),
      runs,
    );
  });

  test('gold PER predicted as LOC: an incorrect prediction in the row of LOC', async () => {
    const given = caseOf({ gold: [span(0, 5, 'PER')], predicted: [span(0, 5, 'LOC')] });
    const value = lookUp((await scoreWith('pii/semeval', given)).measures);
    expect(SEMEVAL.map((name) => value(name, '', 'LOC'))).toEqual([0, 0, 1, 0, 0, 0]);
    expect(SEMEVAL.map((name) => value(name, '', 'PER'))).toEqual([0, 1, 0, 0, 0, 0]);
  });
});

test('no preset has a measure with the name of a verdict, which would be two numbers of one name in one output', async () => {
  const clashing: string[] = [];
  for (const preset of presetNames())
    for (const { name } of (await planRecipe(preset)).measures)
      if (VERDICTS.some((verdict) => verdict === name)) clashing.push(`${preset} ${name}`);
  expect(clashing).toEqual([]);
});

test('the interval of a count ends at whole numbers', async () => {
  // Hits per case: 0, 1, 2, 3 and 7, so that the percentiles of 50 resamples lie between whole numbers.
  const cases = [0, 1, 2, 3, 7].map((hits, at) => {
    const spans = Array.from({ length: hits }, (_, place) => span(10 * place, 10 * place + 5));
    return caseOf({ id: `c${at}`, gold: spans, predicted: spans });
  });
  const scored = await scoreWith('pii/semeval', cases, ['interval.resamples=50', 'interval.level=0.9']);
  const { interval } = scored.measure('correct');
  expect(interval).not.toBeNull();
  expect([interval?.low, interval?.high].map((end) => Number.isInteger(end))).toEqual([true, true]);
});
