import type { z } from 'zod';

import { InputError, type Problems, textLines } from '../plugin.ts';
import { schemaProblems } from '../recipe.ts';

/** What a file is whose first record is of a type. */
const FILES = { trace_meta: 'a trace', run_meta: 'a run log', manifest_meta: 'a manifest' } as const;

/**
 * The records of a text of JSON lines, which begins with one of type `own`; a line that is not JSON is a problem. One
 * kind of file given for another is one mistake, not one for each of its records.
 */
export function* recordLines(
  text: string,
  file: string,
  own: keyof typeof FILES,
  problems: Problems,
): Generator<{ readonly value: unknown; readonly line: number }> {
  const first = /^\s*\{[^\n]{0,100000}?"record_type"\s*:\s*"([a-z_]{1,40})"/.exec(text)?.[1];
  const [, other] = Object.entries(FILES).find(([type]) => type === first && type !== own) ?? [];
  if (other !== undefined)
    throw new InputError([{ file, line: 1, message: `this is ${other}, expected ${FILES[own]}` }]);
  for (const { text: written, line } of textLines(text)) {
    let value: unknown;
    try {
      value = JSON.parse(written);
    } catch {
      problems.add({ file, line, message: 'not JSON' });
      continue;
    }
    yield { value, line };
  }
}

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
