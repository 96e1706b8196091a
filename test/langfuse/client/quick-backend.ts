import { afterEach } from 'vitest';

import type { Backend } from '../../../src/experiment/backend.ts';
import { langfuseBackend, type LangfuseOptions } from '../../../src/langfuse/client/langfuse-backend.ts';
import { recordingLangfuse, type Behaviour, type RecordingLangfuse } from './recording-langfuse.ts';

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

export async function server(behaviour: Behaviour = {}): Promise<RecordingLangfuse> {
  const started = await recordingLangfuse(behaviour);
  open.push(started);
  return started;
}

/** A backend with little patience, so that what fails for good fails soon. Closed after the test. */
export async function quickBackend(
  { environment }: Pick<RecordingLangfuse, 'environment'>,
  { patience, ...options }: LangfuseOptions = {},
): Promise<Backend> {
  const backend = await langfuseBackend({
    environment,
    settleMs: 300,
    patience: { backoffMs: 1, timeoutMs: 2000, attempts: 3, ...patience },
    ...options,
  });
  open.push(backend);
  return backend;
}
