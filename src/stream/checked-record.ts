import type { z } from 'zod';

import type { Problems } from '../plugin.ts';
import { schemaProblems } from '../recipe.ts';

/** A record of a file, checked by its schema; if it does not fit, null, and all that is wrong is in `problems`. */
export function checkedRecord<T>(
  schema: z.ZodType<T>,
  value: unknown,
  file: string,
  line: number,
  problems: Problems,
): T | null {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const { path, message, next } of schemaProblems(schema, value, parsed.error, []))
    problems.add({ file, line, field: path.join('.') || undefined, message, next: next ?? undefined });
  return null;
}
