import { z } from 'zod';

import { looksMojibake, repairMojibake } from '../text/mojibake.ts';
import { defineRule } from './rule.ts';
import { onSide, type PrepareStep, sideParam } from './step.ts';

const params = z.strictObject({
  map: z.record(z.string(), z.string()).default({}),
  side: sideParam.default('predicted'),
  /** Whether broken UTF-8 in labels is mended first. */
  mojibake: z.enum(['keep', 'repair']).default('keep'),
});

/** Translates labels of one scheme into another; labels that the map does not name stay as they are. */
export const relabel = defineRule<PrepareStep, z.infer<typeof params>>({
  name: 'relabel',
  about: 'translates labels of one scheme into another; others stay as they are',
  params,
  step({ map, side, mojibake }) {
    const to = new Map(Object.entries(map));
    return (given) =>
      onSide(given, side, (items) =>
        items.map((item) => {
          const own = mojibake === 'repair' && looksMojibake(item.label) ? repairMojibake(item.label) : item.label;
          const label = to.get(own) ?? own;
          return label === item.label ? item : { ...item, label, was: item.label };
        }),
      );
  },
});
