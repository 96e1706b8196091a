/**
 * How fast scoring is against the least that any program must do with the file: read it and JSON.parse each line.
 * Ratios are taken within one process per recipe, the ways of working taking turns, medians of several rounds after a
 * warm-up; peak memory is that of a fresh process. `npm run bench`, or `npm run bench -- 2000` for a smaller corpus.
 */
import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readCases } from '../src/data/read-cases.ts';
import { readLines } from '../src/data/lines.ts';
import { Problems } from '../src/data/problems.ts';
import { fileSource, OpenSource } from '../src/data/source.ts';
import { planRecipe } from '../src/recipe/plan.ts';
import { scoreCases } from '../src/score/score.ts';
import { scoreToFolder } from '../src/score/score-to-folder.ts';
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

/** Intervals are left out where scoring itself is timed: they cost the same however long the documents are. */
const WITHOUT_INTERVALS = ['interval=off'];

async function score(file: string, preset: string, set: readonly string[]): Promise<void> {
  const plan = await planRecipe(preset, set);
  await scoreCases(plan, readCases({ cases: fileSource(file) }, plan.data));
}

async function scoreWithFolder(file: string, preset: string, set: readonly string[], out: string): Promise<void> {
  await scoreToFolder(await planRecipe(preset, set), { cases: fileSource(file) }, { out });
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

/** One recipe a process, as in real use: an engine that has seen many shapes of work runs each of them slower. */
async function speed(file: string, folder: string, documents: number, preset: string): Promise<void> {
  const ways: readonly (readonly [string, () => Promise<void>])[] = [
    ['plain loop: stream, split, JSON.parse', () => plainLoop(file)],
    ["Assay's line reader, JSON.parse", () => ownLoop(file)],
    [`score ${preset}`, () => score(file, preset, WITHOUT_INTERVALS)],
    [
      `score ${preset}, run folder written`,
      () => scoreWithFolder(file, preset, WITHOUT_INTERVALS, join(folder, 'run')),
    ],
    [`score ${preset}, with intervals`, () => score(file, preset, [])],
  ];
  const times = ways.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [at, [, work]] of ways.entries()) {
      // Intervals take so long that one round is as good as many.
      if (at === ways.length - 1 && round < ROUNDS) continue;
      const taken = await seconds(work);
      if (round > 0) times[at]!.push(taken);
    }
  }
  const medians = times.map((own) => own.toSorted((a, b) => a - b)[Math.floor(own.length / 2)]!);
  for (const [at, [name]] of ways.entries()) {
    const taken = medians[at]!;
    const cells = [
      taken.toFixed(3),
      Math.round(documents / taken),
      (taken / medians[0]!).toFixed(2),
      (taken / medians[1]!).toFixed(2),
    ];
    console.log(name.padEnd(46) + cells.map((cell, column) => String(cell).padStart([9, 10, 9, 8][column]!)).join(''));
  }
  console.log('');
}

async function memory(file: string, folder: string, documents: number, set: readonly string[]): Promise<void> {
  const taken = await seconds(() => scoreWithFolder(file, 'pii/piranha', set, join(folder, 'run')));
  const peak = process.resourceUsage().maxRSS / 1024;
  const intervals = set.length === 0 ? ', with intervals' : '';
  console.log(
    `${String(documents).padStart(7)} documents${intervals}: peak memory ${peak.toFixed(0)} MiB, ${Math.round(documents / taken)} docs/s from a cold start`,
  );
}

const [mode = '10000', file = '', folder = '', count = '', more = ''] = process.argv.slice(2);
if (mode === 'speed') await speed(file, folder, Number(count), more);
else if (mode === 'memory') await memory(file, folder, Number(count), more === '' ? WITHOUT_INTERVALS : []);
else {
  const documents = Number(mode);
  // In memory where that can be had: how fast a disk takes 70 MB is not what is measured.
  const temporary = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'assay-bench-'));
  try {
    const again = (what: string, path: string, size: number, extra = ''): void => {
      const args = [import.meta.filename, what, path, temporary, String(size), extra];
      execFileSync(process.execPath, args, { stdio: 'inherit' });
    };
    const [small, large] = [join(temporary, 'small.jsonl'), join(temporary, 'large.jsonl')];
    writeCorpus(small, documents);
    writeCorpus(large, documents * 4);
    console.log(
      `${documents} documents, ${(statSync(small).size / 1e6).toFixed(1)} MB of JSONL, one thread, Node ${process.version}\n`,
    );
    console.log(`${'way of working'.padEnd(46)}  seconds    docs/s  x plain   x own`);
    for (const recipe of PRESETS) again('speed', small, documents, recipe);
    console.log('pii/piranha with its run folder, each in a fresh process:');
    again('memory', small, documents);
    again('memory', large, documents * 4);
    again('memory', small, documents, 'intervals');
    again('memory', large, documents * 4, 'intervals');
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
