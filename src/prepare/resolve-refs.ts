import { z } from 'zod';

import type { Case } from '../data/case.ts';
import type { Item } from '../data/item.ts';
import { compareText } from '../text/compare.ts';
import { normalise } from '../text/normalise.ts';
import { idOfEntity, placedRelationships } from './place-ends.ts';
import { onSide, prepareRule, setAsideWhere } from './step.ts';

/**
 * Turns the references of relationships (a temp_id, else an entity's name) into names, and by `place` also into places,
 * so that entities of one name stay apart. By name, an end that no extracted
 * entity answers to stands for itself, so that triples without entities are compared too; if nothing matches it and gold
 * knows no such name either, the relationship is spurious for that reason.
 */
export const resolveRefs = prepareRule({
  name: 'resolve-refs',
  about: 'turns references of relationships into entity names',
  params: z.strictObject({
    id: z
      .union([z.string(), z.array(z.string()).min(1)])
      .default('temp_id')
      .describe('field of an entity that relationships refer to; of several, the first that it has'),
    by: z
      .enum(['name', 'place'])
      .optional()
      .describe('whether entities of one name are one, or mentions at several places (default: name)'),
    unresolved: z
      .enum(['by-name', 'spurious', 'leave-out'])
      .default('by-name')
      .describe('a relationship with an end that is not an entity: compared by name, spurious, or excused'),
  }),
  // Without it an end is an id that no gold name equals; what becomes of unresolved ones is a rule beside that.
  needed: { unresolved: 'by-name' },
  step:
    ({ id: ids, by, unresolved }, rule) =>
    (given) => {
      const id = [ids].flat();
      if (by === 'place') return leftOut(placedRelationships(given, id, rule), unresolved, rule);
      // Gold mostly has names; an end that is the id of one of its entities is that entity.
      const goldIds = idsOf(given.gold, id);
      const goldName = (ref: string | null): string | null => goldIds.get(ref ?? '') ?? ref;
      const gold = given.gold.map((item) => {
        const named = joining(item, goldName, goldName);
        return named.source === item.source && named.target === item.target ? item : named;
      });
      const nameOf = namesOf(given.predicted, id);
      const byName = unresolved === 'by-name';
      const endOf = (ref: string | null): string | null => nameOf(ref) ?? (byName ? ref : null);
      const isKnown = byName ? namesIn(gold, given.predicted) : () => false;
      const resolved = onSide({ ...given, gold }, 'predicted', (items) =>
        items.map((item) => {
          if (item.kind !== 'relationship') return item;
          const refs = [item.source, item.target].filter((ref) => ref !== null);
          const lost = refs.filter((ref) => nameOf(ref) === null && !isKnown(ref));
          const named = joining(item, endOf, (ref) => nameOf(ref) ?? ref);
          return lost.length > 0 ? { ...named, unresolved: lost } : named;
        }),
      );
      return leftOut(resolved, unresolved, rule);
    },
});

function leftOut(resolved: Case, unresolved: string, rule: string): Case {
  if (unresolved !== 'leave-out') return resolved;
  return setAsideWhere(resolved, 'predicted', rule, (item) =>
    item.unresolved === undefined ? null : unresolvedReason(item.unresolved),
  );
}

type NameOf = (ref: string | null) => string | null;

/** A relationship with names for its ends, and in its text. */
function joining(item: Item, endOf: NameOf, textOf: NameOf): Item {
  if (item.kind !== 'relationship') return item;
  const text = `${textOf(item.source) ?? ''} --${item.label}--> ${textOf(item.target) ?? ''}`;
  return { ...item, source: endOf(item.source), target: endOf(item.target), text };
}

/** Whether gold mentions something of that name. If neither side lists entities, any name is accepted. */
function namesIn(gold: Case['gold'], predicted: Case['predicted']): (ref: string) => boolean {
  if (![...gold, ...predicted].some(({ kind }) => kind === 'entity')) return () => true;
  const spoken = gold.flatMap(({ kind, text, source, target }) => (kind === 'entity' ? [text] : [source, target]));
  // Mostly nothing is asked for.
  let names: Set<string> | null = null;
  return (ref) => (names ??= new Set(spoken.filter((name) => name !== null).map(plainName))).has(plainName(ref));
}

function plainName(name: string): string {
  return normalise(name, ['lower', 'trim', 'collapse']);
}

function idsOf(items: readonly Item[], ids: readonly string[]): Map<string, string> {
  const byId = new Map<string, string>();
  for (const item of items) {
    const own = idOfEntity(item, ids);
    if (own !== null && !byId.has(own)) byId.set(own, item.text);
  }
  return byId;
}

/** What a reference is called: an id, else a name as it stands, else one that is the same after normalisation. */
function namesOf(items: readonly Item[], id: readonly string[]): NameOf {
  const byId = idsOf(items, id);
  const names = new Set(items.flatMap(({ kind, text }) => (kind === 'entity' ? [text] : [])));
  let byPlainName: Map<string, string> | null = null;
  return (ref) => {
    if (ref === null) return null;
    if (byId.has(ref) || names.has(ref)) return byId.get(ref) ?? ref;
    // Of several spellings the first by content, so that the order of the input does not show.
    const spellings = (): string[] => [...names].sort(compareText).reverse();
    byPlainName ??= new Map(spellings().map((own) => [plainName(own), own]));
    return byPlainName.get(plainName(ref)) ?? null;
  };
}

export function unresolvedReason(refs: readonly string[]): string {
  return `no extracted entity is called ${refs.map((ref) => JSON.stringify(ref)).join(' or ')}`;
}
