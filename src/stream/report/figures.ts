import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { readRun, type Run } from '../../index.ts';
import { readCaseResults, signatureDifferences, signatureParts } from '../../pipeline.ts';
import { compareNatural, type Document, entryAt, errorCode, suggestion, UsageError, writeAside } from '../../plugin.ts';
import type { CaseResult } from '../../recipe.ts';
import { tracesByCase, variantFolders } from '../measure/variant-folders.ts';
import { readRunLog, runLogFiles } from '../read-run-log.ts';
import { readTrace, traceFiles } from '../read-trace.ts';
import type { RunLog } from '../run-log-records.ts';
import type { Trace } from '../trace-records.ts';
import { coverageData, coverageFigure } from './coverage-figure.ts';
import { faithfulnessData, faithfulnessFigure } from './faithfulness-figure.ts';
import { conceptNotes, exclusionNotes, runNotes } from './run-notes.ts';
import { timelineData } from './timeline-data.ts';
import { timelineFigure } from './timeline-figure.ts';

interface StreamFigureOptions {
  readonly out: string;
  /** Null: all that were measured. */
  readonly variants: readonly string[] | null;
  /** Draws variants side by side even if they were measured differently. */
  readonly force?: boolean;
  /** Both for timelines: of these cases, or of the first. */
  readonly traces?: string;
  readonly runs?: string;
  readonly cases?: readonly string[];
}

interface DrawnFigure {
  readonly kind: 'coverage' | 'faithfulness' | 'timeline';
  readonly file: string;
  readonly variants: readonly string[];
  readonly case?: string;
}

interface DrawnFigures {
  readonly figures: readonly DrawnFigure[];
  readonly notes: readonly string[];
}

/** Figures of measured variants as SVG files. Nothing is written before everything is drawn. */
export async function drawFigures(measured: string, options: StreamFigureOptions): Promise<DrawnFigures> {
  const { out, variants, force = false } = options;
  const { runs, apart } = await readMeasuredRuns(measured, variants, force);
  const values = runs.map(({ name, run, cases }) => ({ name, cases, measures: run.measures.measures }));
  const names = runs.map(({ name }) => name);
  const notes = [...runNotes(runs), ...apart];
  const figureNotes = [...conceptNotes(runs), ...notes];
  const drawings: (readonly [figure: DrawnFigure, svg: string])[] = [
    [
      { kind: 'coverage', file: join(out, 'coverage.svg'), variants: names },
      coverageFigure(coverageData(values, figureNotes)),
    ],
    [
      { kind: 'faithfulness', file: join(out, 'faithfulness.svg'), variants: names },
      faithfulnessFigure(faithfulnessData(values, [...exclusionNotes(runs), ...figureNotes])),
    ],
    ...(await timelines(options)),
  ];
  for (const [{ file }, svg] of drawings) writeAside(file, svg, { next: 'choose another place with --out' });
  return { figures: drawings.map(([figure]) => figure), notes };
}

async function timelines({
  traces,
  runs,
  cases: ids,
  variants,
  out,
}: StreamFigureOptions): Promise<(readonly [figure: DrawnFigure, svg: string])[]> {
  if (traces === undefined && runs === undefined && ids === undefined) return [];
  if (traces === undefined || runs === undefined)
    throw new UsageError(
      `a timeline needs traces and run logs; ${traces === undefined ? '--traces' : '--runs'} is missing`,
      'give --traces DIR and --runs DIR, or neither and no --case',
    );
  const cases = await timelineCases(traces, runs, ids ?? null, variants);
  return cases.map(({ id, trace, logs }) => [
    { kind: 'timeline', file: join(out, `timeline-${id}.svg`), variants: logs.map(({ name }) => name), case: id },
    timelineFigure(timelineData(trace, logs)),
  ]);
}

export function figuresDocument({ figures, notes }: DrawnFigures): Document {
  return {
    title: 'Figures',
    sections: [
      {
        blocks: [
          {
            columns: [{ title: '' }, { title: '' }],
            rows: figures.map(({ file, variants }) => [
              { text: file, tone: 'strong' },
              { text: variants.join(', '), tone: 'quiet' },
            ]),
          },
          { list: notes, mark: 'warning' },
        ],
      },
    ],
  };
}

interface MeasuredRun {
  readonly name: string;
  readonly run: Run;
  readonly cases: readonly CaseResult[];
}

interface MeasuredRuns {
  readonly runs: readonly MeasuredRun[];
  /** What keeps them from being comparable, if that was allowed. */
  readonly apart: readonly string[];
}

/** The variants of a folder that `stream measure` wrote: those that are named, in that order, or all. */
async function readMeasuredRuns(
  folder: string,
  names: readonly string[] | null,
  force: boolean,
): Promise<MeasuredRuns> {
  const folders = runFolders(folder);
  const runs: MeasuredRun[] = [];
  for (const name of names ?? folders) {
    if (!folders.includes(name))
      throw new UsageError(`there is no variant ${name} in ${folder}`, suggestion(name, folders, 'variants'));
    const place = join(folder, name);
    const run = await readRun(place);
    if (run.manifest.task !== 'stream')
      throw new UsageError(
        `${place} is a run of the task ${run.manifest.task}, expected stream`,
        'name the folder that assay stream measure --out made, or choose with --variants',
      );
    const cases: CaseResult[] = [];
    for await (const result of readCaseResults(place)) cases.push(result);
    runs.push({ name, run, cases });
  }
  return { runs, apart: comparedAlike(runs, force) };
}

