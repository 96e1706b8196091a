import { z } from 'zod';

import { type FailedTry, FAILURE_KINDS, type FailureKind, type Passage, passageShape } from '../targets/target.ts';
import { type Usage, usageShape } from '../limits/usage.ts';

interface Logged {
  readonly item: string;
  /** From 1. */
  readonly repeat: number;
  readonly usage: Usage | null;
  readonly cost: number | null;
  readonly latencyMs: number | null;
  /** What a model said, word for word, where something was made of it. */
  readonly raw: string | null;
  readonly attempts: number;
  /** Attempts that failed before this outcome, of earlier calls too; left out where there were none. */
  readonly tries?: readonly FailedTry[] | undefined;
  /** The answer was there from an earlier call: nothing was paid for it now. */
  readonly cached: boolean;
  readonly startedAt: string;
  readonly endedAt: string;
  /** The task whose measures can read the output; left out where nobody has looked. */
  readonly readableFor?: string | undefined;
}

export interface AnsweredEntry extends Logged {
  readonly outcome: 'answered';
  readonly output: unknown;
  readonly passages: readonly Passage[] | null;
}

export interface FailedEntry extends Logged {
  readonly outcome: 'failed';
  readonly kind: FailureKind;
  readonly message: string;
}

/** What became of one item: a line of log.jsonl. A later line of the same item and repeat takes its place. */
export type LogEntry = AnsweredEntry | FailedEntry;

const logged = {
  item: z.string(),
  repeat: z.int().min(1),
  usage: usageShape.nullable(),
  cost: z.number().nullable(),
  latencyMs: z.number().nullable(),
  raw: z.string().nullable(),
  attempts: z.int(),
  tries: z
    .array(z.object({ kind: z.enum(FAILURE_KINDS), message: z.string(), startedAt: z.string(), endedAt: z.string() }))
    .optional(),
  cached: z.boolean(),
  startedAt: z.string(),
  endedAt: z.string(),
  readableFor: z.string().optional(),
};

export const logEntrySchema: z.ZodType<LogEntry> = z.discriminatedUnion('outcome', [
  z.object({
    ...logged,
    outcome: z.literal('answered'),
    output: z.unknown(),
    passages: z.array(passageShape).nullable(),
  }),
  z.object({
    ...logged,
    outcome: z.literal('failed'),
    kind: z.enum(FAILURE_KINDS),
    message: z.string(),
  }),
]);
