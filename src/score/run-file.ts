import { createHash, hash } from 'node:crypto';
import { join } from 'node:path';

import type { z } from 'zod';

import { notJson } from '../data/json-record.ts';
import { linesIn, readLines } from '../data/lines.ts';
import { InputError, Problems, UsageError } from '../data/problems.ts';
import { plainChunks, type PlainOptions, readPlain } from '../data/read-file.ts';
import { faultWithin } from '../data/record-fields.ts';
import { errorCode } from '../data/source.ts';
import { visible } from '../data/visible.ts';
import { type CaseResult, caseShape, isCaseResult } from '../measure/results.ts';
import { damaged, isLedgerRecord, type LedgerCase, type LedgerRecord, ledgerRecordShape } from './ledger.ts';
import { decompressed, ledgerFileOf } from './ledger-format.ts';
import { expandLines, isLedgerLine, type LedgerLine, ledgerLine, type LedgerOptions } from './ledger-reader.ts';
import { readAbout } from './run-about.ts';
import { casesWithMostErrors } from './run-counts.ts';
import { noRun, runFolder } from './run-folder.ts';
import {
  type LedgerLayout,
  type Manifest,
  manifestFile,
  measuresFile,
  READABLE_FORMATS,
  type Run,
  runStamp,
} from './run.ts';
import { refuseFormat } from './version.ts';

/**
 * A run from its folder, or from the folder of an experiment, as it was when it had just been scored. What is cut off,
 * broken, newer or edited is refused.
 */
export async function readRun(given: string): Promise<Run> {
  const folder = runFolder(given);
  const manifest = await readManifest(folder);
  const place = { folder, manifest };
  const measures = await readRunFile(place, 'measures.json', measuresFile);
  if (measures === null) throw damaged(`${join(folder, 'measures.json')}: this file of the run is missing`);
  const worst = casesWithMostErrors();
  const seen = createHash('sha256');
  let cases = 0;
  for await (const result of readCaseResults(folder, (chunk) => seen.update(chunk))) {
    worst.add(result);
    cases += 1;
    if (cases > (manifest.outputs['cases.jsonl']?.rows ?? Infinity)) break;
  }
  expectWritten(place, 'cases.jsonl', seen.digest('hex'), cases);
  const ledger = ledgerFileOf(manifest);
  if (manifest.outputs[ledger] !== undefined) await expectLines(place, ledger);
  return { folder, manifest, measures, worst: worst.list(), about: await readAbout(folder) };
}

async function readManifest(folder: string): Promise<Manifest> {
  const place = join(folder, 'manifest.json');
  const bytes = await readPlain(place).catch(async (error: unknown) => {
    throw await noRun(folder, errorCode(error));
  });
  // The number comes first: a newer format may have another shape.
  const stamp = parsed(bytes.toString('utf8'), place, runStamp);
  if (!READABLE_FORMATS.includes(stamp.format))
    refuseFormat(folder, stamp, READABLE_FORMATS, `read it with assay ${stamp.assay}, or score again`);
  return parsedFile(bytes, place, manifestFile);
}

/** The folder of a run, with its manifest, which lists the files beside it. */
type RunPlace = Pick<Run, 'folder' | 'manifest'>;

/** A file of a run folder that holds one JSON value, as it was written; null if absent. */
export async function readRunFile<T>(
  run: RunPlace,
  file: string,
  schema: z.ZodType<T>,
  options: PlainOptions = {},
): Promise<T | null> {
  const place = join(run.folder, file);
  const bytes = await readPlain(place, options).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw unreadable(place, error);
  });
  if (bytes === null) return null;
  const content = parsedFile(bytes, place, schema);
  expectWritten(run, file, hash('sha256', bytes));
  return content;
}

/**
 * Reads a file of lines through, which must be the one that was written; one that has too many lines not to its end. Lines
 * that are compressed are not counted: their sum is checked.
 */
async function expectLines(run: RunPlace, file: string): Promise<void> {
  const isText = file.endsWith('.jsonl');
  const rows = run.manifest.outputs[file]?.rows ?? Infinity;
  const seen = createHash('sha256');
  let lines = 0;
  for await (const chunk of storedChunks(join(run.folder, file))) {
    if (isText) refuseHole(join(run.folder, file), chunk);
    seen.update(chunk);
    if (!isText) continue;
    lines += linesIn(chunk);
    if (lines > rows) break;
  }
  expectWritten(run, file, seen.digest('hex'), isText ? lines : undefined);
}

