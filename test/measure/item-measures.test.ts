import { describe, expect, test } from 'vitest';

import { makeCase } from '../../src/data/case.ts';
import { makeItem } from '../../src/data/item.ts';
import type { Verdict } from '../../src/judge/verdict.ts';
import { buildMeasures } from '../../src/measure/measures.ts';
import { Tally } from '../../src/measure/tally.ts';
import { hit, missed, spurious } from '../judge/verdicts.ts';
import { line } from './logged-items.ts';
import { byCase, measured, measuredOver } from './measured.ts';

const summary = (fields: Record<string, unknown>): Verdict => line('summary', fields, 'hit');
const failure = (fields: Record<string, unknown>): Verdict => line('summary', fields, 'spurious');
const decision = (fields: Record<string, unknown>): Verdict => line('decision', fields);
const flush = (fields: Record<string, unknown>): Verdict => line('flush', fields);

describe('item-count', () => {
  const cases = [
    [flush({ reason: 'cue' }), flush({ reason: 'cue' }), flush({ reason: 'end' }), summary({})],
    [failure({}), summary({}), { ...summary({}), setAside: true }],
  ];

  test('counts predicted items of a kind, whatever became of them, but not those that were set aside', () => {
    expect(measuredOver({ of: 'item-count', kind: 'flush', direction: 'lower' }, cases)).toMatchObject({
      value: 3,
      n: 3,
      direction: 'lower',
      range: [0, null],
    });
    expect(measuredOver({ of: 'item-count', kind: 'summary', direction: 'lower' }, cases).value).toBe(3);
    expect(measuredOver({ of: 'item-count', kinds: ['summary', 'flush'], direction: 'lower' }, cases).value).toBe(6);
    expect(measuredOver({ of: 'item-count', kind: 'summary', verdict: 'hit', direction: 'lower' }, cases).value).toBe(
      2,
    );
  });

  test('with a value of a field only those that have it; none is 0', () => {
    const ends = { of: 'item-count', kind: 'flush', field: 'reason', values: ['end'], direction: 'lower' };
    expect(measuredOver(ends, cases)).toMatchObject({ value: 1, undefined: null });
    expect(byCase(ends, cases)).toEqual([1, 0]);
  });
});

describe('field-mean', () => {
  const latency = { of: 'field-mean', kind: 'summary', field: 'latency_ms', direction: 'lower', unit: 'ms' };

  test('is over all items that have the number, each counting the same; the others are counted', () => {
    // (900 + 1100 + 400) / 3, not the mean of 1000 and 400.
    const cases = [
      [summary({ latency_ms: 900 }), failure({ latency_ms: 1100 }), decision({ latency_ms: 1 })],
      [summary({ latency_ms: 400 }), summary({ latency_ms: null }), summary({ latency_ms: '5' })],
    ];
    expect(measuredOver(latency, cases)).toMatchObject({
      value: 800,
      n: 3,
      unit: 'ms',
      direction: 'lower',
      note: '2 of 5 summary items without a number in latency_ms',
      units: 2,
    });
    expect(byCase(latency, cases)).toEqual([1000, 400]);
    expect(measuredOver({ ...latency, verdict: 'hit' }, cases)).toMatchObject({ value: 650, n: 2 });
  });

  test('is undefined where no item has the number; NaN and infinity are none', () => {
    const why = 'there are no summary items with a number in latency_ms';
    expect(measured(latency, [])).toMatchObject({ value: null, undefined: why, n: 0, note: null });
    expect(measured(latency, [summary({ latency_ms: Number.NaN }), summary({ latency_ms: Infinity })])).toMatchObject({
      value: null,
      undefined: why,
      note: '2 of 2 summary items without a number in latency_ms',
    });
  });

  test('has values by label', () => {
    const verdicts = [
      { ...flush({ ctu: 10 }), label: 'cue' },
      { ...flush({ ctu: 30 }), label: 'cue' },
      { ...flush({ ctu: 5 }), label: 'end' },
    ];
    const { measures } = buildMeasures(
      { size: { of: 'field-mean', kind: 'flush', field: 'ctu', direction: 'higher' } },
      null,
    );
    const tally = new Tally(measures, ['label']);
    tally.addCase(makeCase({ id: 'c1' }), null, verdicts);
    expect(tally.values().map(({ slice, value }) => [slice['label'], value])).toEqual([
      [undefined, 15],
      ['cue', 20],
      ['end', 5],
    ]);
  });
});