function runFolders(folder: string): string[] {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw new UsageError(
      `${folder}: cannot be read (${errorCode(error)})`,
      'name the folder that assay stream measure --out made',
    );
  }
  const folders = entries
    .filter(({ name }) => !/\.(?:partial|replaced)-\d+$/.test(name) && isFile(join(folder, name, 'manifest.json')))
    .map(({ name }) => name)
    .sort(compareNatural);
  if (folders.length > 0) return folders;
  if (isFile(join(folder, 'manifest.json')))
    throw new UsageError(
      `${folder} is the run of one variant, expected the folder of all`,
      `to draw it alone: ${dirname(folder)} --variants ${basename(folder)}`,
    );
  throw new UsageError(
    `${folder}: there are no measured variants`,
    'expected folders such as V0 with a manifest.json; assay stream measure --out makes them',
  );
}

function isFile(path: string): boolean {
  return entryAt(path)?.isFile() === true;
}

/** Numbers made by different extractors or rules do not belong in one figure; cases may differ, which is reported. */
function comparedAlike(runs: readonly MeasuredRun[], force: boolean): string[] {
  const [first, ...others] = runs;
  if (first === undefined) return [];
  return others.flatMap(({ name, run }) => {
    const differences = signatureDifferences(first.run.manifest, run.manifest);
    if (differences.length === 0) return [];
    if (!force && withoutGold(first.run) !== withoutGold(run))
      throw new UsageError(
        `${first.name} and ${name} were not measured alike: ${differences.join('; ')}`,
        'measure them again together, leave one out with --variants, or insist with --force',
      );
    return [`${first.name} and ${name} were not measured alike: ${differences.join('; ')}.`];
  });
}

function withoutGold({ manifest }: Run): string {
  return [...signatureParts(manifest.comparable)]
    .filter(([part]) => part !== 'gold')
    .map((part) => part.join(':'))
    .join('|');
}

/** A case whose timeline can be drawn. */
interface TimelineCase {
  readonly id: string;
  readonly trace: Trace;
  readonly logs: readonly { readonly name: string; readonly log: RunLog }[];
}

/** The named cases, or the first, each with its trace and its logs. */
async function timelineCases(
  traces: string,
  runs: string,
  ids: readonly string[] | null,
  variants: readonly string[] | null,
): Promise<TimelineCase[]> {
  const folders = variantFolders(runs, variants);
  const cases: TimelineCase[] = [];
  for (const wanted of ids === null ? [null] : new Set(ids)) {
    const trace = wanted === null ? await readTrace(traceFiles(traces)[0]!) : await traceOf(traces, wanted);
    const id = trace.meta.case_id;
    const logs: { name: string; log: RunLog }[] = [];
    for (const [name, folder] of folders) {
      const log = await logOf(folder, id);
      if (log !== null) logs.push({ name, log });
    }
    if (logs.length === 0)
      throw new UsageError(
        `${runs} has no run log of the case ${id}`,
        `looked in ${[...folders.keys()].join(', ')}: choose another case with --case`,
      );
    cases.push({ id, trace, logs });
  }
  return cases;
}

/** Files are mostly named after their case; if they are not, all are searched. */
async function traceOf(folder: string, wanted: string): Promise<Trace> {
  const ids = [wanted, withoutEnding(wanted)];
  for (const file of traceFiles(folder).filter((path) => caseNamed(path) === withoutEnding(wanted))) {
    const trace = await readTrace(file);
    if (ids.includes(trace.meta.case_id)) return trace;
  }
  const all = await tracesByCase(folder);
  const file = ids.map((id) => all.get(id)).find((path) => path !== undefined);
  if (file === undefined)
    throw new UsageError(
      `there is no trace of the case ${wanted} in ${folder}`,
      suggestion(wanted, [...all.keys()], 'cases'),
    );
  return readTrace(file);
}

async function logOf(folder: string, id: string): Promise<RunLog | null> {
  const files = runLogFiles(folder);
  const named = files.filter((path) => caseNamed(path) === withoutEnding(id));
  for (const file of [...named, ...files.filter((path) => !named.includes(path))]) {
    const log = await readRunLog(file);
    if (withoutEnding(log.meta.case_id) === withoutEnding(id)) return log;
  }
  return null;
}

function caseNamed(path: string): string {
  return withoutEnding(basename(path).replace(/\.jsonl(?:\.gz|\.zst)?$/, ''));
}

/** Logs of other programs name a case by its file. */
function withoutEnding(name: string): string {
  return name.replace(/\.(?:trace|run)$/, '');
}
