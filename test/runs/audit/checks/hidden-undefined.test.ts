import { describe, expect, test } from 'vitest';

import { hiddenUndefined } from '../../../../src/runs/audit/checks/hidden-undefined.ts';
import { look } from '../audited.ts';
import { spanCase, STRICT, times } from '../made-items.ts';

const MEAN = { ...STRICT, measure: { mean_precision: { of: 'case-mean', measure: 'precision' } } };
const full = (n: number) => times(n, (at) => spanCase(`g${at}`, ['PERSON 0'], ['PERSON 0']));
const empty = (n: number) => times(n, (at) => spanCase(`e${at}`, ['PERSON 0'], []));

describe('means that leave something out', () => {
  test('a fifth of the cases is a warning that names them', async () => {
    const { said, findings } = await look(hiddenUndefined, MEAN, [...full(20), ...empty(5)]);
    expect(said).toEqual(['warning: mean_precision is a mean over 20 of 25 cases: for 5 (20 %) there is no value']);
    expect(findings[0]!.why).toContain('mean_precision is 1.000');
    expect(findings[0]!.cases).toEqual({ total: 5, shown: ['e0', 'e1', 'e2', 'e3', 'e4'] });
  });

  test('fewer cases are a note, and none is none', async () => {
    expect((await look(hiddenUndefined, MEAN, [...full(6), ...empty(4)])).said).toEqual([
      'note: mean_precision is a mean over 6 of 10 cases: for 4 (40 %) there is no value',
    ]);
    expect((await look(hiddenUndefined, MEAN, full(6))).said).toEqual([]);
    // The sum over all items leaves no case out.
    expect((await look(hiddenUndefined, STRICT, [...full(5), ...empty(5)])).said).toEqual([]);
  });

  test('labels without a value: half of them is a warning, a single one a note', async () => {
    const macro = { ...STRICT, measure: ['macro_precision', 'macro_recall'] };
    const many = spanCase('x', ['A 0', 'B 9', 'C 18', 'D 27', 'E 36', 'F 45'], ['A 0', 'B 9', 'C 18']);
    expect((await look(hiddenUndefined, macro, [many])).said).toEqual([
      'warning: macro_precision is a mean over 3 of 6 labels: for 3 (50 %) there is no value',
    ]);
    const single = spanCase('x', ['A 0', 'B 9'], ['A 0']);
    expect((await look(hiddenUndefined, macro, [single])).said).toEqual([
      'note: macro_precision is a mean over 1 of 2 labels: for 1 (50 %) there is no value',
    ]);
  });

  test('a number that the recipe gives for 0/0 is a note', async () => {
    const zero = { ...STRICT, zeroDivision: 0, slice: [] };
    expect((await look(hiddenUndefined, zero, [spanCase('x', ['A 0'], [])])).said).toEqual([
      'note: 1 value is 0/0 and given as 0 because the recipe says zeroDivision: 0: precision',
    ]);
    expect((await look(hiddenUndefined, { ...STRICT, slice: [] }, [spanCase('x', ['A 0'], [])])).said).toEqual([]);
  });
});
