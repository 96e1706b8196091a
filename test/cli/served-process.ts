import { type ChildProcess, spawn } from 'node:child_process';

import { onTestFinished } from 'vitest';

import { BIN } from './run-assay.ts';

export interface ServedProcess {
  readonly child: ChildProcess;
  /** All that it has printed so far. */
  stdout(): string;
  stderr(): string;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>;
}

/** The real program in a process, until it has printed a whole line; killed when the test ends. */
export async function servedProcess(
  args: readonly string[],
  options: { readonly env?: Record<string, string>; readonly cwd?: string } = {},
): Promise<ServedProcess> {
  const { ASSAY_DATA: _, ...outer } = process.env;
  const child = spawn(process.execPath, [BIN, ...args], {
    ...options,
    env: { ...outer, NO_COLOR: '1', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
  const ended = new Promise<number | null>((resolve) => {
    child.on('exit', resolve);
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (part: Buffer) => {
      stdout += part.toString();
      if (stdout.endsWith('\n')) resolve();
    });
    child.on('exit', () => reject(new Error(`it ended: ${stderr}`)));
  });
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}
