import { z } from 'zod';

import type { Item } from '../data/item.ts';
import { findQuote } from '../text/quote.ts';
import { defineRule } from './rule.ts';
import { onSide, type PrepareStep, setAsideWhere } from './step.ts';

const params = z.strictObject({
  /** What happens to a prediction whose quote is not in the text. */
  ungrounded: z.enum(['flag', 'drop', 'uncertain']).default('flag'),
  /** With `uncertain`: which field becomes what. */
  field: z.string().default('polarity'),
  value: z.string().default('uncertain'),
});

/**
 * Looks each quote up in the text: a non-empty verbatim substring is grounded and gets its place.
 * `flag` counts an ungrounded prediction as usual and lists it, `drop` takes it out of the predictions, `uncertain`
 * sets its polarity.
 */
export const ground = defineRule<PrepareStep, z.infer<typeof params>>({
  name: 'ground',
  about: 'finds each quote in the text; ungrounded predictions are flagged, dropped or made uncertain',
  params,
  step:
    ({ ungrounded, field, value }, rule) =>
    (given) => {
      const text = given.text;
      if (text === null) return given;
      const located = onSide(given, 'both', (items, side) =>
        items.map((item): Item => {
          const place = findQuote(text, item.text);
          if (place !== null) return { ...item, start: place.start, end: place.end, grounded: true };
          const weakened = side === 'predicted' && ungrounded === 'uncertain';
          return { ...item, grounded: false, fields: weakened ? { ...item.fields, [field]: value } : item.fields };
        }),
      );
      if (ungrounded !== 'drop') return located;
      return setAsideWhere(located, 'predicted', rule, (item) =>
        item.grounded === false ? 'its quote is not in the text' : null,
      );
    },
});
