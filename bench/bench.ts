/**
 * Whole commands of a packed install, each in a fresh process, against plain scripts that do the least with the same files.
 * `npm run bench -- --help` lists the options; the exit code is 1 if a mark is missed.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { PythonFolder } from './fresh-process.ts';
import type { Findings } from './in-turns.ts';
import { measureExperiments, measureGates, measureSweep } from './other-commands.ts';
import { packedInstall } from './packed-install.ts';
import { measureGraphs, measureNames, measureWideDocument } from './pairing-commands.ts';
import { findingsText, writePage } from './performance-page.ts';
import { compareWorkers, measureGrowth, measureScores, measureStarts } from './score-commands.ts';

export interface BenchSetting {
  /** The command of the packed install. */
  readonly bin: string;
  /** The folder of the packed install. */
  readonly install: string;
  /** A folder for files, in memory if possible: the speed of a disk is not what is measured. */
  readonly folder: string;
  readonly documents: number;
  readonly rounds: number;
  readonly python: PythonFolder | null;
}

const PARTS: Readonly<Record<string, (setting: BenchSetting) => Findings | Promise<Findings>>> = {
  start: measureStarts,
  score: measureScores,
  growth: measureGrowth,
  workers: compareWorkers,
  wide: measureWideDocument,
  names: measureNames,
  graph: measureGraphs,
  sweep: measureSweep,
  gates: measureGates,
  experiment: measureExperiments,
};

const HELP = `npm run bench -- [options]

  --only NAME      part to run: ${Object.keys(PARTS).join(', ')}; repeatable
  --documents N    documents of the corpus (default: 10000); growth takes 4 and 16 times as many
  --rounds N       rounds, of which medians are taken (default: 5)
  --python FOLDER  venv or folder with nervaluate, seqeval or rapidfuzz, for the rows that compare with them
  --json FILE      file to write the results to; - is standard output
  --write-docs     put the tables into docs/performance.md
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: Object.keys(PARTS) },
    documents: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    python: { type: 'string' },
    json: { type: 'string' },
    'write-docs': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) console.log(HELP);
else await bench();

async function bench(): Promise<void> {
  const unknown = values.only.find((name) => !Object.hasOwn(PARTS, name));
  if (unknown !== undefined) throw new Error(`--only ${unknown}: expected one of ${Object.keys(PARTS).join(', ')}`);
  const print = values.json === '-' ? console.error : console.log;
  const [documents, rounds] = [wholeNumber('documents'), wholeNumber('rounds')];
  const python = values.python === undefined ? null : new PythonFolder(values.python);
  const machine = `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}`;
  const setup = `${documents.toLocaleString('en')} documents, medians of ${rounds}, ${machine}`;
  print(setup);
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'assay-bench-'));
  const packed = packedInstall();
  const results: Record<string, Findings> = {};
  try {
    for (const name of values.only) {
      const part = join(folder, name);
      mkdirSync(part);
      const findings = await PARTS[name]!({
        bin: packed.bin,
        install: packed.folder,
        folder: part,
        documents,
        rounds,
        python,
      });
      rmSync(part, { recursive: true });
      results[name] = findings;
      print(`\n${name}\n\n${findingsText(findings)}`);
    }
  } finally {
    packed.remove();
    rmSync(folder, { recursive: true, force: true });
  }
  const json = `${JSON.stringify({ node: process.version, machine, documents, rounds, results }, null, 2)}\n`;
  if (values.json === '-') process.stdout.write(json);
  else if (values.json !== undefined) writeFileSync(values.json, json);
  if (values['write-docs']) writePage(results, setup);
  if (Object.values(results).some(({ marks }) => marks.some(({ met }) => met === false))) process.exitCode = 1;
}

function wholeNumber(name: 'documents' | 'rounds'): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name} ${values[name]}: expected a whole number above 0`);
}
