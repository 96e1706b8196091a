import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { offsetMap } from '../../src/text/offsets.ts';
import { makeRunCounts } from '../../src/score/run-counts.ts';
import { errorTypes } from '../../src/judge/error-types.ts';
import { scoreWith } from '../recipe/score-with.ts';
import { caseOf, span } from '../pair/items.ts';
import { made, runs, spanSides } from './arbitrary-cases.ts';
import { scorer } from './score-sync.ts';

/** Presets that pair items; tokens, characters and masks have no candidates. */
const PRESETS = ['pii/strict', 'pii/exact', 'pii/type', 'pii/partial', 'pii/iou', 'pii/semeval', 'pii/piranha'];
const NEAR_SOMETHING = new Set(['boundary', 'type', 'both', 'split', 'merged', 'duplicate']);

describe('an error that has to do with another item names a candidate', () => {
  test.each(PRESETS)('%s', async (preset) => {
    const score = await scorer(preset);
    fc.assert(
      fc.property(spanSides, (given) => {
        const own = score(made(given)).verdicts.filter(({ scheme }) => scheme === null);
        const types = errorTypes(own);
        const bare = own.filter(
          (one) => one.verdict !== 'hit' && one.rejected === null && NEAR_SOMETHING.has(types.get(one) ?? ''),
        );
        expect(bare).toEqual([]);
      }),
      runs,
    );
  });
});

describe('the labels taken for others are those that the error types count', () => {
  test.each([...PRESETS, 'pii/token', 'pii/character'])('%s', async (preset) => {
    const score = await scorer(preset);
    fc.assert(
      fc.property(spanSides, (given) => {
        const own = score(made(given)).verdicts.filter(({ scheme }) => scheme === null);
        const confusion = makeRunCounts();
        confusion.add(own);
        const cells = confusion.list().confusion;
        const sum = (wanted: (cell: (typeof cells)[number]) => boolean): number =>
          cells.filter(wanted).reduce((all, { n }) => all + n, 0);
        const errors = [...errorTypes(own)].filter(([, type]) => type === 'type' || type === 'both');
        const mistaken = errors.filter(([one]) => one.verdict === 'missed').length;
        const rows = sum((cell) => cell.gold !== null && cell.predicted !== null && cell.gold !== cell.predicted);
        expect(rows).toBeGreaterThanOrEqual(mistaken);
        // Nothing is counted twice, and nothing is lost.
        const weigh = (side: 'gold' | 'predicted'): number =>
          own
            .filter((one) => one.verdict !== 'excused' && one[side] !== null)
            .reduce((all, one) => all + one.weight, 0);
        expect(sum((cell) => cell.gold !== null)).toBe(weigh('gold'));
        expect(sum((cell) => cell.predicted !== null)).toBe(weigh('predicted'));
      }),
      runs,
    );
  });
});

describe('strict matching explains itself', () => {
  // 0    5    10   15   20
  const TEXT = 'Ann 😀 Margrete Lund of Rome';
  const given = caseOf({
    text: TEXT,
    gold: [span(0, 3, 'PER'), span(7, 20, 'PER'), span(24, 28, 'LOC')],
    predicted: [span(0, 3, 'LOC'), span(7, 15, 'PER'), span(16, 20, 'ORG'), span(24, 26, 'ORG')],
  });
  const reasons = async (
    set: readonly string[],
    unit: 'utf16' | 'codepoint' | 'byte',
  ): Promise<(string | undefined)[]> => {
    const scored = await scoreWith('pii/strict', { ...given, offsets: offsetMap(TEXT, unit) }, set);
    return scored.verdicts().map(({ rejected }) => rejected?.why);
  };

  test('by the largest overlap, in the characters of the files', async () => {
    expect(await reasons([], 'codepoint')).toEqual([
      'label differs: PER in gold, LOC predicted',
      'boundaries differ: 6–19 in gold, 6–14 predicted',
      'label differs: LOC in gold, ORG predicted; boundaries differ: 23–27 in gold, 23–25 predicted',
      'label differs: PER in gold, LOC predicted',
      'boundaries differ: 6–19 in gold, 6–14 predicted',
      'label differs: PER in gold, ORG predicted; boundaries differ: 6–19 in gold, 15–19 predicted',
      'label differs: LOC in gold, ORG predicted; boundaries differ: 23–27 in gold, 23–25 predicted',
    ]);
  });

  test.each([
    ['utf16', 'boundaries differ: 7–20 in gold, 7–15 predicted'],
    ['byte', 'boundaries differ: 9–22 in gold, 9–17 predicted'],
  ] as const)('in the %s offsets of the files', async (unit, reason) => {
    expect((await reasons([`data.offsets=${unit}`], unit))[1]).toBe(reason);
  });

  test('which label was taken for which', async () => {
    const { confusion } = await scoreWith('pii/strict', given);
    expect(confusion.map(({ gold, predicted, n }) => [gold, predicted, n])).toEqual([
      ['LOC', 'ORG', 1],
      ['PER', 'LOC', 1],
      ['PER', null, 1],
      [null, 'ORG', 1],
      [null, 'PER', 1],
    ]);
  });
});
