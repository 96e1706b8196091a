import type { ProposedItem } from '../../src/review/content.ts';

/** A link between two things, as a graph has it. */
export interface Relation {
  readonly source: string;
  readonly kind: string;
  readonly target: string;
}

/** Null for an item with its own place in the text. */
export function relationOf({ start, kind, facts }: Pick<ProposedItem, 'start' | 'kind' | 'facts'>): Relation | null {
  const [source, target] = [factOf(facts, 'source'), factOf(facts, 'target')];
  return start >= 0 || kind === null || source === null || target === null ? null : { source, kind, target };
}

/**
 * A name as a data format writes it, for people.
 *
 * @example readableName('works_for') // 'works for'
 */
export function readableName(name: string): string {
  return name.replaceAll('_', ' ').trim();
}

function factOf(facts: ProposedItem['facts'], name: string): string | null {
  return Object.hasOwn(facts, name) ? (facts[name] ?? null) : null;
}
