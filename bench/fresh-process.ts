import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { isRecord } from '../src/data/record-fields.ts';

export interface Usage {
  /** Processor time of all threads, user and system, in seconds: on a shared machine the better number. */
  readonly cpu: number;
  /** Seconds from the start to the end. */
  readonly wall: number;
  readonly peakMiB: number;
  readonly stdout: string;
}

const METER = join(import.meta.dirname, 'scripts/meter.cjs');

/** Node with these arguments in a fresh process, without the settings of this one. */
export function runNode(args: readonly string[], cwd?: string): Usage {
  return measure(process.execPath, ['--require', METER, ...args], { cwd });
}

/** A Python with packages that the user has installed: a venv, or a folder as `pip install --target` makes. */
export class PythonFolder {
  readonly #folder: string;
  readonly #program: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#program = [join(folder, 'bin/python'), join(folder, 'Scripts/python.exe')].find(existsSync) ?? 'python3';
  }

  has(module: string): boolean {
    const { status } = spawnSync(this.#program, ['-c', `import ${module}`], {
      env: this.#environment(),
      stdio: 'ignore',
    });
    return status === 0;
  }

  run(script: string, ...args: readonly string[]): Usage {
    const path = join(import.meta.dirname, 'python', script);
    return measure(this.#program, ['-B', path, ...args], { env: this.#environment() });
  }

  #environment(): NodeJS.ProcessEnv {
    if (this.#program !== 'python3') return process.env;
    return { ...process.env, PYTHONPATH: [this.#folder, process.env['PYTHONPATH'] ?? ''].join(delimiter) };
  }
}

function measure(
  program: string,
  args: readonly string[],
  { cwd, env = process.env }: { readonly cwd?: string | undefined; readonly env?: NodeJS.ProcessEnv },
): Usage {
  const { NODE_OPTIONS: _, LANGFUSE_PUBLIC_KEY: __, LANGFUSE_SECRET_KEY: ___, ASSAY_DATA: ____, ...rest } = env;
  const started = performance.now();
  const done = spawnSync(program, args, {
    cwd,
    env: rest,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const wall = (performance.now() - started) / 1000;
  if (done.status !== 0)
    throw new Error(
      `${program} ${args.join(' ')} ended with ${done.status ?? done.signal ?? 'nothing'}\n${done.stderr}`,
      {
        cause: done.error,
      },
    );
  const usage: unknown = JSON.parse(done.output[3] ?? '');
  const number = (name: string): number => Number(isRecord(usage) ? usage[name] : NaN);
  return {
    cpu: (number('userCPUTime') + number('systemCPUTime')) / 1e6,
    wall,
    peakMiB: number('maxRSS') / 1024,
    stdout: done.stdout,
  };
}
