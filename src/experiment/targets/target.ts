import { harmless, shorten } from '../../data/visible.ts';
import { MODEL_ERROR_KINDS } from '../models/model-error.ts';

/** What a target is given: never what is expected of it. */
export interface TargetCase {
  readonly id: string;
  readonly input: unknown;
  readonly metadata: unknown;
  /** Which sampling repeat this is, from 1. */
  readonly repeat: number;
}

export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** In the currency of the prices, where the target itself knows it. */
  readonly cost: number | null;
}

/** A passage that was found for the answer. */
export interface Passage {
  /** Names it for good: a file with the number of the passage in it. */
  readonly id: string;
  readonly text: string;
  readonly score: number | null;
  readonly source: string | null;
}

export interface TargetAnswer {
  /** Plain JSON. */
  readonly output: unknown;
  readonly usage: Usage | null;
  /** Of the call that was answered, without waiting. */
  readonly latencyMs: number;
  readonly passages: readonly Passage[] | null;
  /** What a model said, word for word, where the output was made from it. */
  readonly raw: string | null;
}

/** What became of an item: its output, or why there is none. */
export type Outcome =
  | { readonly output: unknown; readonly error?: undefined }
  | { readonly error: string; readonly output?: undefined };

/** What is being evaluated. */
export interface Target {
  /** `model`, `http`, `command`, `module`, `recorded`, or the name of a built-in one. */
  readonly kind: string;
  /** Everything that affects its answers, as plain JSON without secrets: hashed for the cache and the signature. */
  readonly identity: Readonly<Record<string, unknown>>;
  /** Null where it is no model. */
  readonly model: string | null;
  readonly modelParameters: Readonly<Record<string, string | number>>;
  /** Whether its answers may be kept and used again: code may change behind the same name. */
  readonly cacheable: boolean;
  /** How many items it takes at once, where it knows: further ones would only wait, and their time would run. */
  readonly mostAtOnce?: number;
  /** What it is sent for an item, as traces show it: plain JSON without secrets. Left out: the item's input. */
  request?(given: TargetCase): unknown;
  /** How it would be asked, for a look before anything is paid for; null where there is nothing to show. */
  preview(given: TargetCase): Promise<string | null>;
  /** Throws TargetError. One attempt: trying again is the runner's. */
  answer(given: TargetCase, signal: AbortSignal): Promise<TargetAnswer>;
  /** The line for an outcome in a file of predictions beside outputs.jsonl; absent where none is wanted. */
  prediction?(item: Pick<TargetCase, 'id' | 'input'>, outcome: Outcome): object;
  close(): Promise<void>;
}

/**
 * Why there is no answer: a model's reasons, and two more.
 *
 * - `schema`: an answer came, and is not what was asked for
 * - `program`: the user's own command, function or server failed
 */
export const FAILURE_KINDS = [...MODEL_ERROR_KINDS, 'schema', 'program'] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

export interface TargetFailure {
  readonly kind: FailureKind;
  readonly message: string;
  readonly retryAfterMs?: number | null;
  /** An answer that cannot be used was paid for all the same. */
  readonly usage?: Usage | null;
  readonly latencyMs?: number | null;
  readonly raw?: string | null;
}

/** An attempt that failed before another one was made. */
export interface FailedTry {
  readonly kind: FailureKind;
  readonly message: string;
  readonly startedAt: string;
  readonly endedAt: string;
}

const LONGEST_MESSAGE = 500;
const LONGEST_RAW = 20_000;

export class TargetError extends Error {
  readonly kind: FailureKind;
  readonly retryAfterMs: number | null;
  readonly usage: Usage | null;
  readonly latencyMs: number | null;
  readonly raw: string | null;

  constructor({ kind, message, retryAfterMs, usage, latencyMs, raw }: TargetFailure) {
    super(harmless(shorten(message.trim(), LONGEST_MESSAGE)));
    this.name = 'TargetError';
    this.kind = kind;
    this.retryAfterMs = retryAfterMs ?? null;
    this.usage = usage ?? null;
    this.latencyMs = latencyMs ?? null;
    this.raw = raw === undefined || raw === null ? null : shorten(raw, LONGEST_RAW);
  }
}
