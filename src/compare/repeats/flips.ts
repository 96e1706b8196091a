import type { ItemKind } from '../../data/item.ts';
import { type Attribute, sameValues, valueOf } from '../../judge/attributes.ts';
import type { Plan } from '../../recipe/plan.ts';
import { PLAIN_ATTRIBUTE } from '../../recipe/schema.ts';
import { everyTwo } from '../../stats/aligned-lists.ts';
import { normalise } from '../../text/normalise.ts';
import type { SharedItemGroup, SharedItem } from './item-groups.ts';
import { shareOf } from './item-stability.ts';

/** Values by which a run states that it does not know. */
export const UNDECIDED: readonly string[] = ['unknown', 'uncertain'];

/**
 * An attribute of an item whose value is not the same in all runs that found it. `flip`: two runs say different things.
 * `undecided`: all that say something say the same, others say nothing. By run: whether it has the item, and the value as
 * it is compared, null if it has none.
 */
export type Flip = SharedItem &
  Readonly<{ attribute: string; change: 'flip' | 'undecided'; found: boolean[]; values: (string | null)[] }>;

/**
 * Flips of each attribute: share = items of which two runs give different values / items that two or more runs found and
 * the attribute applies to. Undefined when there is no such item. Lower is better. A value that means "I do not know"
 * contradicts nothing: where the runs differ by such values only, the item counts as undecided, not as a flip.
 *
 * @example polarity absent, present, absent: a flip; present, present, uncertain: undecided
 */
export function findFlips(plan: Plan, groups: readonly SharedItemGroup[], undecided = UNDECIDED) {
  const several = groups.filter(({ items }) => items.filter((item) => item !== null).length >= 2);
  const flips: Flip[] = [];
  const attributes = comparedAttributes(plan, several).map((attribute) => {
    const same = sameValues(attribute);
    const unsure = new Set<string | null>([null, ...undecided.map((value) => normalise(value, attribute.normalise))]);
    const counts = { compared: 0, flip: 0, undecided: 0 };
    for (const { items, verdicts: _, ...thing } of several) {
      if (!applies(attribute, thing.kind, items)) continue;
      const values = items.map((item) => item && valueOf(attribute, item));
      const given = values.filter((_value, run) => items[run] !== null);
      if (given.every((value) => value === null)) continue;
      counts.compared += 1;
      if (areSame(given, same)) continue;
      const decided = given.filter((value) => !unsure.has(value));
      const change = areSame(decided, same) ? 'undecided' : 'flip';
      counts[change] += 1;
      flips.push({ ...thing, attribute: attribute.name, change, found: items.map((item) => item !== null), values });
    }
    return {
      attribute: attribute.name,
      /** Items found by two or more runs to which the attribute applies. */
      compared: counts.compared,
      flips: counts.flip,
      undecided: counts.undecided,
      /** flips / compared */
      share: shareOf(counts.flip, counts.compared, 'no item of two or more runs has it'),
    };
  });
  return { attributes, flips };
}

/** Those of the recipe, and the label itself where items with different labels may be paired. */
function comparedAttributes({ attributes, schemes }: Plan, groups: readonly SharedItemGroup[]): Attribute[] {
  const { pair } = schemes[0]!;
  const labels = [...pair].flatMap(([kind, { accept }]): Attribute[] => {
    const gated = accept.every(({ gate, similarity }) => gate.includes('label') || similarity === 'relation');
    const own = groups.filter((group) => group.kind === kind);
    if (gated || attributes.some((attribute) => isLabel(attribute, kind, own))) return [];
    return [{ ...PLAIN_ATTRIBUTE, field: 'label', name: pair.size > 1 ? `${kind} label` : 'label', kind }];
  });
  return [...attributes, ...labels];
}

/** Whether an attribute of the recipe is the label under another name, as an entity's type is. */
function isLabel({ kind: of, field }: Attribute, kind: ItemKind, groups: readonly SharedItemGroup[]): boolean {
  if (of !== null && of !== kind) return false;
  const items = groups.flatMap((group) => group.items.filter((item) => item !== null));
  return field === 'label' || (items.length > 0 && items.every(({ fields, label }) => (fields[field] ?? '') === label));
}

function applies({ kind, labels }: Attribute, of: ItemKind, items: SharedItemGroup['items']): boolean {
  if (kind !== null && kind !== of) return false;
  return labels.length === 0 || items.every((item) => item === null || labels.includes(item.label));
}

function areSame<T>(values: readonly T[], same: (a: T, b: T) => boolean): boolean {
  return everyTwo(values.length).every(([a, b]) => same(values[a]!, values[b]!));
}
