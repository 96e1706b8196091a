import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll } from 'vitest';

import { exampleFile } from '../../../src/cli/examples.ts';
import { buildReport } from '../../../src/report/html/build-report.ts';
import type { Texts } from '../../../src/report/html/report-data.ts';
import { score } from '../../../src/report/score.ts';
import { compareRuns } from '../../../src/compare/compare-runs.ts';
import type { Comparison } from '../../../src/compare/comparison.ts';
import type { RunFigures } from '../../../src/figures/run-figures.ts';
import type { CaseResult, LedgerRecord } from '../../../src/score/ledger.ts';
import { expandLines, type LedgerLine } from '../../../src/score/ledger-reader.ts';
import type { Manifest, Measures } from '../../../src/score/run.ts';
import { assayHere } from '../../cli/assay-here.ts';

/** For what is made before the tests of a file, where machines are shared. */
export const MAKING_MS = 180_000;

export const TASKS = ['pii', 'journal', 'graph', 'stream', 'consult'] as const;
export type Task = (typeof TASKS)[number];

/** A folder for the runs of a file of tests, gone after them. */
export function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-viewer-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Scores the bundled court documents. */
export async function scorePii(out: string, texts: Texts = 'full'): Promise<string> {
  await score('pii/piranha', { cases: exampleFile('pii', 'docs.json') }, { out, texts });
  return out;
}

/** A file of the bundled diary entries. */
export function journalFile(name: string): string {
  return exampleFile('journal', name);
}

/** Scores the bundled diary entries, by the first system unless told. */
export async function scoreJournal(
  out: string,
  predictions = journalFile('predictions.jsonl'),
  texts?: Texts,
): Promise<string> {
  const input = { cases: journalFile('journals.jsonl'), gold: journalFile('gold.jsonl'), predictions };
  await score('journal/ashwam', input, { out, ...(texts === undefined ? {} : { texts }) });
  return out;
}

/** Runs of all bundled examples; returns where each is. */
export async function scoreExamples(out: string): Promise<Readonly<Record<Task, string>>> {
  const { code, stderr } = await assayHere(['demo', '--out', out], { cwd: out });
  if (code !== 0) throw new Error(stderr);
  return {
    pii: join(out, 'pii'),
    journal: join(out, 'journal'),
    graph: join(out, 'graph'),
    stream: join(out, 'stream/V2'),
    consult: join(out, 'consult/guided'),
  };
}

/** Sets runs beside each other in one file, as `assay compare --html` does. */
export async function comparedReport(
  folders: readonly string[],
  file: string,
  { texts = 'full' }: { readonly texts?: Texts } = {},
): Promise<Comparison> {
  const comparison = await compareRuns(folders);
  const place = openSync(file, 'w');
  try {
    await buildReport(folders, { comparison, texts, write: (piece) => void writeSync(place, piece) });
  } finally {
    closeSync(place);
  }
  return comparison;
}

/** Where a browser finds the report of a run, in a state. */
export function linkOf(folder: string, state = ''): string {
  return `${pathToFileURL(folder.endsWith('.html') ? folder : join(folder, 'report.html')).href}${state}`;
}

export function casesOf(folder: string): CaseResult[] {
  const cases: CaseResult[] = JSON.parse(listOf(join(folder, 'cases.jsonl')));
  return cases;
}

/** The verdicts of the recipe's own pairing. */
export function ledgerOf(folder: string): LedgerRecord[] {
  const lines: LedgerLine[] = JSON.parse(listOf(join(folder, 'ledger.jsonl')));
  const { ledger }: Manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const cases = [...Map.groupBy(lines, ({ case: id }) => id).values()];
  return cases.flatMap((own) => expandLines(own, ledger!, folder)).filter(({ scheme }) => scheme === undefined);
}

export function measuresOf(folder: string): Measures {
  const measures: Measures = JSON.parse(readFileSync(join(folder, 'measures.json'), 'utf8'));
  return measures;
}

export function figuresOf(folder: string): RunFigures {
  const figures: RunFigures = JSON.parse(readFileSync(join(folder, 'figures.json'), 'utf8'));
  return figures;
}

/** The lines of a file as one list. */
function listOf(file: string): string {
  return `[${readFileSync(file, 'utf8').trim().split('\n').join(',')}]`;
}
