import type { Context } from 'hono';
import { z } from 'zod';

import { problemsOf } from '../langfuse/route.ts';
import { readJson } from '../request-body.ts';
import { ReviewRefusal } from './review-refusal.ts';

export const MOST_EVENTS = 200;
const LONGEST_ID = 100;

/** Printable ASCII: an id is made by a program. */
const id = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'an id of printable characters')
  .max(LONGEST_ID);
const name = z.string().max(LONGEST_ID);

/** What its texts and places may be is for `cellFault` to say. */
const itemAnswer = z.strictObject({
  id: z.string(),
  start: z.number(),
  end: z.number(),
  text: z.string(),
  label: z.string().nullable(),
  note: z.string().exactOptional(),
  from: z.array(z.string()),
});

const value = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(itemAnswer)]);

export const saveRequest = z.strictObject({
  events: z
    .array(z.strictObject({ id, field: name, part: z.string().max(LONGEST_ID).nullable(), value }))
    .min(1)
    .max(MOST_EVENTS),
});

export const commitRequest = z.strictObject({ id });

export const decideRequest = z.strictObject({ id, value, because: z.string().max(10_000) });

/** The JSON of a request, as its schema wants it. */
export async function bodyOf<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
  limit: number,
): Promise<z.output<Schema>> {
  const body = await readJson(context.req.raw, limit);
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw new ReviewRefusal(400, `The request is not as expected: ${problemsOf(schema, body, result.error)}`, {
    next: 'Load the page again: the app and the server may be of different versions.',
    // What was sent may be an answer.
    reason: 'the body is not as expected',
  });
}