/** Lines that were cut off or added, and numbers that somebody wrote into a file, are not those that were scored. */
function expectWritten({ folder, manifest }: RunPlace, file: string, sha256: string, lines?: number): void {
  const place = join(folder, file);
  const rows = manifest.outputs[file]?.rows;
  if (rows !== undefined && lines !== undefined && rows !== lines)
    throw damaged(
      `${place}: ${lines > rows ? `more than ${rows}` : lines} complete lines, but the manifest lists ${rows}: ${lines < rows ? 'the file was cut off' : 'lines were added'}`,
    );
  if (manifest.files === undefined) return;
  const written = manifest.files[file];
  if (written === undefined) throw damaged(`${place}: the manifest does not list this file`);
  if (written.sha256 !== sha256)
    throw damaged(
      `${place} was changed after it was scored: its sha256 is ${sha256.slice(0, 12)}…, but the manifest lists ${written.sha256.slice(0, 12)}…`,
    );
}

/** Longest line taken; a string cannot be longer. */
const LONGEST = 1 << 29;

/** The records of a file of JSON lines, checked, one at a time; lines that are not `wanted` are not parsed. */
async function* readRecords<T>(
  path: string,
  schema: z.ZodType<T>,
  { seen, wanted = () => true, isFine = (_): _ is T => false }: RecordOptions<T> = {},
): AsyncGenerator<T> {
  const problems = new Problems();
  try {
    for await (const batch of readLines(runChunks(path, seen), { file: path, problems, maxBytes: LONGEST })) {
      problems.throwIfAny();
      for (const { text, line } of batch) if (wanted(text)) yield parsed(text, `${path}:${line}`, schema, isFine);
    }
    problems.throwIfAny();
  } catch (error) {
    throw error instanceof InputError ? damaged(error.message) : error;
  }
}

interface RecordOptions<T> {
  /** Gets the bytes as they are read. */
  readonly seen?: ((chunk: Buffer) => void) | undefined;
  readonly wanted?: (text: string) => boolean;
  /** A quicker check than that of the schema. */
  readonly isFine?: (value: unknown) => value is T;
}

const OWN_CASE = /^\{"case":("(?:[^"\\]|\\.)*")/;

/**
 * The verdicts of a run, one at a time, case after case; those of a case by scheme, the recipe's own pairing first. With
 * `cases`, only those of the named cases: the other lines are not even parsed.
 */
export async function* readLedger(folder: string, cases?: ReadonlySet<string>): AsyncGenerator<LedgerRecord> {
  for await (const records of readLedgerGroups(runFolder(folder), cases)) yield* records;
}

/** The verdicts of one case after another. */
async function* readLedgerGroups(
  folder: string,
  cases?: ReadonlySet<string>,
  options: LedgerOptions = {},
): AsyncGenerator<LedgerRecord[]> {
  const manifest = await readManifest(folder);
  const { ledger } = manifest;
  const path = join(folder, ledgerFileOf(manifest));
  const wanted = (text: string): boolean => {
    if (cases === undefined) return true;
    const id = OWN_CASE.exec(text)?.[1];
    return id === undefined || cases.has(String(JSON.parse(id)));
  };
  if (ledger === undefined || path.endsWith('.parquet')) {
    // A verdict by itself is all that a line or a row has.
    const verdicts =
      ledger === undefined
        ? readRecords(path, ledgerRecordShape, { wanted, isFine: isLedgerRecord })
        : (await import('./ledger-parquet.ts')).readLedgerRows(path, cases);
    for await (const group of groupedByCase(verdicts, cases)) {
      const own = options.schemes === false ? group.filter(({ scheme }) => scheme === undefined) : group;
      if (own.length > 0) yield own;
    }
    return;
  }
  const lines = readRecords<LedgerLine>(path, ledgerLine, { wanted, isFine: isLedgerLine });
  for await (const group of groupedByCase(lines, cases)) {
    const records = expandLines(group, ledger, path, options);
    if (records.length > 0) yield records;
  }
}

