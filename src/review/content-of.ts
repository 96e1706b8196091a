import { z } from 'zod';

import { damaged } from '../store/cells.ts';
import type { ReviewItemRecord } from '../store/review-records.ts';
import type { ReviewContent } from './content.ts';

const text = z.string();

const proposed = z.object({
  id: text,
  start: z.number(),
  end: z.number(),
  text,
  kind: text.nullable(),
  facts: z.record(text, text),
  passages: z.array(text),
});

/** Names all that leaves the server: whatever else may have got into an item's content stays behind. */
const content = z.object({
  title: text,
  language: text.nullable(),
  blocks: z.array(z.object({ name: text, title: text, text })),
  under: text.nullable(),
  proposed: z.record(text, z.array(proposed)),
  passages: z.array(z.object({ id: text, source: text.nullable(), text })),
});

export function contentOf(item: ReviewItemRecord): ReviewContent {
  const result = content.safeParse(item.content);
  return result.success ? result.data : damaged('content');
}
