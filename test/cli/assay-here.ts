import { Readable } from 'node:stream';

import { vi } from 'vitest';

import { main } from '../../src/cli/main.ts';
import type { Finished } from './run-assay.ts';

const STREAMS = ['stdout', 'stderr'] as const;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** The program within this process, for tests that call it often, without a terminal. */
export async function assayHere(
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>>; readonly input?: string },
): Promise<Finished> {
  const written = { stdout: '', stderr: '' };
  const spies = STREAMS.map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk: string | Uint8Array) => {
      written[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      return true;
    }),
  );
  const before = { cwd: process.cwd(), env: { ...process.env } };
  const handlers = new Map(SIGNALS.map((signal) => [signal, new Set(process.listeners(signal))]));
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')!;
  try {
    const value = Readable.from([Buffer.from(options.input ?? '')]);
    Object.defineProperty(process, 'stdin', { value, configurable: true });
    // Whatever the output of the tests themselves goes to.
    for (const name of STREAMS) Object.defineProperty(process[name], 'fd', { value: -1, configurable: true });
    process.chdir(options.cwd);
    Object.assign(process.env, { NO_COLOR: '1', ...options.env });
    return { code: await main(args), ...written };
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before.env)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, before.env);
    process.chdir(before.cwd);
    Object.defineProperty(process, 'stdin', stdin);
    STREAMS.forEach((name, at) => Object.defineProperty(process[name], 'fd', { value: at + 1, configurable: true }));
    for (const [signal, known] of handlers)
      for (const listener of process.listeners(signal))
        if (!known.has(listener)) process.removeListener(signal, listener);
    for (const spy of spies) spy.mockRestore();
  }
}
