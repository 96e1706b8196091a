import { z } from 'zod';

import type { Environment } from '../models/access.ts';
import { FAILURE_KINDS, type TargetFailure } from './target.ts';

/** What the thread of a module is started with. */
export interface ModuleStart {
  readonly href: string;
  /** Of the export that is called. */
  readonly name: string;
  readonly environment: Environment;
}

/** To the thread. Items go by number: repeats of one share its id. */
export type ToModule =
  | { readonly kind: 'ask'; readonly number: number; readonly text: string }
  | { readonly kind: 'abort'; readonly number: number; readonly failure: TargetFailure };

const number = z.int();
const amount = z.number().nullable().catch(null);
/** Made by the user's code: what is odd about it is no reason to lose it. */
const failure = z.object({
  kind: z.enum(FAILURE_KINDS).catch('program'),
  message: z.string(),
  retryAfterMs: amount,
  usage: z.object({ inputTokens: amount, outputTokens: amount, cost: amount }).nullable().catch(null),
  latencyMs: amount,
  raw: z.string().nullable().catch(null),
});

/**
 * From the thread; anything else the module has sent itself, for reasons of its own.
 *
 * - `stuck`: nothing is left to do, and the module is still being loaded
 * - `words`: it has printed something
 * - `heard`: an abort has arrived, so that the thread is not caught in a loop
 */
export const fromModule = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('stuck') }),
  z.object({ kind: z.literal('missing') }),
  z.object({ kind: z.literal('broken'), message: z.string() }),
  z.object({ kind: z.literal('words'), text: z.string() }),
  z.object({ kind: z.literal('heard'), number }),
  z.object({ kind: z.literal('answer'), number, text: z.string() }),
  z.object({ kind: z.literal('failure'), number, failure }),
]);

export type FromModule = Readonly<z.infer<typeof fromModule>>;