describe('field-total', () => {
  const used = {
    of: 'field-total',
    kinds: ['summary', 'decision'],
    fields: ['prompt', 'answer'],
    direction: 'lower',
  };

  test('adds up the fields of all items of the kinds', () => {
    // 400 + 20, 500 + 30, and 60 of the decision.
    const verdicts = [
      summary({ prompt: 400, answer: 20 }),
      failure({ prompt: 500, answer: 30 }),
      decision({ prompt: 50, answer: 10 }),
      flush({ prompt: 9999 }),
    ];
    expect(measured(used, verdicts)).toMatchObject({ value: 1010, n: 3, note: null, range: [null, null] });
  });

  test('is 0 without items, since that is a count', () => {
    expect(measured(used, [flush({})])).toMatchObject({ value: 0, undefined: null, n: 0 });
    expect(measured(used, [summary({ prompt: 1, answer: 2 })]).value).toBe(3);
  });

  test('is undefined where items of a kind are there and not one has a number: 0 would be made up', () => {
    expect(measured(used, [summary({ prompt: 1, answer: 1 }), decision({}), decision({ prompt: null })])).toMatchObject(
      { value: null, undefined: 'no decision has a number in prompt or answer' },
    );
  });

  test('adds up what is there, and says of how many items something is lacking', () => {
    expect(measured(used, [summary({ prompt: 7 }), summary({ prompt: 1, answer: 1 }), summary({})])).toMatchObject({
      value: 9,
      n: 2,
      note: '2 of 3 summary and decision items without a number in prompt or answer',
    });
  });
});

describe('field-share', () => {
  const verdicts = [0.8, 0.85, 17 / 20, 0.9].map((similar) => summary({ similar }));

  test('counts the bound itself, on either side', () => {
    const share = { of: 'field-share', kind: 'summary', field: 'similar', direction: 'lower' };
    expect(measured({ ...share, atLeast: 0.85 }, [...verdicts, summary({})])).toMatchObject({
      value: 3 / 4,
      n: 4,
      range: [0, 1],
      note: '1 of 5 summary items without a number in similar',
    });
    expect(measured({ ...share, atMost: 0.85 }, verdicts).value).toBe(3 / 4);
    expect(measured({ ...share, atLeast: 0.91 }, verdicts)).toMatchObject({ value: 0, n: 4 });
  });

  test('is undefined without a number, or what zeroDivision says', () => {
    const share = { of: 'field-share', kind: 'summary', field: 'similar', direction: 'lower', atLeast: 0.5 };
    expect(measured(share, [summary({})]).undefined).toBe('there are no summary items with a number in similar');
    expect(measured(share, [], 0).value).toBe(0);
  });
});

