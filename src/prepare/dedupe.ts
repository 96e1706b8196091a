import { z } from 'zod';

import type { Side } from '../data/item.ts';
import { itemKey } from './item-key.ts';
import { defineRule } from './rule.ts';
import { type PrepareStep, setAsideWhere, sideParam } from './step.ts';

const params = z.strictObject({ side: sideParam.default('gold') });

/** Of items that are equal in place, label and text, the first stays; the others are excused. */
export const dedupe = defineRule<PrepareStep, z.infer<typeof params>>({
  name: 'dedupe',
  about: 'of equal items (place, label, text) the first stays, the others are excused',
  params,
  readsOrder: true,
  step:
    ({ side }, rule) =>
    (given) => {
      const seen: Record<Side, Map<string, number>> = { gold: new Map(), predicted: new Map() };
      return setAsideWhere(given, side, rule, (item, own) => {
        const key = itemKey(item);
        const first = seen[own].get(key);
        if (first === undefined) seen[own].set(key, item.index);
        return first === undefined ? null : `equal to item ${first}`;
      });
    },
});
