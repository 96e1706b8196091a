import { z } from 'zod';

import type { Item } from '../data/item.ts';
import { defineRule } from './rule.ts';
import { type PrepareStep, setAsideWhere, sideParam } from './step.ts';

const params = z.strictObject({
  labels: z.array(z.string()).default([]),
  /** Instead of labels, or besides: a field of the item and the values of it that leave. */
  field: z.string().nullable().default(null),
  values: z.array(z.string()).default([]),
  side: sideParam.default('both'),
  because: z.string().default('left out by the recipe'),
});

/** Items of some labels, or with some value in a field, leave before pairing; the ledger keeps them as excused. */
export const drop = defineRule<PrepareStep, z.infer<typeof params>>({
  name: 'drop',
  about: 'items of these labels, or with these values of a field, leave before pairing (excused in the ledger)',
  params,
  step({ labels, field, values, side, because }, rule) {
    const out = new Set(labels);
    const unwanted = new Set(values);
    const leaves = (item: Item): boolean =>
      out.has(item.label) || (field !== null && unwanted.has(String(item.fields[field])));
    return (given) => setAsideWhere(given, side, rule, (item) => (leaves(item) ? because : null));
  },
});
