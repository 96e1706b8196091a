import { type Attribute, valueOf } from '../../judge/attributes.ts';
import type { Item, ItemKind } from '../../data/item.ts';
import { normalise } from '../../text/normalise.ts';
import type { FoundGroup } from './found-groups.ts';
import { type Share, shareOf } from './item-stability.ts';
import type { RepeatedQuestion } from './repeated-run.ts';

/** Values by which a run says that it does not know. */
export const UNDECIDED: readonly string[] = ['unknown', 'uncertain'];

/** An attribute of an item whose value is not the same in all runs that found it. */
export interface Flip {
  readonly case: string;
  readonly kind: string;
  readonly label: string;
  readonly text: string;
  readonly attribute: string;
  /** `flip`: two runs say different things. `undecided`: all that say something say the same, others say nothing. */
  readonly change: 'flip' | 'undecided';
  /** By run: whether it has the item. */
  readonly found: readonly boolean[];
  /** By run: the value as it is compared; null where there is none. */
  readonly values: readonly (string | null)[];
}

export interface AttributeFlips {
  readonly attribute: string;
  /** Items found by two or more runs to which the attribute applies. */
  readonly compared: number;
  readonly flips: number;
  readonly undecided: number;
  /** flips / compared */
  readonly share: Share;
}

/**
 * Flips of each attribute: share = items of which two runs give different values / items that two or more runs found and
 * the attribute applies to. Undefined when there is no such item. Lower is better. A value that says "I do not know"
 * contradicts nothing: where the runs differ by such values only, the item counts as undecided, not as a flip.
 *
 * @example polarity absent, present, absent: a flip; present, present, uncertain: undecided
 */
export function findFlips(
  question: RepeatedQuestion,
  groups: readonly FoundGroup[],
  undecided: readonly string[] = UNDECIDED,
): { readonly attributes: AttributeFlips[]; readonly flips: Flip[] } {
  const compared = groups.filter(({ items }) => items.filter((item) => item !== null).length >= 2);
  const flips: Flip[] = [];
  const attributes = comparedAttributes(question, compared).map((attribute): AttributeFlips => {
    const same = sameness(attribute);
    const unsure = new Set(undecided.map((value) => normalise(value, attribute.normalise)));
    const counts = { compared: 0, flip: 0, undecided: 0 };
    for (const group of compared) {
      if (!applies(attribute, group)) continue;
      const items = group.items.filter((item) => item !== null);
      const values = items.map((item) => valueOf(attribute, item));
      if (values.every((value) => value === null)) continue;
      counts.compared += 1;
      if (allPairs(values, same)) continue;
      const decided = values.filter((value) => value !== null && !unsure.has(value));
      const change = allPairs(decided, same) ? 'undecided' : 'flip';
      counts[change] += 1;
      flips.push(flipOf(group, attribute, change));
    }
    return {
      attribute: attribute.name,
      compared: counts.compared,
      flips: counts.flip,
      undecided: counts.undecided,
      share: shareOf(counts.flip, counts.compared, 'no item of two or more runs has it'),
    };
  });
  return { attributes, flips };
}

function flipOf(group: FoundGroup, attribute: Attribute, change: Flip['change']): Flip {
  return {
    case: group.case,
    kind: group.kind,
    label: group.label,
    text: group.text,
    attribute: attribute.name,
    change,
    found: group.items.map((item) => item !== null),
    values: group.items.map((item) => (item === null ? null : valueOf(attribute, item))),
  };
}

/** Those of the recipe, and the label itself where items with different labels may be paired. */
function comparedAttributes({ attributes, pair }: RepeatedQuestion, groups: readonly FoundGroup[]): Attribute[] {
  const labels = [...pair].flatMap(([kind, { accept }]): Attribute[] => {
    const gated = accept.every(({ gate, similarity }) => gate.includes('label') || similarity === 'relation');
    const items = groups.flatMap((group) => (group.kind === kind ? group.items : [])).filter((item) => item !== null);
    if (gated || attributes.some((attribute) => isLabel(attribute, kind, items))) return [];
    return [labelAttribute(kind, pair.size > 1)];
  });
  return [...attributes, ...labels];
}

function labelAttribute(kind: ItemKind, severalKinds: boolean): Attribute {
  return {
    name: severalKinds ? `${kind} label` : 'label',
    field: 'label',
    labels: [],
    kind,
    missing: null,
    normalise: [],
    equivalent: [],
    acceptable: null,
  };
}

/** Whether an attribute of the recipe is the label under another name, as an entity's type is. */
function isLabel(attribute: Attribute, kind: ItemKind, items: readonly Item[]): boolean {
  if (attribute.kind !== null && attribute.kind !== kind) return false;
  return (
    attribute.field === 'label' ||
    (items.length > 0 && items.every(({ fields, label }) => (fields[attribute.field] ?? '') === label))
  );
}

function applies({ kind, labels }: Attribute, group: FoundGroup): boolean {
  if (kind !== null && kind !== group.kind) return false;
  return labels.length === 0 || group.items.every((item) => item === null || labels.includes(item.label));
}

function sameness({ equivalent, normalise: steps }: Attribute): (a: string | null, b: string | null) => boolean {
  const sets = equivalent.map((values) => new Set(values.map((value) => normalise(value, steps))));
  return (a, b) => a === b || (a !== null && b !== null && sets.some((set) => set.has(a) && set.has(b)));
}

function allPairs<T>(values: readonly T[], same: (a: T, b: T) => boolean): boolean {
  return values.every((value, at) => values.slice(at + 1).every((other) => same(value, other)));
}
