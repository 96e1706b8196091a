import { expect, test } from 'vitest';

import { makeVerdict } from '../../../src/judge/verdict.ts';
import { CaseIndexMaker } from '../../../src/report/html/case-index.ts';
import type { CaseIndex, ReportCase } from '../../../src/report/html/report-data.ts';
import { joinIndexes } from '../../../web/src/report/join-indexes.ts';

const CASES = Array.from({ length: 40 }, (_, at): ReportCase => {
  const base = { case: `c${at}`, scheme: null, kind: 'span', verdict: 'missed' } as const;
  const slices = at < 15 ? {} : { court: `court ${at % 7}` };
  const result = { case: base.case, counts: { hit: at, missed: 1, spurious: 0, excused: 0 }, measures: { f1: 1 / at } };
  const rules = [`rule ${at % 3}`, `rule ${at}`, `rule ${at}`];
  const verdicts = rules.map((rule) => makeVerdict({ ...base, rule, label: `label ${(at * 7) % 5}` }));
  const run = { result: { ...result, slices }, verdicts };
  return { case: base.case, text: null, noText: null, runs: [run, at % 4 === 0 ? null : run] };
});

function indexOf(cases: readonly ReportCase[]): CaseIndex {
  const maker = new CaseIndexMaker([['f1'], ['f1']]);
  for (const one of cases) maker.add(one, [new Map(), new Map()]);
  return maker.index();
}

test.each([[[40]], [[1, 39]], [[10, 10, 20]], [[7, 1, 2, 30]]])(
  'an index in parts of %j cases is the index of all',
  (sizes) => {
    let at = 0;
    const [first, ...others] = sizes.map((size) => indexOf(CASES.slice(at, (at += size))));
    expect(joinIndexes([first!, ...others])).toEqual(indexOf(CASES));
  },
);

test('an index without cases has its columns', () => {
  expect(joinIndexes([indexOf([])])).toMatchObject({ ids: [], runs: [{ hit: [], measures: { f1: [] } }, { hit: [] }] });
});
