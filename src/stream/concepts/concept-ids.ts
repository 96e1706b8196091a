import { z } from 'zod';

import { compareText, UNSAFE } from '../../plugin.ts';

/** More concepts than any text of a conversation has: more are a fault, and measures take them in pairs. */
export const MOST_CONCEPTS = 10_000;
export const TOO_MANY = `more than ${MOST_CONCEPTS} concepts for one text`;

/** Whether an id can be shown in lists and reports: nothing that a terminal would act on. */
export function isConceptId(id: string): boolean {
  return id !== '' && id.search(UNSAFE) === -1;
}

export const conceptId = z.string().min(1).refine(isConceptId, 'an id has no control or invisible characters');

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
