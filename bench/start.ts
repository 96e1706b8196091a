/**
 * What a start costs: processor time of a command and of `import 'assay'` against an empty script, medians of 9, in a packed
 * install and in the checkout. `node tools/runtime/run.js bench/start.ts`; the exit code is 1 if a mark is missed.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { writeCorpus } from './corpus.ts';
import { packedInstall } from './packed-install.ts';

const ROOT = resolve(import.meta.dirname, '..');
const ROUNDS = 9;
/** Prints the processor time of the process when it ends, so that what it starts with and its end count as well. */
const METER = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  require('node:fs').writeSync(3, String((user + system) / 1000));
});`;

interface Start {
  readonly name: string;
  /** Arguments of node. */
  readonly args: readonly string[];
  /** How many times an empty script it may cost. */
  readonly mark: number;
}

const folder = mkdtempSync(join(tmpdir(), 'assay-start-'));
const packed = packedInstall();
try {
  const meter = write('meter.cjs', METER);
  const empty = write('empty.mjs', '');
  const source = write(
    'source.mjs',
    `await import(${JSON.stringify(pathToFileURL(join(ROOT, 'src/index.ts')).href)});`,
  );
  const library = join(packed.folder, 'library.mjs');
  writeFileSync(library, "await import('assay');");
  const bin = join(ROOT, 'bin/assay.js');
  writeCorpus(join(folder, 'cases.jsonl'), 1);
  const score = ['score', 'pii/strict', '--cases', join(folder, 'cases.jsonl')];
  const starts: readonly Start[] = [
    { name: 'packed: assay --version', args: [packed.bin, '--version'], mark: 3 },
    { name: 'packed: assay --help', args: [packed.bin, '--help'], mark: 3 },
    { name: "packed: import 'assay'", args: [library], mark: 4 },
    { name: 'packed: assay score, one document', args: [packed.bin, ...score], mark: 8.5 },
    { name: 'packed: the same with --out', args: [packed.bin, ...score, '--out', join(folder, 'run')], mark: 12.5 },
    { name: 'checkout: assay --version', args: [bin, '--version'], mark: 6 },
    { name: 'checkout: assay --help', args: [bin, '--help'], mark: 6 },
    { name: 'checkout: import src/index.ts', args: [source], mark: 8 },
  ];
  const times = new Map<string, number[]>();
  // The first round fills caches and does not count. Rounds are mixed, so that a busy minute is everybody's.
  for (let turn = 0; turn <= ROUNDS; turn++)
    for (const { name, args } of [{ name: 'an empty script', args: [empty] }, ...starts]) {
      const taken = measure(['--require', meter, ...args]);
      if (turn > 0) times.set(name, [...(times.get(name) ?? []), taken]);
    }
  const base = median(times.get('an empty script') ?? []);
  const results = starts.map(({ name, mark }) => {
    const ms = median(times.get(name) ?? []);
    return { name, ms: round(ms), ratio: round(ms / base), mark, met: ms / base <= mark };
  });
  console.log(JSON.stringify({ node: process.version, rounds: ROUNDS, emptyMs: round(base), results }));
  console.table(results);
  if (results.some(({ met }) => !met)) process.exitCode = 1;
} finally {
  packed.remove();
  rmSync(folder, { recursive: true, force: true });
}

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Milliseconds of processor time, user and system. */
function measure(args: readonly string[]): number {
  const done = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${args.join(' ')} ended with ${String(done.status)}\n${done.stderr}`);
  return Number(done.output[3]);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
