import { main } from '../../src/cli/main.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * A command in this process, several times quicker than in one of its own; its exit code. For commands that are told to be
 * quiet: what they print would be printed here. Handlers of signals are put back.
 */
export async function runHere(args: readonly string[]): Promise<number> {
  const before = new Map(SIGNALS.map((signal) => [signal, new Set(process.listeners(signal))]));
  try {
    return await main(args);
  } finally {
    for (const [signal, known] of before)
      for (const listener of process.listeners(signal))
        if (!known.has(listener)) process.removeListener(signal, listener);
  }
}