/** The verdicts of one case after another, of a ledger of lines that belongs to no run yet. */
export async function* readLedgerLines(path: string, layout: LedgerLayout): AsyncGenerator<LedgerRecord[]> {
  const lines = readRecords<LedgerLine>(path, ledgerLine, { isFine: isLedgerLine });
  for await (const group of groupedByCase(lines)) yield expandLines(group, layout, path);
}

async function* groupedByCase<T extends { readonly case: string }>(
  lines: AsyncIterable<T>,
  cases?: ReadonlySet<string>,
): AsyncGenerator<T[]> {
  let group: T[] = [];
  for await (const line of lines) {
    if (cases !== undefined && !cases.has(line.case)) continue;
    if (group.length > 0 && group[0]!.case !== line.case) {
      yield group;
      group = [];
    }
    group.push(line);
  }
  if (group.length > 0) yield group;
}

/** What each case added up to, in the order of scoring. `seen` gets the bytes as they are read. */
export function readCaseResults(folder: string, seen?: (chunk: Buffer) => void): AsyncGenerator<CaseResult> {
  return readCaseLines(join(runFolder(folder), 'cases.jsonl'), seen);
}

/** The lines of a cases.jsonl that belongs to no run yet, too. */
export function readCaseLines(path: string, seen?: (chunk: Buffer) => void): AsyncGenerator<CaseResult> {
  return readRecords(path, caseShape, { seen, isFine: isCaseResult });
}

/** Every case of a run with its lines, one at a time: the ledger has the order of the cases. */
export async function* readLedgerCases(folder: string, options: LedgerOptions = {}): AsyncGenerator<LedgerCase> {
  const ledger = readLedgerGroups(runFolder(folder), undefined, options);
  let next = await ledger.next();
  for await (const result of readCaseResults(folder)) {
    const own = next.done === true || next.value[0]?.case !== result.case ? null : next.value;
    yield { result, records: own ?? [] };
    if (own !== null) next = await ledger.next();
  }
  if (next.done !== true)
    throw damaged(
      `${folder}: the ledger is not in the order of cases.jsonl, from case ${visible(next.value[0]?.case ?? '')} on`,
    );
}

/** The text of a file of lines. */
async function* runChunks(place: string, seen?: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of decompressed(place, storedChunks(place))) {
      refuseHole(place, chunk);
      seen?.(chunk);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw damaged(`${place}: the compressed data is damaged or cut off (${errorCode(error)})`);
  }
}

/** The bytes of a file of a run as they are stored. */
export async function* storedChunks(place: string): AsyncGenerator<Buffer> {
  try {
    yield* plainChunks(place);
  } catch (error) {
    throw error instanceof UsageError ? error : unreadable(place, error);
  }
}

/** JSON holds no NUL: a hole in a file may be larger than any disk. */
function refuseHole(place: string, chunk: Buffer): void {
  if (chunk.includes(0)) throw damaged(`${place}: not text, it holds NUL bytes`);
}

/** A whole file of a run folder: what it holds may be written again, which calls itself for every level. */
export function parsedFile<T>(bytes: Buffer, place: string, schema: z.ZodType<T>): T {
  const content = parsed(bytes.toString('utf8'), place, schema);
  const fault = typeof content === 'object' && content !== null ? faultWithin(content) : null;
  if (fault !== null) throw damaged(`${place}: ${fault.message}`);
  return content;
}

/** JSON of a run folder, checked; problems are reported with the place. */
function parsed<T>(text: string, place: string, schema: z.ZodType<T>, isFine?: (value: unknown) => value is T): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged(`${place}: ${notJson(error)}`);
  }
  if (isFine?.(value) === true) return value;
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const { path = [], message = 'not what a run folder holds' } = error.issues[0] ?? {};
  const field = path.length === 0 ? '' : visible(` ${path.map(String).join('.')}:`).slice(1, -1);
  throw damaged(`${place}:${field} ${message}`);
}

export function unreadable(place: string, error: unknown): UsageError {
  const code = errorCode(error);
  return damaged(`${place}: ${code === 'ENOENT' ? 'this file of the run is missing' : code}`);
}
