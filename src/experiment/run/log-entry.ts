import { z } from 'zod';

import { usageShape } from '../limits/usage.ts';
import { FAILURE_KINDS, passageShape } from '../targets/target.ts';

const failedTry = z.object({
  kind: z.enum(FAILURE_KINDS),
  message: z.string(),
  startedAt: z.string(),
  endedAt: z.string(),
});

const logged = {
  item: z.string(),
  /** From 1. */
  repeat: z.int().min(1),
  usage: usageShape.nullable(),
  cost: z.number().nullable(),
  latencyMs: z.number().nullable(),
  /** What a model said, word for word, where something was made of it. */
  raw: z.string().nullable(),
  attempts: z.int(),
  /** Attempts that failed before this outcome, of earlier calls too; left out where there were none. */
  tries: z.array(failedTry).readonly().optional(),
  /** The answer was there from an earlier call: nothing was paid for it now. */
  cached: z.boolean(),
  startedAt: z.string(),
  endedAt: z.string(),
  /** The task whose measures can read the output; left out where nobody has looked. */
  readableFor: z.string().optional(),
};

const answered = z.object({
  ...logged,
  outcome: z.literal('answered'),
  output: z.unknown(),
  passages: z.array(passageShape).readonly().nullable(),
});
const failed = z.object({
  ...logged,
  outcome: z.literal('failed'),
  kind: z.enum(FAILURE_KINDS),
  message: z.string(),
});

/** What became of one item: a line of log.jsonl. A later line of the same item and repeat takes its place. */
export const logEntrySchema = z.discriminatedUnion('outcome', [answered, failed]);
export type LogEntry = Readonly<z.infer<typeof logEntrySchema>>;
export type AnsweredEntry = Readonly<z.infer<typeof answered>>;
export type FailedEntry = Readonly<z.infer<typeof failed>>;
