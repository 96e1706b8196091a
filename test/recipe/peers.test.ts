import { describe, expect, test } from 'vitest';

import type { Item } from '../../src/data/item.ts';
import { caseOf, span } from '../pair/items.ts';
import { type Scored, scoreWith } from './score-with.ts';

/** A text of one-letter tokens, and spans by the tokens they hold: `PER 1-3` is tokens 1 and 2. */
function sentence(id: string, gold: readonly string[], predicted: readonly string[]): ReturnType<typeof caseOf> {
  const spans = (all: readonly string[]): Item[] =>
    all.map((one) => {
      const [label = '', place = ''] = one.split(' ');
      const [start = 0, end = 0] = place.split('-').map(Number);
      return span(start, end, label);
    });
  return caseOf({ id, text: 'x'.repeat(10), gold: spans(gold), predicted: spans(predicted) });
}

function figures(scored: Scored, slice: Readonly<Record<string, string>> = {}): (number | null)[] {
  return ['precision', 'recall', 'f1'].map((name) => scored.value(name, slice));
}

describe('the figures that other tools document for their own examples', () => {
  // nervaluate's README: two sentences, five entities.
  const NERVALUATE = [
    sentence('1', ['PER 1-3', 'ORG 6-8'], ['PER 2-4', 'ORG 6-8']),
    sentence('2', ['LOC 1-2', 'PER 2-4', 'DATE 6-7'], ['LOC 1-3', 'PER 3-4', 'DATE 6-7']),
  ];

  test.each([
    ['type', [5, 0, 0, 0, 0], 1],
    ['exact', [2, 3, 0, 0, 0], 0.4],
    // It prints 0.40 here; by its own definition, (COR + 0.5 PAR) / ACT, it is (2 + 1.5) / 5.
    ['partial', [2, 0, 3, 0, 0], 0.7],
    ['strict', [2, 3, 0, 0, 0], 0.4],
  ] as const)('nervaluate: %s', async (scheme, counts, value) => {
    const scored = await scoreWith('pii/semeval', NERVALUATE);
    const slice: Readonly<Record<string, string>> = scheme === 'strict' ? {} : { scheme };
    const names = ['correct', 'incorrect', 'partial', 'missed_alone', 'spurious_alone'];
    expect(names.map((name) => scored.value(name, slice))).toEqual(counts);
    for (const one of figures(scored, slice)) expect(one).toBeCloseTo(value, 12);
  });

  test('seqeval: a boundary that is off by one token is no hit', async () => {
    const scored = await scoreWith('pii/strict', [
      sentence('1', ['MISC 3-6'], ['MISC 2-6']),
      sentence('2', ['PER 0-2'], ['PER 0-2']),
    ]);
    expect(figures(scored)).toEqual([0.5, 0.5, 0.5]);
    expect(figures(scored, { label: 'MISC' })).toEqual([0, 0, 0]);
    expect(figures(scored, { label: 'PER' })).toEqual([1, 1, 1]);
    expect(scored.value('macro_f1')).toBe(0.5);
  });

  test('conlleval: 459 phrases, 539 found, 371 right', async () => {
    const phrases = (count: number, length: number, from: number): Item[] =>
      Array.from({ length: count }, (_, at) => span(from + 10 * at, from + 10 * at + length, 'NP'));
    const right = phrases(371, 5, 0);
    const scored = await scoreWith(
      'pii/strict',
      caseOf({
        gold: [...right, ...phrases(459 - 371, 5, 4000)],
        predicted: [...right, ...phrases(539 - 371, 6, 4000)],
      }),
    );
    expect(figures(scored).map((value) => ((value ?? 0) * 100).toFixed(2))).toEqual(['68.83', '80.83', '74.35']);
  });
});
