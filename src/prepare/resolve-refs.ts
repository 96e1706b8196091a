import { z } from 'zod';

import type { Item } from '../data/item.ts';
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
  step:
    ({ id, unresolved }, rule) =>
    (given) => {
      const byId = new Map<string, string>();
      const byName = new Map<string, string>();
      for (const item of given.predicted) {
        if (item.kind !== 'entity') continue;
        const own = item.fields[id];
        if (typeof own === 'string' && !byId.has(own)) byId.set(own, item.text);
        const plain = normalise(item.text, ['lower', 'trim', 'collapse']);
        if (!byName.has(plain)) byName.set(plain, item.text);
      }
      const nameOf = (ref: string | null): string | null =>
        ref === null ? null : (byId.get(ref) ?? byName.get(normalise(ref, ['lower', 'trim', 'collapse'])) ?? null);
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

export function unresolvedReason(refs: readonly string[]): string {
  return `no extracted entity is called ${refs.map((ref) => JSON.stringify(ref)).join(' or ')}`;
}
