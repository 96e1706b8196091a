import { z } from 'zod';

import type { Passage, Usage } from './target.ts';

/** Parts of an answer as files keep them. */
export const usageShape: z.ZodType<Usage> = z.object({
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  cost: z.number().nullable(),
});

export const passageShape: z.ZodType<Passage> = z.object({
  id: z.string(),
  text: z.string(),
  score: z.number().nullable(),
  source: z.string().nullable(),
});
