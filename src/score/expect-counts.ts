import { visible } from '../data/visible.ts';
import { type Verdict, VERDICTS } from '../judge/verdict.ts';
import { type CaseRecord, damaged } from './read-ledger.ts';
import type { Measures, Run } from './run.ts';

/** Weights are summed in one order, so what is more than this apart is not rounding. */
const ROUNDING = 1e-9;

/** A ledger that was edited, or belongs to another run, would give figures that the run's own report does not have. */
export function expectCounts(folder: string, written: CaseRecord, verdicts: readonly Verdict[]): void {
  const found = { hit: 0, missed: 0, spurious: 0, excused: 0 };
  for (const { verdict, weight } of verdicts) found[verdict] += weight;
  const apart = VERDICTS.find((verdict) => Math.abs(written.counts[verdict] - found[verdict]) > ROUNDING);
  if (apart === undefined) return;
  throw damaged(
    `${folder}/ledger.jsonl: case ${visible(written.case)} has ${found[apart]} ${apart}, but cases.jsonl says ${written.counts[apart]}`,
  );
}

/** The same for measures.json, of which only the values can be added up again, not their intervals. */
export function expectValues({ folder, measures }: Run, recounted: Measures['measures']): void {
  const keyOf = ({ name, slice }: Measures['measures'][number]): string => JSON.stringify([name, slice]);
  const again = new Map(recounted.map((one) => [keyOf(one), one.value]));
  for (const one of measures.measures) {
    const sum = again.get(keyOf(one));
    const apart = sum === undefined ? 0 : Math.abs((one.value ?? Infinity) - (sum ?? Infinity));
    if (one.value === sum || apart <= ROUNDING * Math.abs(sum ?? 1)) continue;
    throw damaged(
      `${folder}/measures.json: ${visible(one.name)} is ${one.value ?? 'no value'}, but ledger.jsonl adds up to ${sum ?? 'no value'}`,
    );
  }
}
