import type { Sweep } from '../compare/sweep/sweep.ts';
import { safeJson } from './safe-json.ts';

/** The sweep as JSON that a terminal can be shown. */
export function recipeSweepJson(sweep: Sweep): string {
  return safeJson(sweep);
}
