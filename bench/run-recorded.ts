/**
 * What `assay run` costs where nothing is waited for: 10,000 recorded answers from a file, from the frozen dataset to the
 * scores in the local store, the whole command in a fresh process with its output piped; CPU time of all its threads, the
 * median of three. `node tools/runtime/run.js bench/run-recorded.ts [CHECKOUT …]` measures other checkouts in the same
 * sitting, taking turns.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { assay, type Measured, writeRecorded } from './recorded-items.ts';

const ITEMS = 10_000;
const ROUNDS = 3;
const RUN = [
  'run',
  '--dataset',
  'bench',
  '--answers',
  'answers.jsonl',
  '--recipe',
  'graph/openspec',
  '--name',
  'bench',
];

const others = process.argv.slice(2).map((root) => resolve(root));
const roots = [...others, join(import.meta.dirname, '..')];
const temporary = mkdtempSync(join(tmpdir(), 'assay-bench-'));
try {
  const made = join(temporary, 'made');
  mkdirSync(made);
  writeRecorded(made, ITEMS);
  assay(roots.at(-1)!, made, 'dataset', 'import', 'bench', 'items.jsonl');
  const runs = new Map<string, Measured[]>(roots.map((root) => [root, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [root, measured] of runs) {
      const folder = join(temporary, 'run');
      cpSync(made, folder, { recursive: true });
      measured.push(assay(root, folder, ...RUN));
      rmSync(folder, { recursive: true });
    }
  console.log(`assay run, ${ITEMS} recorded items, median of ${ROUNDS}, Node ${process.version}\n`);
  console.log('  cpu s      s   peak MiB');
  for (const [root, measured] of runs) {
    const { cpuSeconds, seconds, peakMiB } = measured.sort((a, b) => a.cpuSeconds - b.cpuSeconds)[ROUNDS >> 1]!;
    console.log(`${cell(cpuSeconds, 2)}${cell(seconds, 2)}${cell(peakMiB, 0)}      ${root}`);
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

function cell(value: number, digits: number): string {
  return value.toFixed(digits).padStart(7);
}
