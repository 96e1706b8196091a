import { join } from 'node:path';

import type { z } from 'zod';

import { notJson } from '../data/json-record.ts';
import { visible } from '../data/visible.ts';
import { plainChunks } from '../data/plain-file.ts';
import { faultWithin } from '../data/kept-fields.ts';
import { readLines } from '../data/lines.ts';
import { InputError, Problems, UsageError } from '../data/problems.ts';
import { errorCode } from '../data/source.ts';
import { caseLine, ledgerLine } from './output-shapes.ts';
import { runFolder } from './run-folder.ts';

/** One line of ledger.jsonl. */
export type LedgerRecord = z.infer<typeof ledgerLine>;
/** A gold or predicted item as the ledger holds it. */
export type LedgerItem = NonNullable<LedgerRecord['gold']>;
/** One line of cases.jsonl. */
export type CaseRecord = z.infer<typeof caseLine>;

/** Longest line taken; a string cannot be longer. */
const LONGEST = 1 << 29;
const OWN_CASE = /^\{"case":("(?:[^"\\]|\\.)*")/;

/**
 * The verdicts of a run, one at a time and in the order of the ledger. With `cases`, only those of the named cases: the
 * other lines are not even parsed.
 */
export async function* readLedger(folder: string, cases?: ReadonlySet<string>): AsyncGenerator<LedgerRecord> {
  const wanted =
    cases === undefined
      ? undefined
      : (text: string): boolean => {
          const id = OWN_CASE.exec(text)?.[1];
          return id === undefined || cases.has(String(JSON.parse(id)));
        };
  for await (const record of readRecords(folder, 'ledger.jsonl', ledgerLine, wanted)) {
    if (cases === undefined || cases.has(record.case)) yield record;
  }
}

/** What each case added up to, in the order they were scored. `seen` is told of the bytes. */
export function readCaseResults(folder: string, seen?: (chunk: Buffer) => void): AsyncGenerator<CaseRecord> {
  return readRecords(folder, 'cases.jsonl', caseLine, () => true, seen);
}

export async function caseIds(folder: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const result of readCaseResults(folder)) ids.push(result.case);
  return ids;
}

async function* readRecords<T>(
  folder: string,
  file: string,
  schema: z.ZodType<T>,
  wanted: (text: string) => boolean = () => true,
  seen?: (chunk: Buffer) => void,
): AsyncGenerator<T> {
  const path = join(runFolder(folder), file);
  const problems = new Problems();
  try {
    for await (const batch of readLines(runChunks(path, seen), { file: path, problems, maxBytes: LONGEST })) {
      problems.throwIfAny();
      for (const { text, line } of batch) if (wanted(text)) yield parsed(text, `${path}:${line}`, schema);
    }
    problems.throwIfAny();
  } catch (error) {
    if (error instanceof InputError) throw damaged(error.message);
    throw error;
  }
}

/** The bytes of a file of lines. JSON holds no NUL: a hole in a file may be larger than any disk. */
export async function* runChunks(place: string, seen?: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of plainChunks(place)) {
      if (chunk.includes(0)) throw damaged(`${place}: not text, it holds NUL bytes`);
      seen?.(chunk);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof UsageError ? error : unreadable(place, error);
  }
}

/** A whole file of a run folder: what it holds may be written again, which calls itself for every level. */
export function parsedFile<T>(bytes: Buffer, place: string, schema: z.ZodType<T>): T {
  const content = parsed(bytes.toString('utf8'), place, schema);
  const fault = typeof content === 'object' && content !== null ? faultWithin(content) : null;
  if (fault !== null) throw damaged(`${place}: ${fault.message}`);
  return content;
}

/** JSON of a run folder, checked; what is wrong is said with the place. */
export function parsed<T>(text: string, place: string, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged(`${place}: ${notJson(error)}`);
  }
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  const field = issue === undefined || issue.path.length === 0 ? '' : ` ${issue.path.map(String).join('.')}:`;
  throw damaged(`${place}:${visible(field).slice(1, -1)} ${issue?.message ?? 'not what a run folder holds'}`);
}

export function unreadable(place: string, error: unknown): UsageError {
  const code = errorCode(error);
  return damaged(`${place}: ${code === 'ENOENT' ? 'this file of the run is missing' : code}`);
}

export function damaged(message: string): UsageError {
  return new UsageError(message, 'the run folder is damaged or was changed: score again');
}
