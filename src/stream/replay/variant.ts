import { z } from 'zod';

import { SUMMARY_FIELDS, type SummaryLimits } from '../run-log-records.ts';
import { SUMMARY_LIMITS } from './summary-answer.ts';
import type { GatePolicy } from './token-gate.ts';

type Trigger =
  | { readonly kind: 'gate'; readonly gate: GatePolicy }
  | { readonly kind: 'turn-end'; readonly timestamp: 'last-delta' | 'boundary' }
  | { readonly kind: 'fixed-ctu'; readonly chunkCtu: number }
  | { readonly kind: 'fixed-time'; readonly intervalMs: number };

/** One variant of the middleware: what triggers it, whether it asks before it summarises, and how much it remembers. */
export interface Variant {
  readonly id: string;
  readonly name: string;
  readonly policy: string;
  readonly trigger: Trigger;
  /** Null: what is triggered is summarised at once. */
  readonly bufferAgent: { readonly novelty: boolean } | null;
  /** False: nothing is summarised, only the gate's flushes are logged. */
  readonly summarizer: boolean;
  /** Whether what the gate holds at the end of the trace is summarised; else it stays as an unsummarised tail. */
  readonly summarizeTail: boolean;
  readonly historyK: number;
  readonly limits: SummaryLimits;
}

const enabled = z.boolean().default(true);

const tokenGate = z.strictObject({
  enabled,
  min_words: z.int().min(1).default(60).meta({ description: 'words between white space' }),
  max_words: z.int().min(1).default(100),
  silence_timer: z.number().positive().default(1).meta({ description: 'seconds' }),
  max_wait_timeout: z.number().positive().default(4).meta({ description: 'seconds' }),
  max_wait: z
    .enum(['every-buffer', 'first-buffer-only'])
    .default('every-buffer')
    .meta({ description: 'first-buffer-only: the wait starts once for an agent, as in the published logs' }),
});

/** A variant as its YAML file has it. Further keys, such as notes and roles, are ignored. */
export const variantFile = z.looseObject({
  variant_id: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/)
    .meta({ description: 'names the folder of its run logs' }),
  name: z.string().default(''),
  trigger_policy: z.string().default(''),
  components: z.strictObject({
    token_gate: tokenGate.prefault({}),
    buffer_agent: z.strictObject({ enabled, novelty_check: z.boolean().default(true) }).prefault({}),
    summarizer: z.strictObject({ enabled }).prefault({}),
  }),
  turn_trigger: z
    .looseObject({
      enabled: z.boolean().default(false),
      timestamp: z.enum(['last-delta', 'boundary']).default('last-delta'),
    })
    .prefault({}),
  fixed_trigger: z
    .looseObject({
      enabled: z.boolean().default(false),
      chunk_size_ctu: z.int().min(1).nullable().default(null),
      interval_seconds: z
        .number()
        .min(0.001)
        .nullable()
        .exactOptional()
        .meta({ description: 'instead of a chunk size: intervals since the first delta of the trace' }),
    })
    .prefault({}),
  summarizer: z
    .looseObject({
      history_k: z.int().min(0).max(100).default(3),
      max_characters: z
        .partialRecord(z.enum(SUMMARY_FIELDS), z.int().min(1))
        .exactOptional()
        .meta({ description: 'caps of fields, if they are not the default ones' }),
    })
    .prefault({}),
  summarize_tail: z
    .boolean()
    .exactOptional()
    .meta({ description: 'whether the rest at the end of the trace is summarised; without a buffer agent it is' }),
});
export type VariantFile = z.infer<typeof variantFile>;

/** The chunk that the 40 published cases gave, for a variant that names none. */
export const PUBLISHED_CHUNK_CTU = 126;

/** Settings that can be named alone, as `--set maxWait=first-buffer-only`. */
export const SHORT_SETTINGS: Readonly<Record<string, string>> = {
  minWords: 'components.token_gate.min_words',
  maxWords: 'components.token_gate.max_words',
  silence: 'components.token_gate.silence_timer',
  maxWaitSeconds: 'components.token_gate.max_wait_timeout',
  maxWait: 'components.token_gate.max_wait',
  novelty: 'components.buffer_agent.novelty_check',
  historyK: 'summarizer.history_k',
  chunkCtu: 'fixed_trigger.chunk_size_ctu',
  intervalSeconds: 'fixed_trigger.interval_seconds',
  turnTimestamp: 'turn_trigger.timestamp',
  summarizeTail: 'summarize_tail',
};

export function readVariantFile(file: VariantFile): Variant {
  const { buffer_agent: agent, summarizer } = file.components;
  return {
    id: file.variant_id,
    name: file.name,
    policy: file.trigger_policy,
    trigger: triggerOf(file),
    bufferAgent: agent.enabled ? { novelty: agent.novelty_check } : null,
    summarizer: summarizer.enabled,
    summarizeTail: file.summarize_tail ?? !agent.enabled,
    historyK: file.summarizer.history_k,
    limits: { ...SUMMARY_LIMITS, ...file.summarizer.max_characters },
  };
}

function triggerOf({ components, turn_trigger: turn, fixed_trigger: fixed }: VariantFile): Trigger {
  const gate = components.token_gate;
  if (turn.enabled) return { kind: 'turn-end', timestamp: turn.timestamp };
  if (fixed.enabled && fixed.interval_seconds != null)
    return { kind: 'fixed-time', intervalMs: Math.round(fixed.interval_seconds * 1000) };
  if (fixed.enabled) return { kind: 'fixed-ctu', chunkCtu: fixed.chunk_size_ctu ?? PUBLISHED_CHUNK_CTU };
  return {
    kind: 'gate',
    gate: {
      minWords: gate.min_words,
      maxWords: gate.max_words,
      silenceMs: gate.silence_timer * 1000,
      maxWaitMs: gate.max_wait_timeout * 1000,
      maxWait: gate.max_wait,
    },
  };
}
