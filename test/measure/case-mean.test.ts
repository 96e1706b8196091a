import { describe, expect, test } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import { buildMeasures } from '../../src/measure/measures.ts';
import { Tally } from '../../src/measure/tally.ts';
import { hit, missed, spurious } from '../judge/verdicts.ts';
import { span } from '../pair/items.ts';
import { line } from './logged-items.ts';
import { byCase, measuredOver } from './measured.ts';

const A = span(0, 5, 'A');

describe('case-mean', () => {
  const recalls = [[hit(A, A), missed(A)], [hit(A, A), hit(A, A)], [spurious(A)], [missed(A)]];

  test('each case counts the same; undefined ones are left out and counted', () => {
    // 1/2, 1, undefined, 0; pooled it would be 3 / 5.
    const mean = measuredOver({ of: 'case-mean', measure: 'recall' }, recalls);
    expect(mean).toMatchObject({
      value: 0.5,
      n: 3,
      units: 3,
      direction: 'higher',
      range: [0, 1],
      note: '1 of 4 cases left out: undefined',
      cases: { n: 3, undefined: 1, mean: 0.5, min: 0, max: 1 },
    });
    expect(byCase({ of: 'case-mean', measure: 'recall' }, recalls)).toEqual([0.5, 1, null, 0]);
  });

  test('takes a measure by name, also one of the recipe, or written in place', () => {
    const { measures } = buildMeasures(
      {
        named: { of: 'case-mean', measure: 'strict' },
        written: { of: 'case-mean', measure: { of: 'recall', kind: 'span' }, about: 'coverage', unit: 'x' },
        strict: { of: 'recall', kind: 'span' },
      },
      null,
    );
    expect(measures[0]).toMatchObject({ about: 'mean over cases of hits / gold items that count', meanOfCases: true });
    expect(measures[1]).toMatchObject({ about: 'coverage', unit: 'x' });
    const tally = new Tally(measures, []);
    recalls.forEach((verdicts, at) => tally.add({ case: `c${at}` }, null, verdicts));
    expect(tally.values().map(({ value }) => value)).toEqual([0.5, 0.5, 0.6]);
  });

  test('is undefined when every case is, with the reason', () => {
    expect(measuredOver({ of: 'case-mean', measure: 'recall' }, [[spurious(A)], []])).toMatchObject({
      value: null,
      undefined: 'no case has a value: there is no gold that counts',
      n: 0,
      note: null,
    });
    expect(measuredOver({ of: 'case-mean', measure: 'recall' }, []).value).toBeNull();
  });

  test('of a count or a total, a case with none is a 0 that counts', () => {
    const cases = [[line('flush', { ctu: 3 }), line('flush', { ctu: 5 })], [], [line('flush', { ctu: 1 })]];
    const count = { of: 'item-count', kind: 'flush', direction: 'lower' };
    expect(measuredOver({ of: 'case-mean', measure: count }, cases)).toMatchObject({
      value: 1,
      n: 3,
      units: 3,
      note: null,
      direction: 'lower',
    });
    const total = { of: 'field-total', kind: 'flush', field: 'ctu', direction: 'lower', unit: 'CTU' };
    expect(measuredOver({ of: 'case-mean', measure: total }, cases)).toMatchObject({ value: 3, n: 3, unit: 'CTU' });
  });

  test('says what the measure left out of its cases', () => {
    const mean = { of: 'field-mean', kind: 'summary', field: 'share', direction: 'lower' };
    const cases = [
      [line('summary', { share: 0.5 }, 'hit'), line('summary', {}, 'spurious')],
      [line('summary', { share: 1 }, 'hit'), line('summary', { share: 0 }, 'hit')],
      [line('summary', {}, 'spurious')],
    ];
    expect(measuredOver({ of: 'case-mean', measure: mean }, cases)).toMatchObject({
      value: 0.5,
      n: 2,
      note: '1 of 3 cases left out: undefined; 2 of 5 summary items without a number in share',
    });
  });

  test('of a measure with a best value in between, and of one over whole cases', () => {
    expect(measuredOver({ of: 'case-mean', measure: 'over_extraction' }, recalls)).toMatchObject({ best: 1 });
    const one = (id: string) => span(0, 3, 'P', { fields: { entity_id: id } });
    const entities = { of: 'case-mean', measure: { of: 'entity-recall' } };
    // One of two entities, then none of one; no case-counter of the third.
    expect(
      measuredOver(entities, [[hit(one('a'), A), missed(one('b'))], [missed(one('c'))], [missed(A)]]),
    ).toMatchObject({ value: 0.25, n: 2, note: '1 of 3 cases left out: undefined' });
  });

  test('inside a mean of measures', () => {
    const { measures } = buildMeasures(
      {
        both: { of: 'mean', measures: ['a', 'b'] },
        a: { of: 'case-mean', measure: 'recall' },
        b: { of: 'case-mean', measure: 'precision' },
      },
      null,
    );
    const tally = new Tally(measures.slice(0, 1), []);
    recalls.forEach((verdicts, at) => tally.add({ case: `c${at}` }, null, verdicts));
    // Recall 1/2; precision 1, 1, 0, undefined: 2/3.
    expect(tally.values()[0]?.value).toBeCloseTo((1 / 2 + 2 / 3) / 2, 15);
  });

  test('the value has the bits of numpy’s mean, zeros in their places', () => {
    // np.mean of numpy 2.4.6. From left to right it would be 0.41666666666666674, and pairwise over the nine numbers that
    // are not 0 it would be 0.4166666666666667.
    const values = [0.53, 0.46, 0.34, 0.68, 0, 0.72, 0, 0.41, 0.98, 0.37, 0, 0.51];
    const mean = { of: 'case-mean', measure: { of: 'field-mean', kind: 'trace', field: 'v', direction: 'higher' } };
    const cases = values.map((v) => [line('trace', { v })]);
    const tally = new Tally(buildMeasures({ m: mean }, null).measures, []);
    // In another order than that of the ids.
    for (const at of [...cases.keys()].reverse())
      tally.add({ case: `c${String(at).padStart(2, '0')}` }, null, cases[at]!);
    expect(tally.values()[0]).toMatchObject({ value: 0.4166666666666666, n: 12, units: 12 });
  });
});

