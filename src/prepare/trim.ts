import { z } from 'zod';

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
    (given) =>
      onSide(given, side, (items) =>
        items.map((item) => {
          if (item.start < 0 || given.text === null) return item;
          const front = item.text.length - item.text.trimStart().length;
          const back = item.text.length - item.text.trimEnd().length;
          if ((front === 0 && back === 0) || front === item.text.length) return item;
          return { ...item, start: item.start + front, end: item.end - back, text: item.text.trim() };
        }),
      ),
});
