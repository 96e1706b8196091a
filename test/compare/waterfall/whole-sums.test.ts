import { expect, test } from 'vitest';

import { makeVerdict, type Verdict } from '../../../src/judge/verdict.ts';
import { buildMeasures } from '../../../src/measure/measures.ts';
import { isOfWholeNumbers, WholeSums } from '../../../src/compare/waterfall/whole-sums.ts';

const { measures } = buildMeasures(
  {
    recall: {},
    macro_f1: {},
    mean_recall: { of: 'case-mean', measure: 'recall' },
    latency: { of: 'field-mean', field: 'ms', kind: 'span', direction: 'lower' },
  },
  null,
);
const named = (name: string) => measures.find((measure) => measure.name === name)!;

function verdicts(label: string, hit: number, missed: number): Verdict[] {
  const of = (verdict: 'hit' | 'missed'): Verdict =>
    makeVerdict({ case: 'c', scheme: null, kind: 'span', verdict, rule: 'pair', label });
  return [...Array.from({ length: hit }, () => of('hit')), ...Array.from({ length: missed }, () => of('missed'))];
}

test('only measures that count are of whole numbers: the others depend on the order of their cases', () => {
  expect(measures.filter(isOfWholeNumbers).map(({ name }) => name)).toEqual(['recall', 'macro_f1']);
});

test('sums are those of all cases together, of the whole and by label in text order', () => {
  const sums = new WholeSums(measures.filter(isOfWholeNumbers));
  sums.add(verdicts('PERSON', 3, 1));
  sums.add([...verdicts('LOC', 1, 1), ...verdicts('PERSON', 0, 2)]);
  // More labels than there is room for at first.
  for (let at = 0; at < 20; at += 1) sums.add(verdicts(`Z${at}`, 1, 0));
  expect(named('recall').value(sums.sums()).value).toBe(24 / 28);
  const [first, second] = sums.sums().labels();
  expect([first?.label, second?.label]).toEqual(['LOC', 'PERSON']);
  expect(named('recall').value(second!.sums).value).toBe(3 / 6);
  // F1 is 2/3 for LOC and PERSON alike (1 of 1 + 1 missed; 3 of 3 + 3 missed), and 1 for twenty others.
  expect(named('macro_f1').value(sums.sums()).value).toBeCloseTo((2 / 3 + 2 / 3 + 20) / 22, 12);
});
