import { z } from 'zod';

import { defineRule } from './rule.ts';
import { type PrepareStep, setAsideWhere, sideParam } from './step.ts';

const params = z.strictObject({
  labels: z.array(z.string()),
  side: sideParam.default('both'),
  because: z.string().default('its label is left out'),
});

/** Items of some labels leave before pairing; the ledger keeps them as excused. */
export const drop = defineRule<PrepareStep, z.infer<typeof params>>({
  name: 'drop',
  about: 'items of these labels leave before pairing (excused in the ledger)',
  params,
  step({ labels, side, because }, rule) {
    const out = new Set(labels);
    return (given) => setAsideWhere(given, side, rule, (item) => (out.has(item.label) ? because : null));
  },
});
