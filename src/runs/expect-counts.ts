import { visible } from '../data/visible.ts';
import { type Verdict, VERDICTS } from '../judge/verdict.ts';
import { type CaseRecord, damaged } from './read-ledger.ts';

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
