import { z } from 'zod';

import type { Case } from '../data/case.ts';
import type { Item } from '../data/item.ts';
import { defineRule } from './rule.ts';
import { type PrepareStep, setAsideWhere } from './step.ts';

const params = z.strictObject({
  kind: z.string(),
  labels: z.array(z.string()).min(1),
  because: z.string().default('gold is no answer that could be right or wrong'),
});

/**
 * Where gold of a kind has one of these labels, the question has no right answer: gold and whatever was predicted of that
 * kind both leave, so that a hit on such a label is no more credited than a miss is held against the system.
 */
export const leaveOutGold = defineRule<PrepareStep, z.infer<typeof params>>({
  name: 'leave-out-gold',
  about: 'where gold has one of these labels, both sides leave: neither a hit nor a miss counts',
  params,
  step({ kind, labels, because }, rule) {
    const out = new Set(labels);
    return (given): Case => {
      const unasked = given.gold.find((item) => item.kind === kind && out.has(item.label));
      if (unasked === undefined) return given;
      const reason = reasonOf(unasked) ?? `${because}: ${unasked.label}`;
      return setAsideWhere(given, 'both', rule, (item) => (item.kind === kind ? reason : null));
    };
  },
});

/** What the one who gave the label says of it. */
function reasonOf({ fields }: Item): string | null {
  const reason = fields['because'];
  return typeof reason === 'string' ? reason : null;
}