describe('field-percentile', () => {
  const p90 = { of: 'field-percentile', p: 90, kind: 'flush', field: 'ctu', direction: 'higher' };

  test('interpolates in a straight line within a case', () => {
    // Place 0.9 · 3 = 2.7 of 10, 20, 30, 40.
    expect(
      measured(
        p90,
        [40, 10, 30, 20].map((ctu) => flush({ ctu })),
      ).value,
    ).toBe(37);
    expect(
      measured(
        { ...p90, p: 50 },
        [40, 10, 30, 20].map((ctu) => flush({ ctu })),
      ).value,
    ).toBe(25);
  });

  test('of several cases is the mean of theirs; cases and items without the number are counted', () => {
    // 37 and 7; pooled it would be 0.9 · 4 = 3.6: 36.
    const cases = [[10, 20, 30, 40].map((ctu) => flush({ ctu })), [flush({ ctu: 7 }), flush({})], [summary({})]];
    expect(measuredOver(p90, cases)).toMatchObject({
      value: 22,
      n: 2,
      units: 2,
      note: '1 of 3 cases left out: undefined; 1 of 6 flush items without a number in ctu',
      cases: { n: 2, undefined: 1, mean: 22 },
    });
    expect(byCase(p90, cases)).toEqual([37, 7, null]);
    expect(measuredOver(p90, [[summary({})]])).toMatchObject({
      value: null,
      undefined: 'there are no flush items with a number in ctu',
    });
  });

  test('pooled, it is of the numbers of all cases together, and n is how many they are', () => {
    const pooled = { ...p90, pooled: true };
    const cases = [[10, 20, 30, 40].map((ctu) => flush({ ctu })), [flush({ ctu: 7 }), flush({})], [summary({})]];
    // Place 0.9 · 4 = 3.6 of 7, 10, 20, 30, 40.
    expect(measuredOver(pooled, cases)).toMatchObject({
      value: 36,
      n: 5,
      units: 2,
      note: '1 of 6 flush items without a number in ctu',
      cases: { n: 2, undefined: 1, mean: 22 },
    });
    expect(byCase(pooled, cases)).toEqual([37, 7, null]);
    expect(measuredOver(pooled, [[summary({})], []])).toMatchObject({
      value: null,
      undefined: 'there are no flush items with a number in ctu',
      n: 0,
      units: 0,
    });
  });

  test('pooled, a number counts as often as it is there', () => {
    // 1, 2, 2, 5, 5, 5: the median lies between the third and the fourth.
    const cases = [[5, 5, 5], [2, 2], [1]].map((own) => own.map((ctu) => flush({ ctu })));
    expect(measuredOver({ ...p90, p: 50, pooled: true }, cases)).toMatchObject({ value: 3.5, n: 6, units: 3 });
    expect(measuredOver({ ...p90, p: 100, pooled: true }, cases).value).toBe(5);
    expect(measuredOver({ ...p90, p: 0, pooled: true }, cases).value).toBe(1);
  });

  test('measures of cases and means of measures may be made of a pooled one', () => {
    const pooled = { ...p90, p: 50, pooled: true };
    const cases = [[10, 20], [60]].map((own) => own.map((ctu) => flush({ ctu })));
    expect(measuredOver({ of: 'case-mean', measure: pooled }, cases).value).toBe((15 + 60) / 2);
    const share = { of: 'case-share', measure: pooled, atLeast: 20, direction: 'higher' };
    expect(measuredOver(share, cases).value).toBe(1 / 2);
    const { measures } = buildMeasures(
      { mean: { of: 'mean', measures: ['a', 'b'] }, a: pooled, b: { ...pooled, p: 0 } },
      null,
    );
    const tally = new Tally(measures.slice(0, 1), []);
    cases.forEach((verdicts, at) => tally.addCase(makeCase({ id: `c${at}` }), null, verdicts));
    expect(tally.values()[0]!.value).toBe((20 + 10) / 2);
  });
});

describe('ratio', () => {
  const compression = {
    of: 'ratio',
    over: { kind: 'summary', field: 'ctu' },
    under: { kind: 'trace', field: 'ctu' },
    complement: true,
    direction: 'higher',
    range: [null, 1],
  };

  test('is of sums; its complement is 1 minus it', () => {
    const cases = [
      [line('trace', { ctu: 1200 }), summary({ ctu: 100 }), summary({ ctu: 200 })],
      [line('trace', { ctu: 400 }), summary({ ctu: 500 })],
    ];
    expect(measuredOver(compression, cases)).toMatchObject({ value: 1 - 800 / 1600, n: 2, range: [null, 1] });
    expect(measuredOver({ ...compression, complement: false }, cases).value).toBe(0.5);
    // Summaries longer than what they summarise: below 0.
    expect(byCase(compression, cases)).toEqual([0.75, -0.25]);
  });

  test('divides by what is below the line in larger units', () => {
    const rate = {
      of: 'ratio',
      over: { kind: 'trace', field: 'ctu' },
      under: { kind: 'trace', field: 'duration_ms' },
      scale: 1000,
      direction: 'higher',
    };
    // 6534 / 80.918: the figure that Python gives; 6534 · 1000 / 80918 has another last bit.
    expect(measured(rate, [line('trace', { ctu: 6534, duration_ms: 80918 })]).value).toBe(80.74841197261425);
  });

  test('without anything above the line is 0, without anything below undefined', () => {
    const share = { ...compression, complement: false };
    expect(measured(share, [line('trace', { ctu: 12 })]).value).toBe(0);
    expect(measured(share, [summary({ ctu: 3 })])).toMatchObject({
      value: null,
      undefined: 'the ctu of trace items add up to 0',
    });
    expect(measured(share, [summary({ ctu: 3 }), line('trace', { ctu: 0 })]).value).toBeNull();
    expect(measured(share, [line('trace', { ctu: 12 }), summary({})]).undefined).toBe('no summary has a number in ctu');
  });

  test('says which items lack their number', () => {
    const share = {
      of: 'ratio',
      over: { kind: 'decision', field: 'ms' },
      under: { kinds: ['summary', 'decision'], field: 'ms' },
      direction: 'lower',
    };
    expect(measured(share, [decision({ ms: 30 }), summary({ ms: 70 }), summary({})])).toMatchObject({
      value: 0.3,
      n: 2,
      note: '1 of 3 summary and decision items without a number in ms',
    });
    // Decisions alone would make a share of 1 out of summaries that nobody timed.
    expect(measured(share, [decision({ ms: 30 }), summary({})]).undefined).toBe('no summary has a number in ms');
  });
});

