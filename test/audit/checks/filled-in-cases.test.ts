import { expect, test } from 'vitest';

import { hiddenUndefinedValues } from '../../../src/audit/checks/no-values.ts';
import { look } from '../audited.ts';
import { spanCase, STRICT, times } from '../made-items.ts';

test('measures that are filled in in as many cases, but not the same, are told apart', async () => {
  const means = {
    ...STRICT,
    slice: [],
    zeroDivision: 1,
    measure: {
      f1: {},
      mean_recall: { of: 'case-mean', measure: 'recall' },
      mean_precision: { of: 'case-mean', measure: 'precision' },
      share: { of: 'case-share', measure: 'recall', atLeast: 1, direction: 'higher' },
    },
  };
  const cases = [
    ...times(4, (at) => spanCase(`g${at}`, ['A 0'], ['A 0'])),
    ...times(3, (at) => spanCase(`silent${at}`, ['A 0'], [])),
    ...times(3, (at) => spanCase(`empty${at}`, [], ['A 0'])),
  ];
  const { findings } = await look(hiddenUndefinedValues, means, cases);
  expect(findings.map(({ subjects, cases: { shown } }) => [subjects.join(), shown.join()])).toEqual([
    ['mean_recall,share', 'empty0,empty1,empty2'],
    ['mean_precision', 'silent0,silent1,silent2'],
  ]);
});
