import type { CaseIndex, ReportHead, RunColumns } from '../../../../src/report/html/report-data.ts';
import type { MeasureValue } from '../../../../src/measure/results.ts';
import { comparison } from '../../../report/made-up-comparison.ts';
import { type CaseTable, caseTable } from '../../../../web/src/report/list/case-table.ts';

const MEASURE: MeasureValue = {
  name: 'f1',
  slice: {},
  value: 0.5,
  undefined: null,
  n: 4,
  units: 4,
  interval: null,
  noInterval: null,
  direction: 'higher',
  range: [0, 1],
  note: null,
  cases: null,
};

/** A measure with some of its fields set. */
export function measure(given: Partial<MeasureValue>): MeasureValue {
  return { ...MEASURE, ...given };
}

/** A run's columns where nothing happened but what is given. */
export function columns(rows: number, given: Partial<RunColumns> = {}): RunColumns {
  const none = Array.from({ length: rows }, () => 0);
  const lists = Array.from({ length: rows }, () => []);
  return {
    hit: none,
    missed: none,
    spurious: none,
    excused: none,
    state: none,
    errors: none,
    wrongLabels: lists,
    rules: lists,
    print: none,
    measures: {},
    ...given,
  };
}

/** The head of a report as far as a table looks at it. */
export function headOf(
  measures: readonly MeasureValue[],
  runs: number,
  by: string | null = null,
): Pick<ReportHead, 'runs' | 'comparison'> {
  return {
    comparison: runs < 2 ? null : comparison([], { changes: { by, systems: [] } }),
    runs: Array.from({ length: runs }, (_, at) => ({
      name: `run ${at}`,
      manifest: {
        format: 2,
        assay: '0',
        signature: '',
        comparable: '',
        task: 'pii',
        recipe: { name: '', about: '', set: [], resolved: {} },
        inputs: [],
        notices: {},
        outputs: {},
      },
      measures: {
        signature: '',
        cases: { total: 1, failed: 0, unanswered: 0 },
        measures,
        rules: [],
        confusion: [],
        ungrounded: { total: 0, shown: [] },
      },
      notices: [],
      recipe: '',
      primary: ['f1'],
      attributes: {},
      audit: null,
      figures: null,
    })),
  };
}

export function tableOf(
  index: Partial<CaseIndex> & Pick<CaseIndex, 'ids' | 'runs'>,
  measures: readonly MeasureValue[] = [MEASURE],
  by: string | null = null,
): CaseTable {
  return caseTable({ labels: [], rules: [], slices: {}, ...index }, headOf(measures, index.runs.length, by));
}
