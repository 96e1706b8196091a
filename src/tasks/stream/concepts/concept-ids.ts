import { compareText } from '../../../text/compare.ts';

/**
 * Concept ids as the port hands them out: upper case, each once, in text order.
 *
 * @example conceptIds(['c2', 'C1', 'C2']) // ['C1', 'C2']
 */
export function conceptIds(ids: Iterable<string>): readonly string[] {
  const upper = new Set<string>();
  for (const id of ids) upper.add(id.toUpperCase());
  return [...upper].sort(compareText);
}
