import { z } from 'zod';

import type { Answer } from '../../data/format.ts';
import { harmless, shorten } from '../../data/visible.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { BatchFetch } from '../batch/batch-slot.ts';
import { type Usage, usageShape } from '../limits/budget.ts';
import type { Environment } from '../models/access.ts';
import type { ResolvedPrompt } from './prompt.ts';

/** What a target is given: never what is expected of it. */
export interface TargetCase {
  readonly id: string;
  readonly input: unknown;
  readonly metadata: unknown;
  /** Which sampling repeat this is, from 1. */
  readonly repeat: number;
}

/** An item as it is sent to programs and servers. */
export function itemOf({ id, input, metadata, repeat }: TargetCase): TargetCase {
  return { id, input, metadata, repeat };
}

const passageShape = z.object({
  /** Names it for good: a file with the number of the passage in it. */
  id: z.string(),
  text: z.string(),
  score: z.number().nullable(),
  source: z.string().nullable(),
});
export type Passage = Readonly<z.infer<typeof passageShape>>;

export const answerShape = z.object({
  output: z.unknown(),
  usage: usageShape.nullable(),
  /** Of the call that was answered, without waiting; null if it came from a batch. */
  latencyMs: z.number().nullable(),
  passages: z.array(passageShape).readonly().nullable(),
  /** The model output, word for word, if the output was made from it. */
  raw: z.string().nullable(),
});
export type TargetAnswer = Readonly<z.infer<typeof answerShape>>;

export interface Target {
  /** `model`, `http`, `command`, `module`, `recorded`, or the name of a built-in one. */
  readonly kind: string;
  /** Everything that affects its answers, as plain JSON without secrets: hashed for the cache and the signature. */
  readonly identity: Readonly<Record<string, unknown>>;
  readonly model: string | null;
  readonly modelParameters: Readonly<Record<string, string | number>>;
  /** Whether its answers may be kept and used again: code may change behind the same name. */
  readonly cacheable: boolean;
  /** How many items it takes at once, where it knows: further ones would only wait, and their time would run. */
  readonly mostAtOnce?: number;
  /** Names what a provider counts calls for: a hash of provider, model and key. Left out: calls are not counted. */
  readonly rateKey?: string;
  /** What it is sent for an item, as traces show it: plain JSON without secrets. Left out: the item's input. */
  request?(given: TargetCase): unknown;
  /** How it would be asked, for a look before anything is paid for; null where there is nothing to show. */
  preview(given: TargetCase): Promise<string | null>;
  /** Throws TargetError. One attempt: trying again is the runner's. */
  answer(given: TargetCase, signal: AbortSignal): Promise<TargetAnswer>;
  /** A line of the predictions.jsonl that it wants beside outputs.jsonl; absent where it wants none. */
  readonly prediction?: (answer: Answer) => object;
  close(): Promise<void>;
}

export interface TargetContext {
  /** Where relative paths start: the folder of the experiment. */
  readonly folder: string;
  readonly environment: Environment;
  /** The stored prompt that the target asks for; null where it asks for none. */
  readonly prompt: ResolvedPrompt | null;
  /** What scores the outputs, for targets that take from it what they look for; null or absent where nothing does. */
  readonly plan?: Plan | null;
  readonly timeoutMs: number;
  /** Calls of models go into these. */
  readonly batches?: BatchFetch | undefined;
  /** It is looked at and never asked: a module of the user's is not loaded. */
  readonly lookOnly?: boolean;
}

const NO_NUL = /^[^\0]*$/;

export const plainText = z.string().regex(NO_NUL, 'expected text without a NUL character');
export const filePath = plainText.trim().min(1);
export const countSetting = (most: number) => z.int().min(1).max(most);

type Section = z.ZodObject<{ readonly use: z.ZodLiteral<string> }>;

/** A kind of target: the `target` section of an experiment that asks for it, and how it is opened. */
export interface TargetKind {
  readonly schema: Section;
  /** What its prompt is called where only a label or a version is named; absent where it has none. */
  readonly promptName?: string | undefined;
  /** What is wrong with the section is a UsageError or an InputError. */
  open(spec: unknown, context: TargetContext): Promise<Target>;
}

