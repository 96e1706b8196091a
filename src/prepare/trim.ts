import { z } from 'zod';

import type { Item } from '../data/item.ts';
import { isWhiteSpace } from '../text/characters.ts';
import { defineRule } from './rule.ts';
import { onSide, type PrepareStep, sideParam } from './step.ts';

const params = z.strictObject({ side: sideParam.default('predicted') });

/** Takes white space off both ends of spans: tokenizers that keep a leading space shift every boundary by one. */
export const trim = defineRule<PrepareStep, z.infer<typeof params>>({
  name: 'trim',
  about: 'takes white space off both ends of spans',
  params,
  step:
    ({ side }) =>
    (given) => {
      const { text } = given;
      return text === null ? given : onSide(given, side, (items) => items.map((item) => trimmed(item, text)));
    },
});

/** A span of nothing but white space stays as it is. */
function trimmed(item: Item, text: string): Item {
  if (item.start < 0) return item;
  let { start, end } = item;
  while (start < end && isWhiteSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isWhiteSpace(text.charCodeAt(end - 1))) end -= 1;
  if (start === end || (start === item.start && end === item.end)) return item;
  return { ...item, start, end, text: text.slice(start, end) };
}
