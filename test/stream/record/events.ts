import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { onTestFinished } from 'vitest';

import { problemText } from '../../../src/data/problems.ts';
import { DEFAULT_CLOCK } from '../../../src/stream/record/event-clock.ts';
import { Recording, type RecordingOptions } from '../../../src/stream/record/recording.ts';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-record-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function recordingOf(options: Partial<RecordingOptions> = {}): Recording {
  return new Recording({
    ...DEFAULT_CLOCK,
    caseId: 'case-1',
    folder: options.folder ?? temporaryFolder(),
    masRunId: null,
    model: null,
    macCommit: null,
    live: false,
    force: false,
    now: () => {
      throw new Error('the clock was asked');
    },
    ...options,
  });
}

/** Events, or lines as they are. */
export type Given = readonly (string | Readonly<Record<string, unknown>>)[];

/** `a:x` is the agent a who says x; a third part is the turn. */
export function spoken(...pieces: readonly string[]): Given {
  return pieces.map((piece) => {
    const [agent, text, turn] = piece.split(':');
    return { agent, text, ...(turn === undefined ? {} : { turn: Number(turn) }) };
  });
}

export async function* chunksOf(events: Given): AsyncGenerator<Buffer> {
  for (const event of events) yield Buffer.from(`${typeof event === 'string' ? event : JSON.stringify(event)}\n`);
}

/** What is wrong with events, a line each. */
export async function faultsOf(events: Given, options: Partial<RecordingOptions> = {}): Promise<string[]> {
  const faults: string[] = [];
  await recordingOf(options).take(chunksOf(events), 'in', (problem) => void faults.push(problemText(problem)));
  return faults;
}

/** The records of the trace that events become. */
export async function traceOf(
  events: Given,
  options: Partial<RecordingOptions> = {},
): Promise<Record<string, unknown>[]> {
  const recording = recordingOf(options);
  await recording.take(chunksOf(events), 'in', (problem) => {
    throw new Error(problemText(problem));
  });
  await recording.finish();
  return recordsOf(recording.file);
}

/** When its deltas were said. */
export function timesOf(trace: readonly Readonly<Record<string, unknown>>[]): unknown[] {
  return trace.filter((record) => record['record_type'] === 'stream_delta').map((record) => record['t_emitted_ms']);
}

export function recordsOf(file: string): Record<string, unknown>[] {
  return gunzipSync(readFileSync(file))
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
