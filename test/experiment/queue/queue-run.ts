import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, onTestFinished } from 'vitest';

import { BIN } from '../../cli/run-assay.ts';

const KEY = 'sk-queue-key-0123456789';

export const itemIds = (items: number): string[] =>
  Array.from({ length: items }, (_, at) => `i${String(at).padStart(3, '0')}`);

/** Gone when the test ends. */
export function temporary(folder: string): string {
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder with items and an experiment over them. */
export function experimentFolder(items: number, target: string, more = ''): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-queue-'));
  const lines = itemIds(items).map((id) =>
    JSON.stringify({
      id,
      input: { document_text: `[item ${id}] Ann met Bo.` },
      expected_output: { entities: [{ name: 'Ann', type: 'Person' }], relationships: [] },
    }),
  );
  writeFileSync(join(folder, 'items.jsonl'), `${lines.join('\n')}\n`);
  const text = `name: queued\ndataset: items.jsonl\nrecipe: graph/openspec\ntarget: ${target}\n${more}`;
  writeFileSync(join(folder, 'experiment.yaml'), text);
  return folder;
}

export interface Process {
  readonly child: ChildProcess;
  readonly ended: Promise<number | string>;
  text(): string;
}

/** The real program, with a key and without Langfuse; the caller ends it. */
function spawnProgram(folder: string, args: readonly string[], env: Record<string, string> = {}): Process {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: folder,
    env: {
      ...process.env,
      OPENAI_API_KEY: KEY,
      LANGFUSE_PUBLIC_KEY: '',
      LANGFUSE_SECRET_KEY: '',
      NO_COLOR: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = once(child, 'exit').then(([code, signal]: unknown[]) => (code ?? signal) as number | string);
  return { child, ended, text: () => text };
}

const started = new Set<ChildProcess>();
/** Nothing of a test goes on after it, also if it failed. */
afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  started.clear();
});

function untilTestEnds(program: Process): Process {
  started.add(program.child);
  return program;
}

export const startRun = (folder: string, queue: string | null, ...more: readonly string[]): Process =>
  untilTestEnds(
    spawnProgram(folder, ['run', 'experiment.yaml', ...(queue === null ? [] : ['--queue', queue]), ...more]),
  );

export const startWorker = (folder: string, queue: string, ...more: readonly string[]): Process =>
  untilTestEnds(spawnWorker(folder, queue, more));

export const startKeylessWorker = (folder: string, queue: string): Process =>
  untilTestEnds(spawnWorker(folder, queue, [], { OPENAI_API_KEY: '' }));

function spawnWorker(
  folder: string,
  queue: string,
  more: readonly string[],
  env: Record<string, string> = {},
): Process {
  const lost = more.includes('--lost-after') ? [] : ['--lost-after', '4s'];
  return spawnProgram(folder, ['worker', '--queue', queue, '--concurrency', '4', ...lost, ...more], env);
}

export interface SteadyWorker {
  /** The process that works at the moment. */
  child(): ChildProcess;
  stop(): Promise<void>;
}

/** Starts a worker again whenever it is killed, as a cluster does, until it is stopped. */
export function keepWorking(folder: string, queue: string, ...more: readonly string[]): SteadyWorker {
  let worker = spawnWorker(folder, queue, more);
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
    worker.child.kill('SIGKILL');
  });
  const watching = (async () => {
    for (;;) {
      await worker.ended;
      if (isOver) return;
      worker = spawnWorker(folder, queue, more);
    }
  })();
  return {
    child: () => worker.child,
    async stop() {
      isOver = true;
      worker.child.kill('SIGTERM');
      await watching;
    },
  };
}

/** Waits until so many items have an outcome: in the log of the run, or also in what workers wrote. */
export async function answered(folder: string, count: number, logs = logsOf): Promise<void> {
  for (;;) {
    const run = join(folder, 'runs/queued');
    const lines = new Set(
      logs(run).flatMap((name) =>
        [...readFileSync(join(run, name), 'utf8').matchAll(/^\{"item":"([^"]+)"/gm)].map(([, id]) => id),
      ),
    );
    if (lines.size >= count) return;
    await sleep(50);
  }
}

export function logsOf(run: string): string[] {
  try {
    return readdirSync(run).filter((name) => /^log.*\.jsonl$/.test(name));
  } catch {
    return [];
  }
}

/** What a run leaves that does not depend on when it was made, byte for byte. */
export function bytesOf(folder: string): Record<string, string> {
  const run = join(folder, 'runs/queued');
  const score = readdirSync(join(run, 'score')).filter((name) => name !== 'timing.json');
  const files = ['dataset.jsonl', 'items.jsonl', 'outputs.jsonl', ...score.map((name) => `score/${name}`)];
  return Object.fromEntries(files.toSorted().map((name) => [name, readFileSync(join(run, name), 'latin1')]));
}
