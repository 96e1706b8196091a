import { harmless, shorten } from '../../data/visible.ts';

/**
 * Why a model gave no answer.
 *
 * - `access`: the key, the account, the model's name or a setting is refused; no call can succeed
 * - `rate`: too many calls; `retryAfterMs` says for how long, where the provider did
 * - `server`, `connection`, `timeout`: what may pass
 * - `request`: the provider refuses this call
 * - `answer`: something came back, but no answer
 * - `aborted`: the caller gave up
 */
export const MODEL_ERROR_KINDS = [
  'access',
  'rate',
  'server',
  'connection',
  'timeout',
  'request',
  'answer',
  'aborted',
] as const;
export type ModelErrorKind = (typeof MODEL_ERROR_KINDS)[number];

export interface ModelFailure {
  readonly kind: ModelErrorKind;
  readonly message: string;
  /** HTTP status; null where it did not come to one. */
  readonly status?: number | null;
  readonly retryAfterMs?: number | null;
  /** Where an answer came that cannot be used: it was paid for all the same. */
  readonly spent?: Spent | null;
}

export interface Spent {
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly latencyMs: number;
}

const LONGEST_MESSAGE = 500;

/** A call that failed. Its text is short, safe to print, and holds no key: nothing of the provider's error stays in it. */
export class ModelError extends Error {
  readonly kind: ModelErrorKind;
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  readonly spent: Spent | null;

  constructor({ kind, message, status = null, retryAfterMs = null, spent = null }: ModelFailure) {
    super(harmless(shorten(message.trim(), LONGEST_MESSAGE)));
    this.name = 'ModelError';
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.spent = spent;
  }
}

/** Whether it is of no use to go on calling: the caller gave up, or every further call would be refused as well. */
export function endsTheRun(error: unknown): boolean {
  return error instanceof ModelError && (error.kind === 'access' || error.kind === 'aborted');
}
