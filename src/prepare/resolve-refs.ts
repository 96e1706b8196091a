import { z } from 'zod';

import type { Item } from '../data/item.ts';
import { compareText } from '../text/compare.ts';
import { normalise } from '../text/normalise.ts';
import { defineRule } from './rule.ts';
import { onSide, type PrepareStep, setAsideWhere } from './step.ts';

const params = z.strictObject({
  id: z.string().default('temp_id'),
  /** A relationship with an end that resolves to nothing: a spurious one, or left out of the count. */
  unresolved: z.enum(['spurious', 'leave-out']).default('spurious'),
});

/** Turns the references of predicted relationships (a temp_id, else an entity's name) into names. */
export const resolveRefs = defineRule<PrepareStep, z.infer<typeof params>>({
  name: 'resolve-refs',
  about: 'turns references of predicted relationships into entity names; unresolved ones are spurious or left out',
  params,
  // Without it an end is an id that no gold name equals; leaving unresolved ones out is a leniency beside that.
  needed: { unresolved: 'spurious' },
  step:
    ({ id, unresolved }, rule) =>
    (given) => {
      const nameOf = namesOf(given.predicted, id);
      const resolved = onSide(given, 'predicted', (items) =>
        items.map((item): Item => {
          if (item.kind !== 'relationship') return item;
          const source = nameOf(item.source);
          const target = nameOf(item.target);
          const lost = [source === null ? item.source : null, target === null ? item.target : null].filter(
            (ref) => ref !== null,
          );
          const text = `${source ?? item.source ?? ''} --${item.label}--> ${target ?? item.target ?? ''}`;
          return { ...item, source, target, text, ...(lost.length > 0 ? { unresolved: lost } : {}) };
        }),
      );
      if (unresolved === 'spurious') return resolved;
      return setAsideWhere(resolved, 'predicted', rule, (item) =>
        item.unresolved === undefined ? null : unresolvedReason(item.unresolved),
      );
    },
});

/** What a reference is called: an id, else a name as it stands, else one that is the same after normalisation. */
function namesOf(items: readonly Item[], id: string): (ref: string | null) => string | null {
  const byId = new Map<string, string>();
  const names = new Set<string>();
  const byPlainName = new Map<string, string>();
  for (const item of items) {
    if (item.kind !== 'entity') continue;
    const own = item.fields[id];
    if (typeof own === 'string' && !byId.has(own)) byId.set(own, item.text);
    names.add(item.text);
    const plain = normalise(item.text, ['lower', 'trim', 'collapse']);
    const known = byPlainName.get(plain);
    // Of several spellings the first by content, so that the order of the input does not show.
    if (known === undefined || compareText(item.text, known) < 0) byPlainName.set(plain, item.text);
  }
  return (ref) => {
    if (ref === null) return null;
    const found = byId.get(ref) ?? (names.has(ref) ? ref : undefined);
    return found ?? byPlainName.get(normalise(ref, ['lower', 'trim', 'collapse'])) ?? null;
  };
}

export function unresolvedReason(refs: readonly string[]): string {
  return `no extracted entity is called ${refs.map((ref) => JSON.stringify(ref)).join(' or ')}`;
}