describe('verdict-share', () => {
  const verdicts = [summary({}), summary({}), summary({}), failure({}), line('summary', {}, 'excused')];

  test('is of all verdicts of the kind, or of those it is asked for', () => {
    expect(measured({ of: 'verdict-share', kind: 'summary', verdict: 'spurious' }, verdicts)).toMatchObject({
      value: 1 / 5,
      n: 5,
      direction: 'lower',
    });
    const share = { of: 'verdict-share', kind: 'summary', verdict: 'spurious', among: ['hit', 'spurious'] };
    expect(measured(share, verdicts)).toMatchObject({ value: 1 / 4, n: 4 });
    expect(measured({ ...share, verdict: 'hit' }, verdicts)).toMatchObject({ value: 3 / 4, direction: 'higher' });
    expect(measured({ ...share, direction: 'higher' }, verdicts).direction).toBe('higher');
  });

  test('is undefined without such a verdict', () => {
    expect(
      measured({ of: 'verdict-share', kind: 'summary', verdict: 'hit', among: ['hit', 'spurious'] }, [flush({})])
        .undefined,
    ).toBe('there is no summary that is hit or spurious');
  });
});

describe('recall within a bound', () => {
  const concept = (text: string, ctu?: number) =>
    makeItem({ kind: 'concept', index: 0, label: 'concept', text, fields: ctu === undefined ? {} : { ctu } });
  const at = (ctu?: number): Verdict => hit(concept('a'), concept('a', ctu));
  const within = (atMost: number) => ({ of: 'recall', kind: 'concept', within: { field: 'ctu', atMost } });

  test('counts a hit beyond the bound as missed', () => {
    const verdicts = [at(100), at(250), at(251), missed(concept('b')), missed(concept('c')), spurious(concept('d', 1))];
    expect(measured(within(250), verdicts)).toMatchObject({ value: 2 / 5, n: 5, note: null });
    expect(measured(within(50), verdicts)).toMatchObject({ value: 0, n: 5 });
    expect(measured({ ...within(250), within: { field: 'ctu', atLeast: 251 } }, verdicts).value).toBe(1 / 5);
    expect(measured({ of: 'recall', kind: 'concept' }, verdicts).value).toBe(3 / 5);
  });

  test('is undefined where there are hits and not one has the number; a few without are said', () => {
    expect(measured(within(250), [at(), missed(concept('b'))])).toMatchObject({
      value: null,
      undefined: 'no hit has a number in ctu',
    });
    expect(measured(within(250), [at(1), at(), missed(concept('b'))])).toMatchObject({
      value: 1 / 3,
      note: '1 of 2 hits without a number in ctu',
    });
    expect(measured(within(250), [missed(concept('b'))])).toMatchObject({ value: 0, n: 1 });
    expect(measured(within(250), []).undefined).toBe('there is no gold that counts');
  });
});
