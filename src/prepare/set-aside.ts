import { z } from 'zod';

import { confidenceOf } from '../data/confidence.ts';
import { type Item, type ItemKind, PAIRED_KINDS, type Side } from '../data/item.ts';
import { normalise } from '../text/normalise.ts';
import { itemKey, normaliserName, prepareRule, setAsideWhere, sideParam } from './step.ts';

/** Of items that are equal in place, label and text, the first stays; the others are excused. */
export const dedupe = prepareRule({
  name: 'dedupe',
  about: 'of equal items (place, label, text) the first stays, the others are excused',
  params: z.strictObject({
    side: sideParam.default('gold'),
    normalise: z
      .array(normaliserName)
      .optional()
      .describe('steps after which labels, texts and ends are compared (default: as written)'),
  }),
  readsOrder: true,
  step:
    ({ side, normalise: steps = [] }, rule) =>
    (given) => {
      const plain = (text: string): string => normalise(text, steps);
      const seen: Record<Side, Map<string, number>> = { gold: new Map(), predicted: new Map() };
      return setAsideWhere(given, side, rule, (item, own) => {
        const key = itemKey(item, plain);
        const first = seen[own].get(key);
        if (first === undefined) seen[own].set(key, item.index);
        return first === undefined ? null : `equal to item ${first}`;
      });
    },
});

/** Items of some labels or kinds, or with some value in a field, leave before pairing; the ledger keeps them as excused. */
export const drop = prepareRule({
  name: 'drop',
  about: 'items of these labels or kinds, or with these values of a field, leave before pairing',
  params: z.strictObject({
    labels: z.array(z.string()).default([]).describe('labels of items that leave'),
    field: z.string().nullable().default(null).describe('instead of labels, or in addition: a field of the item'),
    values: z.array(z.string()).default([]).describe('values of the field with which items leave'),
    kinds: z
      .array(z.enum(PAIRED_KINDS))
      .optional()
      .describe('instead of labels, or in addition: kinds of items that leave as a whole'),
    group: z.string().optional().describe('field of items that belong together: they leave only if all of them would'),
    side: sideParam.default('both'),
    because: z.string().default('left out by the recipe').describe('reason, for the ledger'),
  }),
  step({ labels, field, values, kinds = [], group, side, because }, rule) {
    const [out, unwanted, ofKinds] = [new Set(labels), new Set(values), new Set<ItemKind>(kinds)];
    const leaves = (item: Item): boolean =>
      out.has(item.label) || ofKinds.has(item.kind) || (field !== null && unwanted.has(String(item.fields[field])));
    const groupOf = (item: Item, own: Side): string | null =>
      group === undefined || item.fields[group] === undefined
        ? null
        : JSON.stringify([own, item.annotator, item.fields[group]]);
    return (given) => {
      const groupsOf = (own: Side) => given[own].filter((item) => !leaves(item)).map((item) => groupOf(item, own));
      const staying = new Set(group === undefined ? [] : [...groupsOf('gold'), ...groupsOf('predicted')]);
      return setAsideWhere(given, side, rule, (item, own) => {
        if (!leaves(item)) return null;
        const name = groupOf(item, own);
        return name === null || !staying.has(name) ? because : null;
      });
    };
  },
});

/** Predictions the system itself was not sure of leave before pairing. */
export const minConfidence = prepareRule({
  name: 'min-confidence',
  about: 'predictions whose confidence is below the minimum leave before pairing',
  params: z.strictObject({
    field: z.string().default('confidence').describe('field with the number'),
    min: z.number().default(0.5).describe('lowest number that stays'),
    missing: z.enum(['keep', 'drop']).default('keep').describe('what happens to a prediction without the number'),
  }),
  step:
    ({ field, min, missing }, rule) =>
    (given) =>
      setAsideWhere(given, 'predicted', rule, (item) => {
        const value = confidenceOf(item.fields[field]);
        if (value === null) return missing === 'drop' ? `it gives no ${field}` : null;
        return value < min ? `${field} ${value} < ${min}` : null;
      }),
});

/**
 * If gold of a kind has one of these labels, the question has no right answer: gold and whatever was predicted of that
 * kind both leave, so that a hit on such a label is no more credited than a miss is held against the system.
 */
export const leaveOutGold = prepareRule({
  name: 'leave-out-gold',
  about: 'where gold has one of these labels, both sides leave: neither a hit nor a miss counts',
  params: z.strictObject({
    kind: z.string().describe('kind of item'),
    labels: z.array(z.string()).min(1).describe('gold labels with which both sides leave'),
    because: z.string().default('gold is no answer that could be right or wrong').describe('reason, for the ledger'),
  }),
  step:
    ({ kind, labels, because }, rule) =>
    (given) => {
      const unasked = given.gold.find((item) => item.kind === kind && labels.includes(item.label));
      if (unasked === undefined) return given;
      // The reason given with the label.
      const said = unasked.fields['because'];
      const reason = typeof said === 'string' ? said : `${because}: ${unasked.label}`;
      return setAsideWhere(given, 'both', rule, (item) => (item.kind === kind ? reason : null));
    },
});
