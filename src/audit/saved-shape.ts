import { z } from 'zod';

import { StateMismatch } from '../data/fold-state.ts';

/** Saved data of a shape; data of any other shape is from something else. */
export function parseSaved<T>(shape: z.ZodType<T>, saved: unknown): T {
  const read = shape.safeParse(saved);
  if (read.success) return read.data;
  throw new StateMismatch(z.prettifyError(read.error), { cause: read.error });
}
