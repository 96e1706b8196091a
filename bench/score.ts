/**
 * How fast scoring is against the least that any program must do with the file: read it and JSON.parse each line.
 * Ratios are taken within one process, the ways of working taking turns, medians of several rounds after a warm-up;
 * peak memory is that of a fresh process. `npm run bench`, or `npm run bench -- 2000` for a smaller corpus.
 */
import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readCases } from '../src/data/read-cases.ts';
import { readLines } from '../src/data/lines.ts';
import { Problems } from '../src/data/problems.ts';
import { fileSource, OpenSource } from '../src/data/source.ts';
import { planRecipe } from '../src/recipe/plan.ts';
import { scoreCases } from '../src/runs/score.ts';
import { scoreToFolder } from '../src/runs/score-to-folder.ts';
import { writeCorpus } from './corpus.ts';

const PRESETS = ['pii/strict', 'pii/piranha', 'pii/every-scheme'];
const ROUNDS = 5;

/** The plain loop: a stream of text, split at line ends, JSON.parse. */
async function plainLoop(file: string): Promise<void> {
  let rest = '';
  let spans = 0;
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) spans += goldSpans(JSON.parse(line));
  }
  if (spans === 0) throw new Error('the corpus is empty');
}

/** The same with Assay's own line reader, which also checks UTF-8 and hashes the file: the harder mark. */
async function ownLoop(file: string): Promise<void> {
  let spans = 0;
  const options = { file, problems: new Problems(), maxBytes: 1 << 26 };
  for await (const batch of readLines(new OpenSource(fileSource(file)).bytes(), options)) {
    for (const record of batch) spans += goldSpans(JSON.parse(record.text));
  }
  if (spans === 0) throw new Error('the corpus is empty');
}

function goldSpans(record: unknown): number {
  return typeof record === 'object' && record !== null && 'gold' in record && Array.isArray(record.gold)
    ? record.gold.length
    : 0;
}

async function score(file: string, preset: string): Promise<void> {
  const plan = await planRecipe(preset);
  await scoreCases(plan, readCases({ cases: fileSource(file) }, plan.data));
}

async function scoreWithFolder(file: string, preset: string, out: string): Promise<void> {
  await scoreToFolder(await planRecipe(preset), { cases: fileSource(file) }, { out });
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

async function speed(file: string, folder: string, documents: number): Promise<void> {
  const ways = new Map<string, () => Promise<void>>([
    ['plain loop: stream, split, JSON.parse', () => plainLoop(file)],
    ["Assay's line reader, JSON.parse", () => ownLoop(file)],
    ...PRESETS.map((preset): [string, () => Promise<void>] => [`score ${preset}`, () => score(file, preset)]),
    ...PRESETS.map((preset): [string, () => Promise<void>] => [
      `score ${preset}, run folder written`,
      () => scoreWithFolder(file, preset, join(folder, 'run')),
    ]),
  ]);
  const times = new Map<string, number[]>();
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, work] of ways) {
      const taken = await seconds(work);
      if (round > 0) times.set(name, [...(times.get(name) ?? []), taken]);
    }
  }
  const median = (name: string): number =>
    times.get(name)?.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
  const plain = median('plain loop: stream, split, JSON.parse');
  const own = median("Assay's line reader, JSON.parse");
  console.log(
    `${'way of working'.padEnd(46)}${'seconds'.padStart(9)}${'docs/s'.padStart(10)}${'x plain'.padStart(9)}${'x own'.padStart(8)}`,
  );
  for (const name of ways.keys()) {
    const taken = median(name);
    console.log(
      `${name.padEnd(46)}${taken.toFixed(3).padStart(9)}${Math.round(documents / taken)
        .toString()
        .padStart(10)}${(taken / plain).toFixed(2).padStart(9)}${(taken / own).toFixed(2).padStart(8)}`,
    );
  }
}

async function memory(file: string, folder: string, documents: number): Promise<void> {
  const taken = await seconds(() => scoreWithFolder(file, 'pii/piranha', join(folder, 'run')));
  const peak = process.resourceUsage().maxRSS / 1024;
  console.log(
    `${String(documents).padStart(7)} documents: peak memory ${peak.toFixed(0)} MiB, ${Math.round(documents / taken)} docs/s from a cold start`,
  );
}

const [mode = '10000', file = '', folder = '', count = ''] = process.argv.slice(2);
if (mode === 'speed') await speed(file, folder, Number(count));
else if (mode === 'memory') await memory(file, folder, Number(count));
else {
  const documents = Number(mode);
  const temporary = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    const again = (what: string, path: string, size: number): void => {
      execFileSync(process.execPath, [import.meta.filename, what, path, temporary, String(size)], { stdio: 'inherit' });
    };
    const [small, large] = [join(temporary, 'small.jsonl'), join(temporary, 'large.jsonl')];
    writeCorpus(small, documents);
    writeCorpus(large, documents * 4);
    console.log(
      `${documents} documents, ${(statSync(small).size / 1e6).toFixed(1)} MB of JSONL, one thread, Node ${process.version}\n`,
    );
    again('speed', small, documents);
    console.log('\npii/piranha with its run folder, each in a fresh process:');
    again('memory', small, documents);
    again('memory', large, documents * 4);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