describe('what a recipe gets wrong', () => {
  test.each([
    [{ m: { of: 'case-mean', measure: 'macro_f1' } }, 'measure.m.measure: macro_f1 has no value for a case'],
    [{ m: { of: 'case-mean', measure: 'm' } }, 'measure.m: it is defined by itself (m -> m)'],
    [{ m: { of: 'case-mean', measure: 'recal' } }, 'there is no measure called recal'],
    [
      { m: { of: 'case-mean', measure: { of: 'recall', knd: 'x' } } },
      'measure.m.measure.knd: there is no setting called',
    ],
    [{ m: { of: 'field-mean', kind: 'x', field: 'y' } }, 'measure.m.direction: expected one of higher, lower'],
    [
      { m: { of: 'field-total', kind: 'x', direction: 'lower' } },
      'measure.m: say field, or fields whose numbers are added up',
    ],
    [
      { m: { of: 'field-share', kind: 'x', field: 'y', direction: 'lower' } },
      'measure.m: say atLeast, atMost, or both',
    ],
    [
      { m: { of: 'item-count', kind: 'x', kinds: ['y'], direction: 'lower' } },
      'measure.m: say kind or kinds, not both',
    ],
    [{ m: { of: 'item-count', field: 'x', direction: 'lower' } }, 'measure.m: field and values go together'],
    [
      { m: { of: 'verdict-share', verdict: 'hit', among: ['missed'] } },
      'measure.m: among must name the verdict itself',
    ],
    [{ m: { of: 'recall', within: { field: 'x' } } }, 'measure.m.within: say atLeast, atMost, or both'],
  ])('%j', (measures, message) => {
    expect(() => buildMeasures(measures, null)).toThrow(UsageError);
    expect(() => buildMeasures(measures, null)).toThrow(message);
  });
});
