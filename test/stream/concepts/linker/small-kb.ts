import type { KbConcept } from '../../../../src/stream/concepts/linker/kb-concept.ts';

/** A concept with what most tests do not care about filled in. */
export function concept(id: string, names: readonly string[], more: Partial<KbConcept> = {}): KbConcept {
  return { id, name: names[0] ?? id, aliases: names.slice(1), types: [], hasDefinition: true, ...more };
}

/** Deterministic shuffle by a list of numbers from 0 up to 1, as fast-check gives them. */
export function shuffled<T>(items: readonly T[], keys: readonly number[]): T[] {
  return items
    .map((item, at) => ({ item, key: keys[at % Math.max(1, keys.length)] ?? 0, at }))
    .sort((a, b) => a.key - b.key || b.at - a.at)
    .map(({ item }) => item);
}
