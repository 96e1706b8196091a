import { onTestFinished } from 'vitest';

import { openTarget, targetSchema } from '../../../src/experiment/targets/target-kinds.ts';
import {
  type Target,
  type TargetAnswer,
  type TargetCase,
  type TargetContext,
  TargetError,
} from '../../../src/experiment/targets/target.ts';
import { modelServer, type ModelServer, type Respond } from '../models/model-server.ts';

export const KEY = 'sk-test-0123456789abcdef';

/** A target as an experiment in `folder` would have it; closed when the test is over. */
export async function openHere(
  spec: Readonly<Record<string, unknown>>,
  context: Partial<TargetContext> = {},
): Promise<Target> {
  const target = await openTarget(targetSchema.parse(spec), {
    folder: process.cwd(),
    environment: {},
    prompt: null,
    timeoutMs: 20_000,
    ...context,
  });
  onTestFinished(() => target.close());
  return target;
}

/** A target that asks a model, which answers with these responses. */
export async function openWithModel(
  responses: readonly Respond[],
  spec: Readonly<Record<string, unknown>>,
  context: Partial<TargetContext> = {},
): Promise<{ readonly target: Target; readonly server: ModelServer }> {
  const server = await modelServer(...responses);
  onTestFinished(() => server.close());
  const environment = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${server.url}/v1` };
  const target = await openHere({ model: 'openai-compatible/test-model', ...spec }, { environment, ...context });
  return { target, server };
}

export function item(input: unknown, id = 'i1', repeat = 1): TargetCase {
  return { id, input, metadata: null, repeat };
}

export function ask(
  target: Target,
  given: TargetCase,
  signal: AbortSignal = new AbortController().signal,
): Promise<TargetAnswer> {
  return target.answer(given, signal);
}

/** What went wrong, which has to be a failure of the item and nothing else. */
export async function failure(answer: Promise<unknown>): Promise<TargetError> {
  const error: unknown = await answer.then(
    () => new Error('there was an answer'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof TargetError) return error;
  throw error instanceof Error ? error : new Error(String(error));
}

/** The texts that a request sent to the model, by role. */
export function sentTo(server: ModelServer, at = 0): { readonly role: string; readonly content: string }[] {
  return server.requests[at]!.body['messages'] as { role: string; content: string }[];
}
