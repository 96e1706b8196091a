import { describe, expect, test } from 'vitest';

import { type Case, makeCase } from '../../src/data/case.ts';
import { spreadOverCases } from '../../src/measure/results.ts';
import { buildMeasures } from '../../src/measure/measures.ts';
import { fieldValue } from '../../src/measure/case-facts.ts';
import { type MeasureValue, Tally } from '../../src/measure/tally.ts';
import { hit, missed, spurious } from '../judge/verdicts.ts';
import { entity, relationship, span } from '../pair/items.ts';

const A = span(0, 5, 'A');
const B = span(9, 12, 'B');
const { measures } = buildMeasures({ precision: {}, recall: {}, macro_recall: {} }, null);

function made(id: string, fields: Record<string, unknown> = {}, failed: string | null = null): Case {
  return makeCase({ id, fields, failed });
}

function find(values: readonly MeasureValue[], name: string, slice: object): MeasureValue | undefined {
  return values.find((value) => value.name === name && JSON.stringify(value.slice) === JSON.stringify(slice));
}

describe('Tally', () => {
  test('sums over cases, by label, by column and by scheme', () => {
    const tally = new Tally(measures, ['label', 'lang', 'meta.level']);
    tally.addCase(made('a', { lang: 'en', meta: { level: 1 } }), null, [hit(A, A), missed(B)]);
    tally.addCase(made('b', { lang: 'de' }), null, [missed(A)]);
    tally.addCase(made('a', { lang: 'en' }), 'wide', [hit(A, A), hit(B, B)]);
    const values = tally.values();
    expect(find(values, 'recall', {})?.value).toBe(1 / 3);
    expect(find(values, 'recall', { label: 'A' })?.value).toBe(1 / 2);
    expect(find(values, 'recall', { lang: 'en' })?.value).toBe(1 / 2);
    expect(find(values, 'recall', { lang: 'de' })?.value).toBe(0);
    expect(find(values, 'recall', { 'meta.level': '1' })?.value).toBe(1 / 2);
    expect(find(values, 'recall', { scheme: 'wide' })?.value).toBe(1);
    expect(find(values, 'recall', { scheme: 'wide', label: 'B' })?.value).toBe(1);
    expect(find(values, 'macro_recall', { label: 'A' })).toBeUndefined();
  });

  test('says what each case adds up to', () => {
    const tally = new Tally(measures, []);
    const result = tally.addCase(made('a'), null, [hit(A, A, { weight: 3 }), missed(B), spurious(B)]);
    expect(result).toEqual({
      case: 'a',
      counts: { hit: 3, spurious: 1, missed: 1, excused: 0 },
      measures: { precision: 3 / 4, recall: 3 / 4 },
    });
  });

  test('the line of a case leaves out what has its default, and has whatever has another value', () => {
    const tally = new Tally(measures, ['lang'], 'doc');
    const line = (given: Case): string => JSON.stringify(tally.addCase(given, null, []));
    const empty = '"counts":{"hit":0,"spurious":0,"missed":0,"excused":0},"measures":{"precision":null,"recall":null}';
    expect(line(made('a'))).toBe(`{"case":"a",${empty},"slices":{}}`);
    const variant = { ...made('a (x)', { lang: 'de', doc: 'd1' }, 'timed out'), from: 'a', answered: false };
    expect(line({ ...variant, failedAsEmpty: 'late' })).toBe(
      `{"case":"a (x)","from":"a",${empty},"failed":"timed out","failedAsEmpty":"late","answered":false,"slices":{"lang":"de"},"cluster":"d1"}`,
    );
  });

  test('counts kinds apart where a case has several', () => {
    const tally = new Tally(measures, []);
    const { kinds } = tally.addCase(made('a'), null, [
      missed(relationship('a', 'x', 'b')),
      hit(entity('a'), entity('a')),
    ]);
    expect(kinds).toEqual({
      entity: { hit: 1, spurious: 0, missed: 0, excused: 0 },
      relationship: { hit: 0, spurious: 0, missed: 1, excused: 0 },
    });
  });

  test('a failed case is in no sum and no average', () => {
    const tally = new Tally(measures, ['label', 'lang']);
    tally.addCase(made('a', { lang: 'en' }), null, [hit(A, A)]);
    const failed = tally.addCase(made('b', { lang: 'de' }, 'time-out'), null, [missed(A)]);
    expect(failed).toMatchObject({ failed: 'time-out', measures: { precision: null, recall: null } });
    const values = tally.values();
    expect(find(values, 'recall', {})).toMatchObject({ value: 1, cases: { n: 1, undefined: 0 } });
    expect(find(values, 'recall', { lang: 'de' })).toBeUndefined();
  });

  test('a case without verdicts has undefined figures, and is counted so', () => {
    const tally = new Tally(measures, []);
    tally.addCase(made('a'), null, []);
    expect(find(tally.values(), 'recall', {})).toMatchObject({
      value: null,
      cases: { n: 0, undefined: 1, mean: null, sd: null },
    });
  });
});

test('fieldValue reads a column, also a nested one, as text', () => {
  const given = made('a', { lang: 'en', meta: { level: 2, tags: ['x'] }, none: null });
  expect(fieldValue(given, 'lang')).toBe('en');
  expect(fieldValue(given, 'meta.level')).toBe('2');
  expect(fieldValue(given, 'meta.tags')).toBe('["x"]');
  expect(fieldValue(given, 'none')).toBeNull();
  expect(fieldValue(given, 'meta.nothing.more')).toBeNull();
  expect(fieldValue(given, 'constructor')).toBeNull();
});

describe('spreadOverCases', () => {
  test('mean, least, most and sample standard deviation', () => {
    // Mean 0.5; squares 0.25 + 0.25; over n - 1 = 2: 0.25.
    expect(spreadOverCases([0.5, 1, NaN, 0, NaN])).toEqual({ n: 3, undefined: 2, mean: 0.5, min: 0, max: 1, sd: 0.5 });
  });

  test('the order of the values cannot show, however many there are', () => {
    const values = Array.from({ length: 200 }, (_, at) => Math.sin(at));
    expect(spreadOverCases(values.toReversed())).toEqual(spreadOverCases(values));
    expect(spreadOverCases(values).n).toBe(200);
  });
});
