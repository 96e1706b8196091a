import { z } from 'zod';

import { joinRuns } from './join-items.ts';
import { defineRule } from './rule.ts';
import { onSide, type PrepareStep } from './step.ts';

const params = z.strictObject({
  labels: z.array(z.string()),
  /** Merged when the current one's end is at least the next one's start less this. */
  slack: z.number().int().default(1),
});

/**
 * Merging as a published program did it: in the order of the input, compared only with the one directly before, whatever
 * its label, the end taken from the next even where that is earlier, and the text a concatenation. Kept to reproduce
 * published figures.
 */
export const mergeInOrder = defineRule<PrepareStep, z.infer<typeof params>>({
  name: 'merge-in-order',
  about: 'reproduces a published program: merges in input order, text concatenated; prefer merge',
  params,
  readsOrder: true,
  step({ labels, slack }) {
    const wanted = new Set(labels);
    return (given) =>
      onSide(given, 'predicted', (items) =>
        joinRuns(items, (last, item) => wanted.has(item.label) && last.end >= item.start - slack),
      );
  },
});
