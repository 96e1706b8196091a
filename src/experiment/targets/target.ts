import { z } from 'zod';

import { harmless, shorten } from '../../data/visible.ts';
import type { Usage } from '../limits/usage.ts';

/** What a target is given: never what is expected of it. */
export interface TargetCase {
  readonly id: string;
  readonly input: unknown;
  readonly metadata: unknown;
  /** Which sampling repeat this is, from 1. */
  readonly repeat: number;
}

/** A passage that was found for the answer. */
export const passageShape = z.object({
  /** Names it for good: a file with the number of the passage in it. */
  id: z.string(),
  text: z.string(),
  score: z.number().nullable(),
  source: z.string().nullable(),
});
export type Passage = Readonly<z.infer<typeof passageShape>>;

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
 * Why there is no answer.
 *
 * - `access`: the key, the account, the model's name or a setting is refused; no call can succeed
 * - `rate`: too many calls; `retryAfterMs` says for how long, where the server did
 * - `server`, `connection`, `timeout`: what may pass
 * - `request`: the server refuses this call
 * - `answer`: something came back, but no answer
 * - `aborted`: the caller gave up
 * - `schema`: an answer came, and is not what was asked for
 * - `program`: the user's own command, function or server failed
 */
export const FAILURE_KINDS = [
  'access',
  'rate',
  'server',
  'connection',
  'timeout',
  'request',
  'answer',
  'aborted',
  'schema',
  'program',
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

export interface TargetFailure {
  readonly kind: FailureKind;
  readonly message: string;
  /** HTTP status; null where it did not come to one. */
  readonly status?: number | null;
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

/** A call that failed. Its text is short, safe to print, and holds no key: nothing of a server's error stays in it. */
export class TargetError extends Error {
  readonly kind: FailureKind;
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  readonly usage: Usage | null;
  readonly latencyMs: number | null;
  readonly raw: string | null;

  constructor({ kind, message, status, retryAfterMs, usage, latencyMs, raw }: TargetFailure) {
    super(harmless(shorten(message.trim(), LONGEST_MESSAGE)));
    this.name = 'TargetError';
    this.kind = kind;
    this.status = status ?? null;
    this.retryAfterMs = retryAfterMs ?? null;
    this.usage = usage ?? null;
    this.latencyMs = latencyMs ?? null;
    this.raw = raw === undefined || raw === null ? null : shorten(raw, LONGEST_RAW);
  }
}

/** Whether it is of no use to go on calling: the caller gave up, or every further call would be refused as well. */
export function endsTheRun(error: unknown): boolean {
  return error instanceof TargetError && (error.kind === 'access' || error.kind === 'aborted');
}

/** Why a signal ended a call: the time of the item was over, or nobody wants the answer any more. */
export function givenUp({ reason }: AbortSignal): TargetError {
  if (reason instanceof TargetError) return reason;
  return reason instanceof Error && reason.name === 'TimeoutError'
    ? new TargetError({ kind: 'timeout', message: 'no answer within the time of an item' })
    : new TargetError({ kind: 'aborted', message: 'the call was given up' });
}