/** A program that needs no closing: what is behind its name may change, so its answers are not kept. */
const PROGRAM = {
  model: null,
  modelParameters: {},
  cacheable: false,
  preview: () => Promise.resolve(null),
  close: () => Promise.resolve(),
};

/** What a kind of target does not give is that of a program. */
type OpenedTarget = Pick<Target, 'identity' | 'answer'> & Partial<Target>;

export function defineTarget<Schema extends Section>(
  schema: Schema,
  open: (spec: z.infer<Schema>, context: TargetContext) => OpenedTarget | Promise<OpenedTarget>,
  promptName?: string,
): TargetKind {
  const kind = schema.shape.use.value;
  return {
    schema,
    promptName,
    async open(spec, context) {
      const opened = await open(schema.parse(spec), context);
      return { kind, ...PROGRAM, ...opened, identity: { kind, ...opened.identity } };
    },
  };
}

/** Why there is no answer. */
export const failureKind = z.enum([
  // A key, an account, a model's name or a setting is refused: no call can succeed.
  'access',
  // Too many calls; `retryAfterMs` is for how long, if the server sent it.
  'rate',
  // These may pass.
  'server',
  'connection',
  'timeout',
  // The server refuses this call.
  'request',
  // Something came back, but no answer.
  'answer',
  // The caller gave up.
  'aborted',
  // An answer came, and is not what was asked for.
  'schema',
  // The user's own command, function or server failed.
  'program',
]);
export type FailureKind = z.infer<typeof failureKind>;

/** What a failure is made of; what is left out is not known. */
export type TargetFailure = Pick<TargetError, 'kind' | 'message'> &
  Partial<Pick<TargetError, 'status' | 'retryAfterMs' | 'usage' | 'latencyMs' | 'raw'>>;

export const failureShape = z.object({ kind: failureKind, message: z.string() });
/** An attempt that failed before another one was made. */
export const triedShape = failureShape.extend({ startedAt: z.string(), endedAt: z.string() });
export type FailedTry = Readonly<z.infer<typeof triedShape>>;

const LONGEST_MESSAGE = 500;
const LONGEST_RAW = 20_000;

/** A call that failed. Its text is short, safe to print, and holds no key: nothing of a server's error stays in it. */
export class TargetError extends Error {
  override readonly name: string = 'TargetError';
  readonly kind: FailureKind;
  /** HTTP status; null where it did not come to one. */
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  /** An unusable answer costs as much as any other. */
  readonly usage: Usage | null;
  readonly latencyMs: number | null;
  readonly raw: string | null;

  constructor(failure: TargetFailure) {
    const { kind, message, status = null, retryAfterMs = null, usage = null, latencyMs = null, raw = null } = failure;
    super(harmless(shorten(message.trim(), LONGEST_MESSAGE)));
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.usage = usage;
    this.latencyMs = latencyMs;
    this.raw = raw === null ? null : shorten(raw, LONGEST_RAW);
  }
}

/** What an HTTP status means for a call. 408: the server grew tired of waiting; 409: a lock that another call holds. */
export function kindOfStatus(status: number): FailureKind {
  if (status === 401 || status === 402 || status === 404) return 'access';
  if (status === 429) return 'rate';
  return status >= 500 || status === 408 || status === 409 ? 'server' : 'request';
}

/** Whether it is of no use to go on calling: the caller gave up, or every further call would be refused as well. */
export function endsTheRun(error: unknown): boolean {
  return error instanceof TargetError && (error.kind === 'access' || error.kind === 'aborted');
}

/** Why a signal ended a call: the time of the item was over, or nobody wants the answer any more. */
export function abortError({ reason }: AbortSignal): TargetError {
  if (reason instanceof TargetError) return reason;
  return reason instanceof Error && reason.name === 'TimeoutError'
    ? new TargetError({ kind: 'timeout', message: 'no answer within the time of an item' })
    : new TargetError({ kind: 'aborted', message: 'the call was given up' });
}
