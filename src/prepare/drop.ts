import { z } from 'zod';

import type { Item, Side } from '../data/item.ts';
import { defineRule } from './rule.ts';
import { type PrepareStep, setAsideWhere, sideParam } from './step.ts';

const params = z.strictObject({
  labels: z.array(z.string()).default([]),
  /** Instead of labels, or besides: a field of the item and the values of it that leave. */
  field: z.string().nullable().default(null),
  values: z.array(z.string()).default([]),
  /** A field that says which items belong together: they leave only if all of them would. */
  group: z.string().optional(),
  side: sideParam.default('both'),
  because: z.string().default('left out by the recipe'),
});

/** Items of some labels, or with some value in a field, leave before pairing; the ledger keeps them as excused. */
export const drop = defineRule<PrepareStep, z.infer<typeof params>>({
  name: 'drop',
  about: 'items of these labels, or with these values of a field, leave before pairing (excused in the ledger)',
  params,
  step({ labels, field, values, group, side, because }, rule) {
    const out = new Set(labels);
    const unwanted = new Set(values);
    const leaves = (item: Item): boolean =>
      out.has(item.label) || (field !== null && unwanted.has(String(item.fields[field])));
    if (group === undefined)
      return (given) => setAsideWhere(given, side, rule, (item) => (leaves(item) ? because : null));
    const groupOf = (item: Item, own: Side): string | null =>
      item.fields[group] === undefined ? null : JSON.stringify([own, item.annotator, item.fields[group]]);
    return (given) => {
      const stay = (items: readonly Item[], own: Side) =>
        items.filter((item) => !leaves(item)).map((item) => groupOf(item, own));
      const staying = new Set([...stay(given.gold, 'gold'), ...stay(given.predicted, 'predicted')]);
      return setAsideWhere(given, side, rule, (item, own) => {
        const name = groupOf(item, own);
        return leaves(item) && (name === null || !staying.has(name)) ? because : null;
      });
    };
  },
});
