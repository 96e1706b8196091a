import { join } from 'node:path';

import type { Comparison } from '../../../src/compare/comparison.ts';
import { type Gate, type GateOptions, judgeGate } from '../../../src/compare/gate/judge-gate.ts';
import { parseRules } from '../../../src/compare/gate/rules.ts';
import type { MeasureValue } from '../../../src/measure/results.ts';
import type { LedgerRecord } from '../../../src/score/ledger.ts';
import { comparison } from '../../report/made-up-comparison.ts';
import { type CaseLine, measure, type RunParts, temporaryFolder, writeRun } from '../../report/made-up-run.ts';

export const SPREAD = { n: 4, undefined: 0, mean: 0.5, min: 0, max: 1, sd: 0.4 };

/** Overall values and two labels of four cases, one of which found nothing. */
export const VALUES: readonly MeasureValue[] = [
  measure('precision', 0.75, { n: 12, units: 4, cases: { ...SPREAD, n: 3, undefined: 1 } }),
  measure('recall', 0.6, { n: 15, units: 4, cases: SPREAD }),
  measure('f1', 0.7, {
    n: 18,
    units: 4,
    cases: SPREAD,
    interval: { low: 0.55, high: 0.8, level: 0.95, method: 'bootstrap-percentile' },
    noInterval: null,
  }),
  measure('macro_f1', 0.65, { n: 2, units: 4 }),
  measure('over_extraction', 0.2, { n: 15, units: 4, direction: 'lower', range: [0, null], cases: SPREAD }),
  measure('recall', 0.9, { n: 10, units: 4, slice: { label: 'PERSON' } }),
  measure('recall', 0.5, { n: 5, units: 2, slice: { label: 'LOC' } }),
];

const counts = (missed: number, spurious: number, hit: number) => ({ hit, missed, spurious, excused: 0 });

export const CASES: readonly CaseLine[] = [
  { case: 'c1', counts: counts(0, 1, 3), measures: { f1: 0.9, recall: 1, precision: 0.75 } },
  { case: 'c2', counts: counts(4, 0, 2), measures: { f1: 0.5, recall: 0.33, precision: 1 } },
  { case: 'c3', counts: counts(2, 2, 4), measures: { f1: 0.7, recall: 0.6, precision: 0.6 } },
  { case: 'c4', counts: counts(1, 0, 0), measures: { f1: 0, recall: 0, precision: null }, answered: false },
];

const line = (id: string, verdict: LedgerRecord['verdict'], label: string): LedgerRecord => ({
  case: id,
  kind: 'span',
  verdict,
  rule: 'pair',
  label,
});
export const LEDGER: readonly LedgerRecord[] = [
  line('c2', 'missed', 'LOC'),
  line('c2', 'missed', 'LOC'),
  line('c2', 'missed', 'PERSON'),
  line('c3', 'missed', 'LOC'),
  line('c3', 'spurious', 'LOC'),
];

export interface MadeUp {
  readonly run?: RunParts;
  readonly cases?: readonly CaseLine[];
  readonly ledger?: readonly LedgerRecord[];
  readonly compared?: Comparison;
  readonly options?: GateOptions;
}

/** Judges a run made by hand, whose recipe slices by label, with a comparison made by hand. */
export async function judged(rules: string, made: MadeUp = {}): Promise<Gate> {
  const folder = writeRun(
    {
      // The intervals of the run are the gate's, so that they can be made up.
      resolved: { slice: ['label'], interval: { method: 'studentised' }, ...made.run?.resolved },
      ...made.run,
      measures: { measures: VALUES, cases: { total: 4, failed: 0, unanswered: 1 }, ...made.run?.measures },
    },
    made.cases ?? CASES,
    made.ledger ?? LEDGER,
  );
  return judgeGate(
    folder,
    parseRules(rules, 'gate.yaml'),
    () => Promise.resolve(made.compared ?? comparison()),
    made.options ?? {},
  );
}

/** Another run of the same cases, in which c2 was better and c3 worse. */
export function baselineFolder(): string {
  const values = { c1: 0.9, c2: 0.9, c3: 0.6, c4: 0 };
  return writeRun(
    { folder: join(temporaryFolder(), 'before') },
    Object.entries(values).map(([id, f1]) => ({ case: id, counts: counts(0, 0, 1), measures: { f1 } })),
    [],
  );
}
