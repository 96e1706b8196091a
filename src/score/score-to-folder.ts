import { hostname } from 'node:os';
import { basename } from 'node:path';

import type { Case } from '../data/case.ts';
import type { Foldable } from '../data/fold-state.ts';
import { noNotices } from '../data/item-check.ts';
import type { CaseReader, CaseSources } from '../data/read-cases.ts';
import { caseReader } from '../formats/case-formats.ts';
import type { CaseResult, MeasureValue } from '../measure/tally.ts';
import type { Plan } from '../recipe/plan.ts';
import { type LedgerFormat, type LedgerSink, openLedger } from './ledger-format.ts';
import { ledgerLayout } from './ledger-writer.ts';
import { gitCommit, type GitCommit } from './git-commit.ts';
import { ABOUT_FILE, expectNaming, namingOf, type RunAbout, type RunNaming } from './run-about.ts';
import { type Manifest, type Run, RUN_FORMAT } from './run.ts';
import { type RunFiles, RunWriter } from './run-writer.ts';
import { joinSinks, scoreCases, type ScoredCase, type ScoreResult, type ScoreSink } from './score.ts';
import { VERSION } from './version.ts';

/** Files, cases at hand, or cases that come from elsewhere with what is known of their files. */
export type CaseInput = CaseSources | CaseReader | Iterable<Case> | AsyncIterable<Case>;

/** Watches a run being scored and adds its own files to the folder. */
export interface RunWatch {
  readonly sink: ScoreSink;
  /** What it has gathered of the cases so far; absent where that cannot be handed on. */
  readonly state?: Foldable;
  /** Once all cases are scored and the run is known. */
  finish(run: Run): Promise<void>;
}

/** `naming` is what the run will be called: reports begin with it. */
export type OpenRunWatch = (plan: Plan, files: RunFiles, naming?: RunNaming) => Promise<RunWatch>;

export interface RunOptions extends RunNaming {
  /** The `--set` lines, shown in the manifest. */
  readonly set?: readonly string[];
  /** Told of every case. */
  readonly sink?: ScoreSink;
  /** Further figures of the run, asked for once all cases are scored. */
  readonly alsoMeasured?: () => Promise<readonly MeasureValue[]>;
  /** Who gave the predictions, where that is known: model and prompt, as a part of the signature. */
  readonly madeBy?: string;
}

export interface FolderOptions extends RunOptions {
  readonly out: string;
  /** How the ledger is written: `jsonl` unless told otherwise, compressed (`gzip`, `zstd`) or as a table (`parquet`). */
  readonly ledger?: LedgerFormat;
  /** Watches the run and adds its own files: the reports, the audit, what figures are drawn from. */
  readonly watch?: OpenRunWatch;
  /** Further files made from the finished run, by name: outputs that other tools expect. */
  readonly files?: Readonly<Record<string, (run: Run) => string>>;
  /** Further JSON lines, one per case, by file name: outputs that other tools expect. */
  readonly caseRecords?: Readonly<Record<string, (result: CaseResult, given: Case) => unknown>>;
  /** Of what is scored, if it is known; otherwise that of the current folder is looked up. */
  readonly commit?: GitCommit;
  /** False: no timing.json, for tasks whose every output is the same on any day. */
  readonly timing?: boolean;
  /** Told of the writer, so that an interrupt can clear away what is half done. */
  readonly onOpen?: (writer: Pick<RunWriter, 'abandon'>) => void;
}

/** Scores cases and keeps what a report needs, writing nothing. */
export async function scoreToRun(plan: Plan, input: CaseInput, options: RunOptions = {}): Promise<Run> {
  const reader = readerOf(input, plan);
  const result = await scoreCases(plan, reader, options.sink);
  return await runOf(plan, reader, result, { ...options, folder: '', outputs: {} });
}

/** Scores cases into a run folder: all of it, or nothing. */
export async function scoreToFolder(plan: Plan, input: CaseInput, options: FolderOptions): Promise<Run> {
  const reader = readerOf(input, plan);
  return writeRun(plan, options, async ({ sink }) => ({ result: await scoreCases(plan, reader, sink), files: reader }));
}

/** A run folder in the making: what cases are added to. */
export interface OpenRun {
  readonly writer: RunWriter;
  readonly ledger: LedgerSink;
  readonly watch: RunWatch | null;
  /** To be told of every case. */
  readonly sink: ScoreSink;
}

/** What is known of the files that the cases came from. */
export type ScoredFiles = Pick<CaseReader, 'files' | 'notices'>;

