import { describe, expect, test } from 'vitest';

import { makeCase } from '../../../src/data/case.ts';
import { makeItem } from '../../../src/data/item.ts';
import { excusedFalsePositives } from '../../../src/audit/checks/rule-credit.ts';
import { look } from '../audited.ts';
import { spanCase, STRICT, times } from '../made-items.ts';

const OVERLAP = { ...STRICT, judge: { 'excuse-overlap': { share: 0.5 } } };
const SPURIOUS = { ...STRICT, judge: { 'excuse-spurious': { labels: ['ORG'], because: 'not asked for' } } };

const right = (n: number, label = 'PERSON') => times(n, (at) => spanCase(`r${at}`, [`${label} 0`], [`${label} 0`]));
const wrong = (n: number, label = 'PERSON') => times(n, (at) => spanCase(`w${at}`, [], [`${label} 0`]));

/** A hit, and a piece of it that was found once more. */
const twice = (n: number) =>
  times(n, (at) => {
    const span = (index: number, end: number) =>
      makeItem({ kind: 'span', index, label: 'PERSON', text: 'Anna Bell'.slice(0, end), start: 0, end });
    return makeCase({ id: `t${at}`, text: 'Anna Bell', gold: [span(0, 9)], predicted: [span(0, 9), span(1, 4)] });
  });

describe('predictions that rules excuse', () => {
  test('are a warning from a fifth of the predictions on, with precision if they counted', async () => {
    // 40 hits, 10 pieces: 10 of 50.
    const { said, findings } = await look(excusedFalsePositives, OVERLAP, [...right(30), ...twice(10)]);
    expect(said).toEqual([
      'warning: 10 of 50 predictions (20 %) are excused by the rule excuse-overlap: counted plainly, precision is 1.000 and would be 0.800 with them as spurious',
    ]);
    expect(findings[0]).toMatchObject({
      subjects: ['excuse-overlap'],
      cases: { total: 10 },
      items: {
        total: 10,
        shown: Array.from({ length: 10 }, (_, at) => ({ case: `t${at}`, side: 'predicted', text: 'Anna' })),
      },
    });
  });

  test('are a note from a twentieth on, or where they are few, and nothing below', async () => {
    expect((await look(excusedFalsePositives, OVERLAP, twice(9))).said).toEqual([
      'note: 9 of 18 predictions (50 %) are excused by the rule excuse-overlap: counted plainly, precision is 1.000 and would be 0.500 with them as spurious',
    ]);
    // 19 of 20 hits and one piece; one more prediction and it is less than a twentieth.
    expect((await look(excusedFalsePositives, OVERLAP, [...right(18), ...twice(1)])).said).toEqual([
      'note: 1 of 20 predictions (5 %) is excused by the rule excuse-overlap: counted plainly, precision is 1.000 and would be 0.950 with them as spurious',
    ]);
    expect((await look(excusedFalsePositives, OVERLAP, [...right(19), ...twice(1)])).said).toEqual([]);
  });

  test('have numbers as the report writes them: a precision that is not perfect is not 1.000', async () => {
    // 3,000 hits, 200 pieces and 1 wrong: 3000 / 3001 = 0.99967, and 3000 / 3201 = 0.93721.
    const { said } = await look(excusedFalsePositives, OVERLAP, [...right(2800), ...twice(200), ...wrong(1)]);
    expect(said[0]).toMatch(/precision is 0\.9997 and would be 0\.937 with them as spurious$/);
  });

  test('of labels that have hits are a warning from a twentieth on', async () => {
    const cases = [...right(180), ...right(10, 'ORG'), ...wrong(10, 'ORG')];
    const { said, findings } = await look(excusedFalsePositives, SPURIOUS, cases);
    expect(said).toEqual([
      'warning: 10 of 200 predictions (5 %) are excused by the rule excuse-spurious: counted plainly, precision is 1.000 and would be 0.950 with them as spurious',
    ]);
    expect(findings[0]!.why).toContain('10 of them have labels on which hits count (ORG)');
    expect(findings[0]!.items.shown[0]).toMatchObject({ case: 'w0', label: 'ORG', note: 'not asked for' });
    // Nobody annotated ORG: it is only a note.
    expect((await look(excusedFalsePositives, SPURIOUS, [...right(190), ...wrong(10, 'ORG')])).said[0]).toMatch(
      /^note: 10 of 200/,
    );
  });

  test('are all there is: precision has no value', async () => {
    expect((await look(excusedFalsePositives, SPURIOUS, wrong(10, 'ORG'))).said).toEqual([
      'warning: 10 of 10 predictions (100 %) are excused by the rule excuse-spurious: counted plainly, precision has no value and would be 0.000 with them as spurious',
    ]);
  });

  test('are none where they only helped to cover gold, were set aside, or count', async () => {
    const part = (start: number, end: number) =>
      makeItem({ kind: 'span', index: start, label: 'PERSON', text: 'Anna Bell'.slice(start, end), start, end });
    const covered = times(20, (at) =>
      makeCase({ id: `c${at}`, text: 'Anna Bell', gold: [part(0, 9)], predicted: [part(0, 5), part(5, 9)] }),
    );
    const cover = { ...STRICT, pair: { unit: 'cover', threshold: 1 } };
    expect((await look(excusedFalsePositives, cover, covered)).said).toEqual([]);
    const drop = { ...STRICT, prepare: { drop: { side: 'predicted', labels: ['ORG'] } } };
    expect((await look(excusedFalsePositives, drop, [...right(10), ...wrong(20, 'ORG')])).said).toEqual([]);
    expect((await look(excusedFalsePositives, STRICT, [...right(10), ...wrong(20)])).said).toEqual([]);
  });
});
