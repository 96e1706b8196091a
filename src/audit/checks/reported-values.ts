import { z } from 'zod';

import { isRecord } from '../../data/record-fields.ts';
import type { MeasureValue, Slice } from '../../measure/results.ts';
import type { Run } from '../../score/run.ts';
import { count, significant } from '../../text/figures.ts';
import type { AuditCheck, NewFinding } from '../check.ts';

const reportedValues = z
  .array(
    z.object({
      score: z.string(),
      metric: z.string(),
      value: z.number(),
      n: z.number().nullable().default(null),
      slice: z.record(z.string(), z.string()).optional(),
    }),
  )
  .catch([]);

/** A mean that the log of another tool states, next to the one that its samples give. */
export interface ReportedComparison {
  readonly score: string;
  /** What the tool calls it. */
  readonly metric: string;
  readonly slice: Slice;
  readonly reported: number;
  /** How many samples it is over, by the log; null where it does not say. */
  readonly reportedN: number | null;
  /** Null: the samples give no value. */
  readonly value: number | null;
  readonly n: number;
  readonly agrees: boolean;
}

/** Tools state their means in full; what is further apart than this is not rounding. */
const ROUNDING = 1e-6;

/** Every mean that the log of an imported run states, with what its samples give. */
export function reportedComparisons({ manifest, measures }: Pick<Run, 'manifest' | 'measures'>): ReportedComparison[] {
  const { scores } = manifest.recipe.resolved;
  const stated = reportedValues.parse(isRecord(scores) ? scores['reported'] : []);
  return stated.flatMap(({ score, metric, value: reported, n: reportedN, slice = {} }) => {
    const own = measures.measures.find((one) => one.name === score && isSame(one.slice, slice));
    if (own === undefined) return [];
    const { value, n } = own;
    const agrees = value !== null && Math.abs(value - reported) <= ROUNDING * Math.max(1, Math.abs(reported));
    return [{ score, metric, slice, reported, reportedN, value, n, agrees }];
  });
}

function isSame(a: MeasureValue['slice'], b: Slice): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

export const reportedValuesCheck: AuditCheck = {
  name: 'reported-values',
  about: 'means in an imported log that its samples do not give',
  severity: 'Warning',
  appliesTo: ({ recipe }) => isRecord(recipe['scores']),
  find: ({ run }) =>
    reportedComparisons(run)
      .filter(({ agrees }) => !agrees)
      .map(finding),
};

function finding({ score, metric, slice, reported, reportedN, value, n }: ReportedComparison): NewFinding {
  const part = Object.values(slice).join(', ');
  const of = part === '' ? score : `${score} of ${part}`;
  const theirs = reportedN === null ? '' : ` over ${count(reportedN)}`;
  return {
    severity: 'warning',
    title: `The log states ${metric} ${significant(reported, 6)}${theirs} for ${of}, its samples give ${value === null ? 'no value' : significant(value, 6)} over ${count(n)}`,
    why: 'One of the two is not about all samples: tools may count samples that failed, take a missing score for 0, or average repeated attempts in another way.',
    todo: 'Compare how many samples each is over. Failed samples and missing scores are left out here and counted; assay explain lists them.',
    subjects: [score],
  };
}
