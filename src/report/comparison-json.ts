import type { Comparison } from '../compare/comparison.ts';
import { safeJson } from './safe-json.ts';

/** The comparison as JSON that a terminal can be shown. */
export function comparisonJson(comparison: Comparison): string {
  return safeJson(comparison);
}
