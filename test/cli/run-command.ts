import type { Command } from 'commander';
import { vi } from 'vitest';

import type { Finished } from './run-assay.ts';

const STREAMS = ['stdout', 'stderr'] as const;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** One command within this process; its errors are thrown. Handlers of signals are put back. */
export async function runCommand(
  make: (end: (code: number) => void) => Command,
  args: readonly string[],
): Promise<Finished> {
  const finished = { code: 0, stdout: '', stderr: '' };
  const handlers = new Map(SIGNALS.map((signal) => [signal, new Set(process.listeners(signal))]));
  const spies = STREAMS.map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => ((finished[name] += String(text)), true)),
  );
  try {
    await make((code) => (finished.code = code))
      .exitOverride()
      .parseAsync([...args], { from: 'user' });
  } finally {
    for (const spy of spies) spy.mockRestore();
    for (const [signal, known] of handlers)
      for (const listener of process.listeners(signal))
        if (!known.has(listener)) process.removeListener(signal, listener);
  }
  return finished;
}
