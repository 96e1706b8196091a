import { z } from 'zod';

import type { Case } from '../data/case.ts';
import type { Item } from '../data/item.ts';
import { compareText } from '../text/compare.ts';
import { normalise } from '../text/normalise.ts';
import { defineRule } from './rule.ts';
import { onSide, type PrepareStep, setAsideWhere } from './step.ts';

const params = z.strictObject({
  id: z.string().default('temp_id'),
  /** A relationship with an end that is no entity: compared by what the end is called, spurious, or left out. */
  unresolved: z.enum(['by-name', 'spurious', 'leave-out']).default('by-name'),
});

/**
 * Turns the references of relationships (a temp_id, else an entity's name) into names. By name, an end that no extracted
 * entity answers to stands for itself, so that triples without entities are compared too; if nothing matches it and gold
 * knows no such name either, the relationship is spurious for that reason.
 */
export const resolveRefs = defineRule<PrepareStep, z.infer<typeof params>>({
  name: 'resolve-refs',
  about: 'turns references of relationships into entity names; unresolved ones count by name, are spurious or left out',
  params,
  // Without it an end is an id that no gold name equals; what becomes of unresolved ones is a rule beside that.
  needed: { unresolved: 'by-name' },
  step:
    ({ id, unresolved }, rule) =>
    (given) => {
      const named = onSide(given, 'gold', (items) => withNames(items, idsOf(items, id)));
      const nameOf = namesOf(given.predicted, id);
      const isKnown = unresolved === 'by-name' ? namesIn(named) : () => false;
      const resolved = onSide(named, 'predicted', (items) =>
        items.map((item): Item => {
          if (item.kind !== 'relationship') return item;
          const [source, target] = [nameOf(item.source), nameOf(item.target)];
          const lost = [source === null ? item.source : null, target === null ? item.target : null].filter(
            (ref): ref is string => ref !== null && !isKnown(ref),
          );
          const text = `${source ?? item.source ?? ''} --${item.label}--> ${target ?? item.target ?? ''}`;
          const ends =
            unresolved === 'by-name'
              ? { source: source ?? item.source, target: target ?? item.target }
              : { source, target };
          return { ...item, ...ends, text, ...(lost.length > 0 ? { unresolved: lost } : {}) };
        }),
      );
      if (unresolved !== 'leave-out') return resolved;
      return setAsideWhere(resolved, 'predicted', rule, (item) =>
        item.unresolved === undefined ? null : unresolvedReason(item.unresolved),
      );
    },
});

/** Gold mostly has names; an end that is the id of one of its entities is that entity. */
function withNames(items: readonly Item[], byId: ReadonlyMap<string, string>): readonly Item[] {
  if (byId.size === 0) return items;
  return items.map((item) => {
    if (item.kind !== 'relationship') return item;
    const source = byId.get(item.source ?? '') ?? item.source;
    const target = byId.get(item.target ?? '') ?? item.target;
    if (source === item.source && target === item.target) return item;
    return { ...item, source, target, text: `${source ?? ''} --${item.label}--> ${target ?? ''}` };
  });
}

/** Whether gold speaks of something of that name. Where nobody lists entities, there is none that an end could lack. */
function namesIn({ gold, predicted }: Case): (ref: string) => boolean {
  if (![...gold, ...predicted].some(({ kind }) => kind === 'entity')) return () => true;
  const names = new Set<string>();
  for (const { kind, text, source, target } of gold)
    for (const name of kind === 'entity' ? [text] : [source, target]) if (name !== null) names.add(plainName(name));
  return (ref) => names.has(plainName(ref));
}

function plainName(name: string): string {
  return normalise(name, ['lower', 'trim', 'collapse']);
}

function idsOf(items: readonly Item[], id: string): Map<string, string> {
  const byId = new Map<string, string>();
  for (const { kind, text, fields } of items) {
    const own = kind === 'entity' ? fields[id] : undefined;
    if (typeof own === 'string' && !byId.has(own)) byId.set(own, text);
  }
  return byId;
}

/** What a reference is called: an id, else a name as it stands, else one that is the same after normalisation. */
function namesOf(items: readonly Item[], id: string): (ref: string | null) => string | null {
  const byId = idsOf(items, id);
  const names = new Set<string>();
  const byPlainName = new Map<string, string>();
  for (const item of items) {
    if (item.kind !== 'entity') continue;
    names.add(item.text);
    const plain = plainName(item.text);
    const known = byPlainName.get(plain);
    // Of several spellings the first by content, so that the order of the input does not show.
    if (known === undefined || compareText(item.text, known) < 0) byPlainName.set(plain, item.text);
  }
  return (ref) => {
    if (ref === null) return null;
    const found = byId.get(ref) ?? (names.has(ref) ? ref : undefined);
    return found ?? byPlainName.get(plainName(ref)) ?? null;
  };
}

export function unresolvedReason(refs: readonly string[]): string {
  return `no extracted entity is called ${refs.map((ref) => JSON.stringify(ref)).join(' or ')}`;
}