/** Opens a run folder, lets `fill` add to it, and ends it; with a fault nothing is left of it. */
export async function writeFolder<T>(
  plan: Plan,
  options: Omit<FolderOptions, 'files'>,
  fill: (open: OpenRun) => Promise<T>,
): Promise<T> {
  const { sink = {}, caseRecords = {} } = options;
  const naming = expectNaming(options);
  const writer = new RunWriter(options.out, options.onOpen);
  try {
    const watch = (await options.watch?.(plan, writer, naming === null ? {} : namingOf(naming))) ?? null;
    const ledger = await openLedger(writer, ledgerLayout(plan), options.ledger ?? 'jsonl');
    const lines: ScoreSink = { scored: (scored) => writeCase(writer, ledger, scored, caseRecords) };
    const all = joinSinks([lines, sink, watch?.sink ?? {}]);
    const filled = await fill({ writer, ledger, watch, sink: all });
    if (naming !== null) writer.write(ABOUT_FILE, `${JSON.stringify(naming, null, 2)}\n`);
    writer.finish();
    return filled;
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

/** Writes a run: what `fill` adds to it, and then all that comes of it. */
export async function writeRun(
  plan: Plan,
  options: FolderOptions,
  fill: (open: OpenRun) => Promise<{ readonly result: ScoreResult; readonly files: ScoredFiles }>,
): Promise<Run> {
  const started = Date.now();
  // Asked for while cases are scored.
  const asked = options.timing === false ? null : (options.commit ?? gitCommit());
  const { out: folder, caseRecords = {}, files: made = {} } = options;
  return writeFolder(plan, options, async (open) => {
    const { writer, ledger, watch } = open;
    const { result, files } = await fill(open);
    ledger.end();
    const written = [ledger.file, 'cases.jsonl', ...Object.keys(caseRecords)];
    const outputs = Object.fromEntries(written.map((file) => [file, { rows: writer.rows(file) }]));
    const run = await runOf(plan, files, result, { ...options, folder, outputs });
    writer.write('measures.json', measuresJson(run));
    for (const [file, make] of Object.entries(made)) writer.write(file, make(run));
    await watch?.finish(run);
    const manifest = { ...run.manifest, files: writer.files() };
    writer.write('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`);
    if (asked === null) return { ...run, manifest };
    const commit = await asked;
    writer.write('timing.json', timingJson(started, files, commit));
    const about: RunAbout = { ...(run.about ?? NO_NAMING), date: new Date(started).toISOString(), commit };
    return { ...run, manifest, about };
  });
}

const NO_NAMING = { name: null, note: null, tags: {} };

/** The cases of files, with what is known of these, or of anywhere. */
export function readerOf(input: CaseInput, plan: Plan): CaseReader {
  if (!(Symbol.iterator in input || Symbol.asyncIterator in input)) return caseReader(input, plan);
  if ('files' in input) return input;
  // It has no file to name, and reading let nothing pass.
  return {
    async *[Symbol.asyncIterator]() {
      yield* input;
    },
    files: () => [],
    notices: noNotices(),
  };
}

function writeCase(
  writer: RunWriter,
  ledger: LedgerSink,
  scored: ScoredCase,
  caseRecords: NonNullable<FolderOptions['caseRecords']>,
): void {
  const { spans } = scored;
  if (spans !== undefined && ledger.addSpans !== undefined && Object.keys(caseRecords).length === 0) {
    ledger.addSpans(spans.given, spans.scoring);
    writer.lines('cases.jsonl', [spans.result]);
    return;
  }
  for (const variant of scored.variants) {
    const { case: given, result } = variant;
    ledger.add(variant);
    writer.lines('cases.jsonl', [result]);
    for (const [file, record] of Object.entries(caseRecords)) writer.lines(file, [record(result, given)]);
  }
}

/** The run as its folder will hold it. */
async function runOf(
  plan: Plan,
  reader: ScoredFiles,
  { worst, comparable, notices, ...scored }: ScoreResult,
  {
    set = [],
    alsoMeasured,
    madeBy,
    folder,
    outputs,
    ...options
  }: RunOptions & Pick<Run, 'folder'> & Pick<Manifest, 'outputs'>,
): Promise<Run> {
  const { task, name, about, resolved } = plan;
  const measured = alsoMeasured === undefined ? scored.measures : [...scored.measures, ...(await alsoMeasured())];
  const signature = madeBy === undefined ? scored.signature : `${scored.signature}|${madeBy}`;
  const manifest: Manifest = {
    format: RUN_FORMAT,
    assay: VERSION,
    signature,
    comparable,
    task,
    recipe: { name, about, set: [...set], resolved },
    inputs: inputsOf(reader),
    notices: { ...reader.notices, ...notices },
    outputs,
    ledger: ledgerLayout(plan),
  };
  const naming = expectNaming(options);
  // The reports are made of this: they have what was asked for, which is the same again, and no time.
  const called = naming === null ? {} : { about: { ...naming, date: null, commit: null } };
  return { folder, worst, measures: { ...scored, measures: measured, signature }, manifest, ...called };
}

export function inputsOf(reader: ScoredFiles): Manifest['inputs'] {
  return reader.files().map(({ path: _, ...file }) => ({ ...file, name: basename(file.name) }));
}

/** What is not the same on every day and machine. */
export function timingJson(started: number, reader: ScoredFiles, commit: GitCommit | null): string {
  const seconds = (Date.now() - started) / 1000;
  const paths = reader.files().map((file) => ({ role: file.role, path: file.path }));
  const at = { started: new Date(started).toISOString(), seconds, host: hostname(), node: process.version };
  const timing = { ...at, commit, paths };
  return `${JSON.stringify(timing, null, 2)}\n`;
}

/** One measure a line: a diff of two runs then shows the measures that moved. */
function measuresJson(run: Run): string {
  const list = (rows: readonly unknown[]): string =>
    `[\n${rows.map((row) => `    ${JSON.stringify(row)}`).join(',\n')}\n  ]`;
  const fields = Object.entries(run.measures).map(([key, value]) => {
    const isList = Array.isArray(value) && value.length > 0;
    return `  "${key}": ${isList ? list(value) : JSON.stringify(value)}`;
  });
  return `{\n${fields.join(',\n')}\n}\n`;
}
