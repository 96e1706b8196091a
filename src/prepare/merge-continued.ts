import { z } from 'zod';

import { joinRuns } from './join-items.ts';
import { defineRule } from './rule.ts';
import { onSide, type PrepareStep } from './step.ts';

const params = z.strictObject({
  gap: z.number().int().default(1),
  /** A next text that begins with one of these goes on with the one before. */
  starts: z.array(z.string()).default([' ', '.', ',', '-']),
});

/**
 * Sorted by start, same-label neighbours become one when the next text is empty, begins in lower case or with a mark
 * of the list. The text is a concatenation, as in the published program this reproduces.
 */
export const mergeContinued = defineRule<PrepareStep, z.infer<typeof params>>({
  name: 'merge-continued',
  about: 'reproduces a published program: joins a neighbour whose text looks like a continuation; prefer merge',
  params,
  readsOrder: true,
  step({ gap, starts }) {
    return (given) =>
      onSide(given, 'predicted', (items) =>
        joinRuns(
          items.toSorted((a, b) => a.start - b.start),
          (last, item) => item.start - last.end <= gap && continues(item.text, starts),
        ),
      );
  },
});

function continues(text: string, starts: readonly string[]): boolean {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0);
  return text === '' || starts.includes(first) || (first === first.toLowerCase() && first !== first.toUpperCase());
}
