/**
 * How long an experiment takes that has nobody to wait for: recorded answers through `assay run`, from the frozen dataset
 * to the scores in the local store, each run in a fresh process with its progress piped. On a disk, since every answer is
 * synced to it: that is part of what is measured. Peak memory is what the process itself reports when it ends.
 * `node --conditions=assay-source bench/experiment.ts`, or with other numbers of items behind it.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { isRecord } from '../src/data/record-fields.ts';

const SIZES = [1000, 10_000, 40_000];
/** The marks: ten thousand items in so many seconds, and how much more memory four times as many may take. */
const MARK = { items: 10_000, seconds: 20 };
const MOST_GROWTH = 1.5;
const ASSAY = join(import.meta.dirname, '../bin/assay.js');

const NAMES = [
  'Ada Quell',
  'Bora Lind',
  'Cem Aydin',
  'Dita Voss',
  'Egon Falk',
  'Fiona Reyes',
  'Goran Petrov',
  'Hana Ito',
];
const PLACES = ['Porto Alba', 'Norrvik', 'Tall Mesa', 'Lac Bleu', 'Osterau'];
const TYPES = ['lives_in', 'works_for', 'married_to', 'visited'];
const FILLER =
  'It rained all morning, the ferry was late again and nobody at the harbour could say when it would leave. ';

interface Measured {
  readonly items: number;
  readonly seconds: number;
  /** Of all its threads, in user and system mode: on a shared machine the better number. */
  readonly cpuSeconds: number;
  readonly peakMiB: number;
}

/** A document of about 1 KB with six entities and five relationships, of which the answer gets most. */
function itemAt(number: number): { readonly item: object; readonly answer: object } {
  const id = `i${String(number).padStart(6, '0')}`;
  const people = [0, 1, 2, 3].map((at) => NAMES[(number * 3 + at * (1 + (number % 2))) % NAMES.length]!);
  const places = [0, 1].map((at) => PLACES[(number + at) % PLACES.length]!);
  const entities = [
    ...people.map((name) => ({ name, type: 'Person' })),
    ...places.map((name) => ({ name, type: 'Place' })),
  ];
  const relationships = [0, 1, 2, 3, 4].map((at) => ({
    source_name: people[at % people.length]!,
    target_name: at < 2 ? places[at]! : people[(at + 1) % people.length]!,
    relationship_type: TYPES[(number + at) % TYPES.length]!,
  }));
  const told = relationships.map((one) => `${one.source_name} ${one.relationship_type} ${one.target_name}. `).join('');
  const found = entities.filter((_, at) => (number + at) % 7 !== 0);
  return {
    item: {
      id,
      input: { document_text: `Report ${number}. ${told}${FILLER.repeat(7)}` },
      expectedOutput: { entities, relationships },
      metadata: { difficulty: number % 3 },
    },
    answer: {
      id,
      output: {
        entities: found.map((one, at) => ({ temp_id: `e${at}`, ...one })),
        relationships: relationships
          .filter((_, at) => (number + at) % 5 !== 0)
          .map((one) => ({ source_ref: one.source_name, target_ref: one.target_name, type: one.relationship_type })),
      },
      usage: { inputTokens: 260, outputTokens: 120, cost: null },
    },
  };
}

function writeLines(file: string, count: number, lineOf: (number: number) => object): void {
  const descriptor = openSync(file, 'w');
  for (let number = 0; number < count; number += 1) writeSync(descriptor, `${JSON.stringify(lineOf(number))}\n`);
  closeSync(descriptor);
}

/** A fresh process of the command line; what it says of itself is written aside when it ends. */
function assay(folder: string, ...args: readonly string[]): Omit<Measured, 'items'> {
  const file = join(folder, 'usage.json');
  const report = `import { writeFileSync } from 'node:fs';
    process.on('exit', () => writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.resourceUsage())));`;
  const started = performance.now();
  const { status, signal, error, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(report)}`, ASSAY, ...args],
    { cwd: folder, encoding: 'utf8', env: environment(), maxBuffer: 1 << 28 },
  );
  const seconds = (performance.now() - started) / 1000;
  if (status !== 0)
    throw new Error(`assay ${args.join(' ')} ended with ${status ?? signal ?? 'nothing'}\n${stdout}${stderr}`, {
      cause: error,
    });
  const { maxRSS, userCPUTime, systemCPUTime } = usageIn(file);
  return { seconds, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakMiB: maxRSS / 1024 };
}

function usageIn(file: string): Record<'maxRSS' | 'userCPUTime' | 'systemCPUTime', number> {
  const usage: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const number = (name: string): number => Number(isRecord(usage) ? usage[name] : NaN);
  return {
    maxRSS: number('maxRSS'),
    userCPUTime: number('userCPUTime'),
    systemCPUTime: number('systemCPUTime'),
  };
}

/** The local store, whatever is set here. */
function environment(): NodeJS.ProcessEnv {
  const { LANGFUSE_PUBLIC_KEY: _, LANGFUSE_SECRET_KEY: __, ASSAY_DATA: ___, ...rest } = process.env;
  return rest;
}

function measure(temporary: string, items: number): { readonly imported: Measured; readonly run: Measured } {
  const folder = join(temporary, String(items));
  mkdirSync(folder);
  writeLines(join(folder, 'items.jsonl'), items, (number) => itemAt(number).item);
  writeLines(join(folder, 'answers.jsonl'), items, (number) => itemAt(number).answer);
  writeFileSync(
    join(folder, 'experiment.yaml'),
    'name: bench\ndataset: bench\ntarget: { use: recorded, answers: answers.jsonl }\nrecipe: graph/openspec\n',
  );
  const imported = { items, ...assay(folder, 'dataset', 'import', 'bench', 'items.jsonl') };
  const run = { items, ...assay(folder, 'run', 'experiment.yaml') };
  rmSync(folder, { recursive: true });
  return { imported, run };
}

function line(name: string, { items, seconds, cpuSeconds, peakMiB }: Measured): void {
  const cells = [
    items,
    seconds.toFixed(2),
    cpuSeconds.toFixed(2),
    Math.round(items / seconds),
    `${peakMiB.toFixed(0)} MiB`,
  ];
  console.log(name.padEnd(34) + cells.map((cell) => String(cell).padStart(11)).join(''));
}

function kept(mark: string, isKept: boolean): void {
  console.log(`\n${mark}: ${isKept ? 'kept' : 'MISSED'}`);
  if (!isKept) process.exitCode = 1;
}

const asked = process.argv.slice(2).map(Number);
const temporary = mkdtempSync(join(tmpdir(), 'assay-bench-'));
try {
  console.log(`recorded answers, a fresh process each, Node ${process.version}\n`);
  console.log(`${'command'.padEnd(34)}      items    seconds        cpu    items/s       peak`);
  const runs: Measured[] = [];
  for (const items of asked.length > 0 ? asked : SIZES) {
    const { imported, run } = measure(temporary, items);
    line('assay dataset import', imported);
    line('assay run, scored with intervals', run);
    runs.push(run);
  }
  const marked = runs.find(({ items }) => items === MARK.items);
  if (marked !== undefined) kept(`${MARK.items} items take less than ${MARK.seconds} s`, marked.seconds < MARK.seconds);
  const largest = runs.at(-1)!;
  if (marked !== undefined && largest.items > marked.items)
    kept(
      `${largest.items} items take at most ${MOST_GROWTH} times the memory of ${marked.items}`,
      largest.peakMiB / marked.peakMiB <= MOST_GROWTH,
    );
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
