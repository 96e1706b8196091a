import type { ExperimentSummary } from '../experiment/summary.ts';
import { safeJson } from './safe-json.ts';

export const EXPERIMENT_FORMAT = 1;

/** The summary as JSON that a terminal can be shown. */
export function experimentSummaryJson(summary: ExperimentSummary): string {
  return safeJson({ format: EXPERIMENT_FORMAT, ...summary });
}
