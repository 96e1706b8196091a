import { z } from 'zod';

import type { Item } from '../data/item.ts';
import { defineRule } from './rule.ts';
import { onSide, type PrepareStep, sideParam } from './step.ts';

const params = z.strictObject({
  /** Longest gap, in characters of white space or punctuation, over which neighbours become one. */
  gap: z.number().int().min(0).default(1),
  side: sideParam.default('predicted'),
  /** Only these labels; none means all. */
  labels: z.array(z.string()).default([]),
});

const GAP = /^[\s\p{P}]*$/u;

/** Neighbours of one label become one span; its text is the slice of the document, never a concatenation. */
export const merge = defineRule<PrepareStep, z.infer<typeof params>>({
  name: 'merge',
  about: 'neighbours of one label with at most a small gap become one span; the text is the slice',
  params,
  step({ gap, side, labels }) {
    const wanted = labels.length === 0 ? null : new Set(labels);
    return (given) =>
      onSide(given, side, (items) => {
        const text = given.text;
        if (text === null || items.length < 2) return items;
        const order = items.toSorted(byPlace);
        const out: Item[] = [];
        /** The open span of each label: neighbours are looked for within a label, whatever lies between. */
        const open = new Map<string, number>();
        for (const item of order) {
          const at = open.get(item.label);
          const last = at === undefined ? undefined : out[at];
          const joins =
            last !== undefined &&
            item.start >= 0 &&
            last.start >= 0 &&
            item.start - last.end <= gap &&
            (item.start <= last.end || GAP.test(text.slice(last.end, item.start)));
          if (joins && at !== undefined && (wanted === null || wanted.has(item.label))) {
            const end = Math.max(last.end, item.end);
            out[at] = {
              ...last,
              end,
              text: text.slice(last.start, end),
              parts: [...(last.parts ?? [last.index]), item.index],
            };
          } else {
            open.set(item.label, out.length);
            out.push(item);
          }
        }
        return out.length === items.length ? items : out;
      });
  },
});

/** Document order, with a total order among equals so that the input's order never shows. */
function byPlace(a: Item, b: Item): number {
  return a.start - b.start || a.end - b.end || (a.label < b.label ? -1 : a.label > b.label ? 1 : a.index - b.index);
}
