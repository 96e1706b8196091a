import { describe, expect, test } from 'vitest';

import { caseOf, span } from '../pair/items.ts';
import { SCHEME_PRESETS } from './scheme-presets.ts';
import { type Scored, scoreWith } from './score-with.ts';

/*
 * One document, worked out by hand. The text is "abcd abcd abcd …": token k is 5k..5k+4.
 *
 *      gold           predicted      what it is                       strict  exact   type    partial
 *   1  0..5 PER       0..5 PER       equal                            COR     COR     COR     COR
 *   2  10..15 PER     10..15 LOC     another label                    INC     COR     INC     COR
 *   3  20..25 ORG     21..25 ORG     another boundary, IoU 4/5        INC     INC     COR     PAR
 *   4  30..35 ORG     31..36 LOC     another label and boundary       INC     INC     INC     PAR
 *   5  40..45 LOC                    missed                           MIS     MIS     MIS     MIS
 *   6                 50..55 PER     spurious                         SPU     SPU     SPU     SPU
 *   7a 60..70 ORG     60..70 ORG     nested, both found               COR     COR     COR     COR
 *   7b 60..64 LOC     60..64 LOC                                      COR     COR     COR     COR
 *   8a 72..80 ORG     72..80 ORG     nested, the outer found          COR     COR     COR     COR
 *   8b 72..75 LOC                    its only overlap is taken        MIS     MIS     MIS     MIS
 *   9  84..94 PER     84..88 PER     another boundary, IoU 4/10       INC     INC     COR     PAR
 *
 *   10 gold, 9 predicted     COR INC PAR MIS SPU     precision   recall
 *   strict                     4   4   0   2   1     4 / 9       4 / 10
 *   exact                      5   3   0   2   1     5 / 9       5 / 10
 *   type                       6   2   0   2   1     6 / 9       6 / 10
 *   partial                    5   0   3   2   1     6.5 / 9     6.5 / 10
 *
 * Same label and IoU of at least 0.3: 1, 3, 7a, 7b, 8a, 9; of at least 0.5 or 0.7: without 9.
 *
 *   characters     gold                predicted          in common
 *   PER            5 + 5 + 10 = 20     5 + 5 + 4 = 14     5 + 4 = 9
 *   ORG            5 + 5 + 10 + 8      4 + 10 + 8 = 22    22
 *   LOC            5 + 4 + 3 = 12      5 + 5 + 4 = 14     4
 *   all            60                  50                 35
 *
 *   tokens         gold                predicted          in common
 *   PER            0 2 17 18           0 10 17            0 17
 *   ORG            4 6 12 13 14 15     4 12 13 14 15      4 12 13 14 15
 *   LOC            8 12 14             2 6 7 12           12
 *   all            13                  12                 8
 */
const DOCUMENT = caseOf({
  text: 'abcd '.repeat(20),
  gold: [
    span(0, 5, 'PER'),
    span(10, 15, 'PER'),
    span(20, 25, 'ORG'),
    span(30, 35, 'ORG'),
    span(40, 45, 'LOC'),
    span(60, 70, 'ORG'),
    span(60, 64, 'LOC'),
    span(72, 80, 'ORG'),
    span(72, 75, 'LOC'),
    span(84, 94, 'PER'),
  ],
  predicted: [
    span(0, 5, 'PER'),
    span(10, 15, 'LOC'),
    span(21, 25, 'ORG'),
    span(31, 36, 'LOC'),
    span(50, 55, 'PER'),
    span(60, 70, 'ORG'),
    span(60, 64, 'LOC'),
    span(72, 80, 'ORG'),
    span(84, 88, 'PER'),
  ],
});

const PRECISION_AND_RECALL = {
  strict: [4 / 9, 4 / 10],
  exact: [5 / 9, 5 / 10],
  type: [6 / 9, 6 / 10],
  partial: [6.5 / 9, 6.5 / 10],
  'iou-0.3': [6 / 9, 6 / 10],
  'iou-0.5': [5 / 9, 5 / 10],
  'iou-0.7': [5 / 9, 5 / 10],
  character: [35 / 50, 35 / 60],
  token: [8 / 12, 8 / 13],
} as const;

function sliceOf(scheme: string): Readonly<Record<string, string>> {
  return scheme === 'strict' ? {} : { scheme };
}

