/**
 * What a queue costs, and how well it keeps a rate, on real Redis and Postgres: `node tools/runtime/run.js bench/queue.ts`,
 * or with the name of one of them behind it. A local model server answers each call after 20 ms and notes when calls came.
 * One process with 8 calls at once is compared with one worker of 8 (the queue's part of a call) and three of 8; then
 * three workers share limits of calls and of tokens a minute. The exit code is 1 if a rate is missed by more than 5 %.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { z } from 'zod';

import { QUEUE_SERVERS, startQueueServer } from '../test/experiment/queue/queue-server.ts';
import { startUnrulyServer } from '../test/experiment/unruly-server.ts';

const BIN = fileURLToPath(new URL('../bin/assay.js', import.meta.url));
const LATENCY_MS = 20;
const CALLS = 2000;
const RATED_CALLS = 400;
const REQUESTS_PER_MINUTE = 1200;
const TOKENS_PER_MINUTE = 480_000;
/** The mark: so far a rate may be off. */
const MOST_OFF = 0.05;

interface Measured {
  /** Calls a second, from the first to the last. */
  readonly rate: number;
  readonly tokensPerMinute: number;
}

/** Runs an experiment of so many items, with so many workers (none: one process), and looks at when calls came. */
async function measure(queue: string | null, workers: number, items: number, limits: string): Promise<Measured> {
  const model = await startUnrulyServer({ latencyMs: [LATENCY_MS, LATENCY_MS] });
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-queue-'));
  const started: ChildProcess[] = [];
  const start = (...args: readonly string[]): ChildProcess => {
    const env = { ...process.env, OPENAI_API_KEY: 'sk-bench', LANGFUSE_PUBLIC_KEY: '', LANGFUSE_SECRET_KEY: '' };
    const child = spawn(process.execPath, [BIN, ...args, '--quiet'], { cwd: folder, env, stdio: 'inherit' });
    started.push(child);
    return child;
  };
  try {
    const lines = Array.from({ length: items }, (_, at) =>
      JSON.stringify({ id: `i${at}`, input: { document_text: `[item i${at}] Ann met Bo.` } }),
    );
    writeFileSync(join(folder, 'items.jsonl'), `${lines.join('\n')}\n`);
    writeFileSync(
      join(folder, 'experiment.yaml'),
      `{ name: bench, dataset: items.jsonl, recipe: none, cache: false, limits: ${limits}, target: { use: graph-extractor, model: openai-compatible/bench, baseUrl: '${model.url}' } }\n`,
    );
    if (queue !== null) for (let at = 0; at < workers; at += 1) start('worker', '--queue', queue);
    const run = start('run', 'experiment.yaml', ...(queue === null ? [] : ['--queue', queue]));
    await once(run, 'exit');
    if (run.exitCode !== 0) throw new Error(`assay run ended with ${String(run.exitCode)}`);
    const { contents } = await model.stats();
    // Without a limit on the rate, the number of calls at once grows from 4 first: that tenth is left out.
    const times = Object.values(contents)
      .flatMap(({ seen }) => seen.map(({ at }) => at))
      .sort((a, b) => a - b)
      .slice(limits.includes('PerMinute') ? 0 : Math.floor(items / 10));
    const seconds = (times.at(-1)! - times[0]!) / 1000;
    const rate = (times.length - 1) / seconds;
    return { rate, tokensPerMinute: rate * 60 * tokensPerCall(folder) };
  } finally {
    for (const child of started) {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const logLine = z.object({ usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }) });

function tokensPerCall(folder: string): number {
  const log = readFileSync(join(folder, 'runs/bench/log.jsonl'), 'utf8').trim().split('\n');
  const lines = log.filter((line) => line.startsWith('{"item"'));
  const usages = lines.map((line) => logLine.parse(JSON.parse(line)).usage);
  return usages.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0) / usages.length;
}

const wanted = process.argv.slice(2);
const kinds = QUEUE_SERVERS.filter((kind) => wanted.length === 0 || wanted.includes(kind));
console.log(`${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}`);
const alone = await measure(null, 0, CALLS, '{ concurrency: 8 }');
const msPerCall = (rate: number): number => 8000 / rate;
const shown = (rate: number): string => `${rate.toFixed(0)} calls/s, ${msPerCall(rate).toFixed(1)} ms each`;
console.log(`one process, 8 at once:      ${shown(alone.rate)}`);
let isMissed = false;
for (const kind of kinds) {
  const server = await startQueueServer(kind);
  try {
    const one = await measure(server.url, 1, CALLS, '{}');
    const overhead = msPerCall(one.rate) - msPerCall(alone.rate);
    console.log(`${kind}, 1 worker of 8:  ${shown(one.rate)}: ${overhead.toFixed(1)} ms more than one process`);
    const three = await measure(server.url, 3, CALLS, '{}');
    console.log(`${kind}, 3 workers of 8: ${three.rate.toFixed(0)} calls/s`);
    const calls = await measure(server.url, 3, RATED_CALLS, `{ requestsPerMinute: ${REQUESTS_PER_MINUTE} }`);
    const tokens = await measure(server.url, 3, RATED_CALLS, `{ tokensPerMinute: ${TOKENS_PER_MINUTE} }`);
    for (const [what, found, limit] of [
      ['calls', calls.rate * 60, REQUESTS_PER_MINUTE],
      ['tokens', tokens.tokensPerMinute, TOKENS_PER_MINUTE],
    ] as const) {
      const off = found / limit - 1;
      if (Math.abs(off) > MOST_OFF) isMissed = true;
      console.log(
        `${kind}, 3 workers: ${found.toFixed(0)} ${what} a minute, limit ${limit}: ${(100 * off).toFixed(1)} % off`,
      );
    }
  } finally {
    await server.close();
  }
}
if (isMissed) process.exitCode = 1;
