import { z } from 'zod';

const MOST_EVENTS = 200;
const LONGEST_ID = 100;

/** Printable ASCII: an id is made by a program. */
const id = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'an id of printable characters')
  .max(LONGEST_ID);
const name = z.string().max(LONGEST_ID);

/** What its texts and places may be `cellFault` checks. */
const itemAnswer = z.strictObject({
  id: z.string(),
  start: z.number(),
  end: z.number(),
  text: z.string(),
  label: z.string().nullable(),
  note: z.string().exactOptional(),
  kind: z.string().exactOptional(),
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
