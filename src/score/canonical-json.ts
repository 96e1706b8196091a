import { sortedJson } from '../data/sorted-json.ts';

/** Rules run from top to bottom: their order is part of what they mean. */
const STAGES = new Set(['prepare', 'judge', 'accept']);

/** JSON with sorted keys, except under the stages whose order is part of the recipe. */
export function canonicalJson(value: unknown): string {
  return sortedJson(value, STAGES);
}
