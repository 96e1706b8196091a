import { describe, expect, test } from 'vitest';

import { hiddenUndefinedValues } from '../../../src/audit/checks/no-values.ts';
import { look } from '../audited.ts';
import { spanCase, STRICT, times } from '../made-items.ts';

const MEAN = { ...STRICT, measure: { mean_precision: { of: 'case-mean', measure: 'precision' } } };
const full = (n: number) => times(n, (at) => spanCase(`g${at}`, ['PERSON 0'], ['PERSON 0']));
const empty = (n: number) => times(n, (at) => spanCase(`e${at}`, ['PERSON 0'], []));

describe('means that leave something out', () => {
  test('a fifth of the cases is a warning that names them', async () => {
    const { said, findings } = await look(hiddenUndefinedValues, MEAN, [...full(20), ...empty(5)]);
    expect(said).toEqual(['warning: mean_precision is a mean over 20 of 25 cases: for 5 (20 %) there is no value']);
    expect(findings[0]!.why).toContain('mean_precision is 1.000');
    expect(findings[0]!.cases).toEqual({ total: 5, shown: ['e0', 'e1', 'e2', 'e3', 'e4'] });
  });

  test('fewer cases are a note, and none is none', async () => {
    expect((await look(hiddenUndefinedValues, MEAN, [...full(6), ...empty(4)])).said).toEqual([
      'note: mean_precision is a mean over 6 of 10 cases: for 4 (40 %) there is no value',
    ]);
    expect((await look(hiddenUndefinedValues, MEAN, full(6))).said).toEqual([]);
    // The sum over all items leaves no case out.
    expect((await look(hiddenUndefinedValues, STRICT, [...full(5), ...empty(5)])).said).toEqual([]);
  });

  test('labels without a value: half of them is a warning, a single one a note', async () => {
    const macro = { ...STRICT, measure: ['macro_precision', 'macro_recall'] };
    const many = spanCase('x', ['A 0', 'B 9', 'C 18', 'D 27', 'E 36', 'F 45'], ['A 0', 'B 9', 'C 18']);
    expect((await look(hiddenUndefinedValues, macro, [many])).said).toEqual([
      'warning: macro_precision is a mean over 3 of 6 labels: for 3 (50 %) there is no value',
    ]);
    const single = spanCase('x', ['A 0', 'B 9'], ['A 0']);
    expect((await look(hiddenUndefinedValues, macro, [single])).said).toEqual([
      'note: macro_precision is a mean over 1 of 2 labels: for 1 (50 %) there is no value',
    ]);
  });

  test('a number that the recipe gives for 0/0 is a note', async () => {
    const zero = { ...STRICT, zeroDivision: 0, slice: [] };
    expect((await look(hiddenUndefinedValues, zero, [spanCase('x', ['A 0'], [])])).said).toEqual([
      'note: 1 value is 0/0 and given as 0 because the recipe sets zeroDivision: 0: precision',
    ]);
    expect((await look(hiddenUndefinedValues, { ...STRICT, slice: [] }, [spanCase('x', ['A 0'], [])])).said).toEqual(
      [],
    );
  });

  test('cases that count as that number in a mean over cases: a tenth of them is a warning', async () => {
    const mean = {
      ...STRICT,
      slice: [],
      zeroDivision: 1,
      measure: { f1: {}, mean_f1: { of: 'case-mean', measure: 'f1' } },
    };
    const bare = (n: number) => times(n, (at) => spanCase(`b${at}`, [], []));
    // 5 right, 15 wrong, 20 with nothing in them: 25 / 40 instead of 5 / 20.
    const { said, findings } = await look(hiddenUndefinedValues, mean, [...full(5), ...empty(15), ...bare(20)]);
    expect(said).toEqual([
      'warning: 20 of 40 cases (50 %) count as 1 in mean_f1 because the recipe sets zeroDivision: 1: there is nothing to divide by',
    ]);
    expect(findings[0]!.why).toContain('mean_f1 is 0.625, and 0.250 over the other 20 cases.');
    expect(findings[0]!.cases).toMatchObject({ total: 20 });
    expect((await look(hiddenUndefinedValues, mean, [...full(28), ...bare(3)])).said[0]).toMatch(
      /^note: 3 of 31 cases/,
    );
    expect((await look(hiddenUndefinedValues, mean, [...full(27), ...bare(3)])).said[0]).toMatch(
      /^warning: 3 of 30 cases/,
    );
    // A sum over all items has nothing to fill in, and without the number cases are left out.
    expect((await look(hiddenUndefinedValues, { ...mean, measure: ['f1'] }, [...full(5), ...bare(20)])).said).toEqual(
      [],
    );
    expect(
      (await look(hiddenUndefinedValues, { ...mean, zeroDivision: 'undefined' }, [...full(5), ...bare(5)])).said,
    ).toEqual(['warning: mean_f1 is a mean over 5 of 10 cases: for 5 (50 %) there is no value']);
  });
});