describe('pii/semeval', () => {
  test.each([
    ['strict', [4, 4, 0, 2, 1]],
    ['exact', [5, 3, 0, 2, 1]],
    ['type', [6, 2, 0, 2, 1]],
    ['partial', [5, 0, 3, 2, 1]],
  ] as const)('%s counts', async (scheme, expected) => {
    const scored = await scoreWith('pii/semeval', DOCUMENT);
    const counts = ['correct', 'incorrect', 'partial', 'missed_alone', 'spurious_alone'].map((name) =>
      scored.value(name, sliceOf(scheme)),
    );
    expect(counts).toEqual(expected);
    const [precision, recall] = PRECISION_AND_RECALL[scheme];
    expect(scored.value('precision', sliceOf(scheme))).toBe(precision);
    expect(scored.value('recall', sliceOf(scheme))).toBe(recall);
  });

  test('an error of boundary or label is one error that names both spans', async () => {
    const scored = await scoreWith('pii/semeval', DOCUMENT);
    const errors = scored
      .verdicts()
      .filter(({ rule, verdict }) => rule === 'incorrect' && verdict === 'missed')
      .map(({ gold, rejected, because }) => [
        gold?.start,
        gold?.end,
        rejected?.item.start,
        rejected?.item.end,
        because,
      ]);
    expect(errors).toEqual([
      [10, 15, 10, 15, 'label differs'],
      [20, 25, 21, 25, 'boundaries differ'],
      [30, 35, 31, 36, 'label and boundaries differ'],
      [84, 94, 84, 88, 'boundaries differ'],
    ]);
  });

  test('partial credit is what the recipe says', async () => {
    const scored = await scoreWith('pii/semeval', DOCUMENT, ['schemes.partial.partial=0.3']);
    // 5 + 3 · 0.3 = 5.9
    expect(scored.value('precision', { scheme: 'partial' })).toBe(5.9 / 9);
  });
});

describe('pii/every-scheme', () => {
  test('one pass gives every scheme', async () => {
    const scored = await scoreWith('pii/every-scheme', DOCUMENT);
    for (const [scheme, [precision, recall]] of Object.entries(PRECISION_AND_RECALL)) {
      expect(scored.value('precision', sliceOf(scheme)), scheme).toBe(precision);
      expect(scored.value('recall', sliceOf(scheme)), scheme).toBe(recall);
    }
  });

  test.each(SCHEME_PRESETS)('%s is what %s gives alone', async (scheme, preset, set) => {
    const scored: Scored = await scoreWith(preset, DOCUMENT, set);
    const [precision, recall] = PRECISION_AND_RECALL[scheme];
    expect(scored.value('precision')).toBe(precision);
    expect(scored.value('recall')).toBe(recall);
  });

  test('a text is needed for tokens and characters, and the message says what to do without one', async () => {
    const noText = caseOf({ gold: [span(0, 5)], predicted: [span(0, 5)] });
    await expect(scoreWith('pii/token', noText)).rejects.toMatchObject({
      message: 'case c1 has no text: unit token needs it',
      next: 'give the texts with --cases, or leave the token, character and cover schemes off',
    });
    const rest = await scoreWith('pii/every-scheme', noText, ['schemes.token=off', 'schemes.character=off']);
    expect(rest.value('recall')).toBe(1);
  });
});

describe('by label, a hit counts under gold’s label', () => {
  const [gold, predicted] = [[span(0, 3, 'A')], [span(0, 3, 'B')]];
  const given = caseOf({ text: 'abc def', gold, predicted });

  test.each([
    ['spans/exact', [1, 1], null],
    ['spans/partial', [1, 1], null],
    ['spans/strict', [null, 0], 0],
    ['spans/type', [null, 0], 0],
  ] as const)('%s, gold A and predicted B at one place', async (preset, ofA, precisionOfB) => {
    const scored = await scoreWith(preset, given);
    const value = (name: string, label: string): number | null =>
      scored.measures.find((one) => one.name === name && one.slice['label'] === label)?.value ?? null;
    expect([value('precision', 'A'), value('recall', 'A')]).toEqual(ofA);
    expect(value('precision', 'B')).toBe(precisionOfB);
  });
});
