import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import {
  compareNatural,
  describe,
  entryAt,
  errorCode,
  InputError,
  isRecord,
  Problems,
  readText,
  UsageError,
} from '../plugin.ts';
import { recordLines } from './record-lines.ts';
import {
  caseId as caseIdShape,
  type StreamDelta,
  type Trace,
  type TraceMeta,
  type TurnBoundary,
} from './trace-records.ts';

/** The files of a folder that may hold traces, in natural order; a single file is itself. */
export function traceFiles(place: string): string[] {
  return filesOf(place, 'traces');
}

/** Files of JSON lines in a folder, compressed or not; `what` is what they should hold, for messages. */
export function filesOf(place: string, what: string): string[] {
  try {
    if (statSync(place).isFile()) return [place];
    const names = readdirSync(place, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && /\.jsonl(?:\.gz|\.zst)?$/.test(entry.name))
      .map(({ name }) => name)
      .filter((name) => !/\.(?:manifest|case_list)\.jsonl(?:\.gz|\.zst)?$/.test(name))
      .sort(compareNatural);
    if (names.length === 0)
      throw new UsageError(`${place}: no ${what} there`, 'expected files that end in .jsonl.gz or .jsonl');
    return names.map((name) => join(place, name));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${place}: cannot be read (${errorCode(error)})`, `name the folder that holds the ${what}`);
  }
}

/** How many such files the folders below a folder hold. */
export function filesBelow(place: string): number {
  if (!entryAt(place)?.isDirectory()) return 0;
  return readdirSync(place, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /[/\\]/.test(name) && /\.trace\.jsonl(?:\.gz|\.zst)?$/i.test(name),
  ).length;
}

/** One trace, compressed or not. What is not a trace is refused with the number of the record. */
export async function readTrace(file: string): Promise<Trace> {
  const { text, sha256 } = readAtOnce(file) ?? (await readText(file));
  return parseTrace(text, file, sha256);
}

/** Compressed traces are around a megabyte: twice as fast in one step. What is larger, or damaged, is left. */
function readAtOnce(file: string): { readonly text: string; readonly sha256: string } | null {
  try {
    const found = statSync(file);
    if (!found.isFile() || found.size > MOST_PACKED) return null;
    const packed = readFileSync(file);
    if (packed[0] !== 0x1f || packed[1] !== 0x8b) return null;
    const bytes = gunzipSync(packed, { maxOutputLength: MOST_AT_ONCE, chunkSize: UNPACKED_CHUNK });
    // A byte order mark and what is not UTF-8 are left to the careful reader.
    if (bytes[0] === 0xef || !isUtf8(bytes)) return null;
    return { text: bytes.toString('utf8'), sha256: hash('sha256', bytes) };
  } catch {
    return null;
  }
}

const MOST_PACKED = 1 << 23;
const MOST_AT_ONCE = 1 << 26;
const UNPACKED_CHUNK = 1 << 18;

/**
 * A trace from its decompressed text. Checks only what replay and measures depend on: order, hashes and times are what
 * `stream validate` is for.
 */
export function parseTrace(text: string, file: string, sha256: string = hash('sha256', text)): Trace {
  const problems = new Problems();
  const deltas: StreamDelta[] = [];
  const boundaries: TurnBoundary[] = [];
  let meta: TraceMeta | null = null;
  for (const { value, line } of recordLines(text, file, 'trace_meta', problems)) {
    if (isDelta(value)) deltas.push(value);
    else if (isBoundary(value)) boundaries.push(value);
    else if (isMeta(value) && meta === null) meta = value;
    else problems.add({ file, line, message: isMeta(value) ? 'a second trace_meta; a trace has one' : misfit(value) });
  }
  problems.throwIfAny();
  if (meta === null) throw new InputError([{ file, line: null, message: 'no trace_meta record: this is not a trace' }]);
  return { file, meta, deltas: inOrder(deltas), boundaries: inOrder(boundaries), sha256: `sha256:${sha256}` };
}

function isDelta(value: unknown): value is StreamDelta {
  return (
    isRecord(value) &&
    value['record_type'] === 'stream_delta' &&
    isCount(value['seq']) &&
    isCount(value['turn_id']) &&
    typeof value['agent_id'] === 'string' &&
    typeof value['delta_text'] === 'string' &&
    isCount(value['t_rel_ms']) &&
    (isMoment(value['t_emitted_ms']) || value['t_emitted_ms'] === undefined || value['t_emitted_ms'] === null) &&
    (typeof value['event_subtype'] === 'string' || value['event_subtype'] === undefined)
  );
}

function isBoundary(value: unknown): value is TurnBoundary {
  return (
    isRecord(value) &&
    value['record_type'] === 'turn_boundary' &&
    (value['boundary'] === 'start' || value['boundary'] === 'end') &&
    isCount(value['seq']) &&
    isCount(value['turn_id']) &&
    typeof value['agent_id'] === 'string'
  );
}

function isMeta(value: unknown): value is TraceMeta {
  return (
    isRecord(value) &&
    value['record_type'] === 'trace_meta' &&
    caseIdShape.safeParse(value['case_id']).success &&
    isMoment(value['t0_emitted_ms'])
  );
}

/** The end of the year 9999: a later time cannot be written as one. */
const LAST_MOMENT = Date.UTC(9999, 11, 31);

function isMoment(value: unknown): value is number {
  return isCount(value) && value <= LAST_MOMENT;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

const NEEDED: Readonly<Record<string, readonly string[]>> = {
  stream_delta: ['seq', 'turn_id', 'agent_id', 'delta_text', 't_rel_ms', 't_emitted_ms', 'event_subtype'],
  turn_boundary: ['boundary', 'seq', 'turn_id', 'agent_id'],
  trace_meta: ['case_id', 't0_emitted_ms'],
};

function misfit(record: unknown): string {
  if (!isRecord(record)) return `expected an object, found ${describe(record)}`;
  const kind = record['record_type'];
  const needed = typeof kind === 'string' ? NEEDED[kind] : undefined;
  if (needed === undefined)
    return `record_type: expected trace_meta, turn_boundary or stream_delta, found ${describe(kind)}`;
  const found = needed.map((field) => `${field} ${describe(record[field])}`).join(', ');
  return `not a ${String(kind)} as traces have them: ${found}`;
}

function inOrder<T extends { readonly seq: number }>(records: T[]): T[] {
  const sorted = records.every((record, at) => at === 0 || records[at - 1]!.seq <= record.seq);
  return sorted ? records : records.sort((a, b) => a.seq - b.seq);
}
