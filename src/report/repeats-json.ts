import type { Repeats } from '../compare/repeats/repeats.ts';
import { safeJson } from './safe-json.ts';

/** The comparison as JSON that a terminal can be shown. */
export function repeatsJson(repeats: Repeats): string {
  return safeJson(repeats);
}
