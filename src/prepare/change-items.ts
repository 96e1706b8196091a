import { z } from 'zod';

import { REJECTED_BY_SYSTEM } from '../data/case.ts';
import { type EndPlace, type Item, itemAt } from '../data/item.ts';
import { repairMojibake } from '../text/mojibake.ts';
import { haveSamePieces, trimmedPlace } from '../text/pieces.ts';
import { findQuote, type NearQuote, nearQuote } from '../text/quote.ts';
import { onSide, prepareRule, setAsideWhere, sideParam } from './step.ts';

/** Translates labels of one scheme into another; labels that the map does not name stay as they are. */
export const relabel = prepareRule({
  name: 'relabel',
  about: 'translates labels of one scheme into another; others stay as they are',
  params: z.strictObject({
    map: z.record(z.string(), z.string()).default({}).describe('label to label'),
    side: sideParam.default('predicted'),
    mojibake: z.enum(['keep', 'repair']).default('keep').describe('whether broken UTF-8 in labels is fixed first'),
  }),
  step({ map, side, mojibake }) {
    const to = new Map(Object.entries(map));
    const labelOf = (label: string): string => {
      const repaired = mojibake === 'repair' ? repairMojibake(label) : label;
      return to.get(repaired) ?? repaired;
    };
    const relabelled = (original: Item): Item => {
      const item = changedEnds(original, (end) => ({ ...end, label: labelOf(end.label) }));
      const label = labelOf(item.label);
      if (label === item.label) return item;
      // The text of a class is its name, and is what is compared.
      return { ...item, label, text: item.kind === 'class' ? label : item.text, was: item.label };
    };
    return (given) => onSide(given, side, (items) => items.map(relabelled));
  },
});

/** Takes white space off both ends of spans: tokenizers that keep a leading space shift every boundary by one. */
export const trim = prepareRule({
  name: 'trim',
  about: 'takes white space off both ends of spans',
  params: z.strictObject({ side: sideParam.default('predicted') }),
  step:
    ({ side }) =>
    (given) => {
      const { text } = given;
      return text === null ? given : onSide(given, side, (items) => items.map((item) => trimmed(item, text)));
    },
});

/** A relationship whose ends change as their entities do: its references may have been resolved before. */
function changedEnds(item: Item, change: (end: EndPlace) => EndPlace): Item {
  if (item.ends === undefined) return item;
  const { source, target } = item.ends;
  return { ...item, ends: { source: source && change(source), target: target && change(target) } };
}

/** A span of nothing but white space stays as it is. */
function trimmed(original: Item, text: string): Item {
  const item = changedEnds(original, ({ label, ...end }) => ({ ...(trimmedPlace(text, end) ?? end), label }));
  if (item.start < 0) return item;
  const place = trimmedPlace(text, item);
  return place === null || haveSamePieces(item, place) ? item : itemAt(item, place, text);
}

/**
 * Looks each quote up in the text: a non-empty verbatim substring is grounded and gets its place.
 * `flag` counts an ungrounded prediction as usual and lists it, `drop` takes it out of the predictions, `uncertain`
 * sets its polarity.
 */
export const ground = prepareRule({
  name: 'ground',
  about: 'finds each quote in the text',
  params: z.strictObject({
    ungrounded: z
      .enum(['flag', 'drop', 'uncertain'])
      .default('flag')
      .describe('what happens to a prediction whose quote is not in the text'),
    field: z.string().default('polarity').describe('with uncertain: the field that is changed'),
    value: z.string().default('uncertain').describe('with uncertain: what it becomes'),
  }),
  // Without it nobody knows which quotes are in the text; what then becomes of the others is a separate rule.
  needed: { ungrounded: 'flag' },
  step:
    ({ ungrounded, field, value }, rule) =>
    (given) => {
      const { text } = given;
      if (text === null) return given;
      const locate = (item: Item, weakened: boolean): Item => {
        const place = findQuote(text, item.text);
        if (place !== null) return { ...item, start: place.start, end: place.end, grounded: true };
        const fields = weakened ? { ...item.fields, [field]: value } : item.fields;
        return { ...item, grounded: false, ungrounded: whyUngrounded(text, item.text), fields };
      };
      // What the system took out itself is looked up too: what a model quotes is judged by all that it gave.
      const setAside = given.setAside.map((one) =>
        one.rule === REJECTED_BY_SYSTEM ? { ...one, item: locate(one.item, false) } : one,
      );
      const located = onSide({ ...given, setAside }, 'both', (items, side) =>
        items.map((item) => locate(item, side === 'predicted' && ungrounded === 'uncertain')),
      );
      if (ungrounded !== 'drop') return located;
      return setAsideWhere(located, 'predicted', rule, (item) =>
        item.grounded === false ? 'its quote is not in the text' : null,
      );
    },
});

const WHY: Readonly<Record<NearQuote, string>> = {
  verbatim: 'in the text',
  case: 'in the text but for upper and lower case',
  'white-space': 'in the text but for white space',
  punctuation: 'in the text but for punctuation',
  'word-order': 'its words are in the text, but not in this order',
  absent: 'not in the text',
};

function whyUngrounded(text: string, quote: string): string {
  return quote === '' ? 'an empty quote' : WHY[nearQuote(text, quote)];
}
