/**
 * How long an experiment takes that has nobody to wait for: recorded answers through `assay run`, from the frozen dataset
 * to the scores in the local store, each run in a fresh process with its progress piped. On a disk, since every answer is
 * synced to it: that is part of what is measured. Peak memory is what the process itself reports when it ends.
 * `node --conditions=assay-source bench/experiment.ts`, or with other numbers of items behind it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { assay, type Measured, writeRecorded } from './recorded-items.ts';

const SIZES = [1000, 10_000, 40_000];
/** The marks: ten thousand items in so many seconds, and how much more memory four times as many may take. */
const MARK = { items: 10_000, seconds: 20 };
const MOST_GROWTH = 1.5;
const ROOT = join(import.meta.dirname, '..');

interface MeasuredItems extends Measured {
  readonly items: number;
}

function measure(temporary: string, items: number): { readonly imported: MeasuredItems; readonly run: MeasuredItems } {
  const folder = join(temporary, String(items));
  mkdirSync(folder);
  writeRecorded(folder, items);
  writeFileSync(
    join(folder, 'experiment.yaml'),
    'name: bench\ndataset: bench\ntarget: { use: recorded, answers: answers.jsonl }\nrecipe: graph/openspec\n',
  );
  const imported = { items, ...assay(ROOT, folder, 'dataset', 'import', 'bench', 'items.jsonl') };
  const run = { items, ...assay(ROOT, folder, 'run', 'experiment.yaml') };
  rmSync(folder, { recursive: true });
  return { imported, run };
}

function line(name: string, { items, seconds, cpuSeconds, peakMiB }: MeasuredItems): void {
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
  const runs: MeasuredItems[] = [];
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
