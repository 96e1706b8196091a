import fc from 'fast-check';
import { expect, test } from 'vitest';

import { jackknifeValues } from '../../src/audit/checks/decisive.ts';
import { PrimaryLog } from '../../src/audit/primary-log.ts';
import { makeItem } from '../../src/data/item.ts';
import { makeVerdict, type Verdict, VERDICTS } from '../../src/judge/verdict.ts';
import { buildMeasures } from '../../src/measure/measures.ts';
import { Tally } from '../../src/measure/tally.ts';

const verdict = fc
  .record({
    verdict: fc.constantFrom(...VERDICTS),
    label: fc.constantFrom('A', 'B', 'C'),
    weight: fc.integer({ min: 1, max: 3 }),
    credit: fc.constantFrom(1, 0.5, 1 / 3),
  })
  .map((own): Verdict => {
    const item = makeItem({ kind: 'span', index: 0, label: own.label });
    return makeVerdict({ case: '', scheme: null, kind: 'span', rule: 'pair', gold: item, predicted: item, ...own });
  });
const cases = fc.array(
  fc.record({
    verdicts: fc.array(verdict, { maxLength: 6 }),
    cluster: fc.constantFrom(undefined, undefined, 'x', 'y'),
    failed: fc.constantFrom(undefined, undefined, undefined, 'no answer'),
  }),
  { maxLength: 30 },
);

test.each([
  ['sums of the whole', { f1: { of: 'f1' }, precision: { of: 'precision' } }],
  [
    'what goes by label or by case',
    { macro: { of: 'macro', measure: 'f1' }, mean: { of: 'case-mean', measure: 'f1' } },
  ],
])('a measure without each unit is what the sums of a run give: %s', (_, forms) => {
  const { measures } = buildMeasures(forms, null);
  fc.assert(
    fc.property(cases, (given) => {
      const [log, tally] = [new PrimaryLog(measures), new Tally(measures, [])];
      for (const [at, { verdicts, cluster, failed }] of given.entries()) {
        const facts = { case: `c${given.length - at}`, cluster, failed, from: undefined };
        const all = { ...facts, failedAsEmpty: undefined, answered: undefined, slices: undefined };
        log.add(all, verdicts);
        tally.add(all, null, verdicts);
      }
      const [own, known] = [log.byUnit()!, tally.groups()[0]!.table];
      expect(own.clustered).toBe(known.clustered);
      for (const measure of measures)
        expect([...jackknifeValues(measure, own)]).toEqual([...jackknifeValues(measure, known)]);
    }),
  );
});
