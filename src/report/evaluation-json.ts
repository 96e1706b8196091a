import type { Evaluation } from '../review/evaluation.ts';
import { VERSION } from '../score/version.ts';
import { namedComparison } from './evaluation-differences.ts';
import { safeJson } from './safe-json.ts';

export const EVALUATION_FORMAT = 1;

/** evaluation.json: the figures of the report for machines. It holds no time and no path. */
export function evaluationJson(evaluation: Evaluation): string {
  const { recipe, systems, agreement, judge, withoutClass, conflicts, missing, leftColumns } = evaluation;
  const comparison = namedComparison(evaluation);
  return safeJson({
    format: EVALUATION_FORMAT,
    assay: VERSION,
    recipe,
    systems: systems.map(({ system, run, parity }) => ({
      system,
      signature: run.manifest.signature,
      cases: run.measures.cases,
      measures: run.measures.measures,
      confusion: run.measures.confusion.filter(({ kind }) => kind === 'class'),
      parity,
    })),
    differences:
      comparison === null
        ? null
        : {
            ...comparison,
            systems: comparison.systems.map(({ folder: _, ...system }) => system),
          },
    agreement,
    judge,
    withoutClass,
    conflicts,
    missing,
    leftColumns,
  });
}
