import { z } from 'zod';

import { type Case, REJECTED_BY_SYSTEM } from '../data/case.ts';
import type { Item } from '../data/item.ts';
import { findQuote, type NearQuote, nearQuote } from '../text/quote.ts';
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
  // Without it nobody knows which quotes stand in the text; what then becomes of the others is a rule of its own.
  needed: { ungrounded: 'flag' },
  step:
    ({ ungrounded, field, value }, rule) =>
    (given) => {
      const text = given.text;
      if (text === null) return given;
      const locate = (item: Item, weakened: boolean): Item => {
        const place = findQuote(text, item.text);
        if (place !== null) return { ...item, start: place.start, end: place.end, grounded: true };
        const fields = weakened ? { ...item.fields, [field]: value } : item.fields;
        return { ...item, grounded: false, ungrounded: whyUngrounded(text, item.text), fields };
      };
      const located = onSide(withRejected(given, locate), 'both', (items, side) =>
        items.map((item) => locate(item, side === 'predicted' && ungrounded === 'uncertain')),
      );
      if (ungrounded !== 'drop') return located;
      return setAsideWhere(located, 'predicted', rule, (item) =>
        item.grounded === false ? 'its quote is not in the text' : null,
      );
    },
});

/** What the system took out itself is looked up too: what a model quotes is judged by all that it gave. */
function withRejected(given: Case, locate: (item: Item, weakened: boolean) => Item): Case {
  if (given.setAside.every(({ rule }) => rule !== REJECTED_BY_SYSTEM)) return given;
  const setAside = given.setAside.map((one) =>
    one.rule === REJECTED_BY_SYSTEM ? { ...one, item: locate(one.item, false) } : one,
  );
  return { ...given, setAside };
}

const WHY: Readonly<Record<NearQuote['kind'], string>> = {
  verbatim: 'in the text',
  case: 'in the text but for upper and lower case',
  'white-space': 'in the text but for white space',
  punctuation: 'in the text but for punctuation',
  'word-order': 'its words are in the text, but not in this order',
  absent: 'not in the text',
};

function whyUngrounded(text: string, quote: string): string {
  return quote === '' ? 'an empty quote' : WHY[nearQuote(text, quote).kind];
}
