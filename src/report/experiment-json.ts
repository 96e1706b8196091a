import type { ExperimentSummary } from '../experiment/summary.ts';
import type { DryRun } from './experiment-dry-run.ts';
import { safeJson } from './safe-json.ts';

export const EXPERIMENT_FORMAT = 1;

/** The summary as JSON that a terminal can be shown. */
export function experimentSummaryJson(summary: ExperimentSummary): string {
  return safeJson({ format: EXPERIMENT_FORMAT, ...summary });
}

/** What a dry run found, told apart from the summary of a run by `dryRun`. */
export function dryRunJson(plan: DryRun): string {
  return safeJson({ format: EXPERIMENT_FORMAT, dryRun: true, ...plan });
}
