import { z } from 'zod';

import { defineRule } from './rule.ts';
import { type PrepareStep, setAsideWhere, sideParam } from './step.ts';

const params = z.strictObject({ side: sideParam.default('gold') });

/** Of items that are equal in place, label and text, the first stays; the others are excused. */
export const dedupe = defineRule<PrepareStep, z.infer<typeof params>>({
  name: 'dedupe',
  about: 'of equal items (place, label, text) the first stays, the others are excused',
  params,
  step:
    ({ side }, rule) =>
    (given) => {
      const seen = new Map<string, number>();
      return setAsideWhere(given, side, rule, (item, own) => {
        const place = item.start >= 0 ? '' : item.text;
        const key = `${own} ${item.kind} ${item.start} ${item.end} ${item.label} ${item.source ?? ''} ${item.target ?? ''} ${place}`;
        const first = seen.get(key);
        if (first === undefined) seen.set(key, item.index);
        return first === undefined ? null : `equal to item ${first}`;
      });
    },
});
