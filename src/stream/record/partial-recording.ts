import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

import { z } from 'zod';

import { errorCode, isAlive, makeFolders, UsageError } from '../../plugin.ts';
import { CLOCKS } from '../trace-records.ts';
import type { TimedEvent } from './trace-builder.ts';

/** What a recording keeps to from its first event on. */
const header = z.object({
  assay_recording: z.literal(1),
  case_id: z.string(),
  clock: z.enum(CLOCKS),
  gap_ms: z.number(),
  start_ms: z.number(),
  mas_run_id: z.string().nullable(),
  model: z.string().nullable(),
  mac_commit: z.string().nullable().default(null),
  pid: z.int().min(1).exactOptional(),
});
export type RecordingHeader = z.infer<typeof header>;

const timedEvent = z.object({
  agent: z.string(),
  text: z.string(),
  time: z.number(),
  turn: z.string().nullable(),
  endOfTurn: z.boolean(),
  subtype: z.string().nullable(),
});

/** The process that resumed it. */
const owner = z.strictObject({ pid: z.int().min(1) });
/** Lines that were wrong, since the last such mark. */
const leftOut = z.strictObject({ lines_left_out: z.int().min(1) });
const keptLine = z.union([timedEvent, owner, leftOut]);

interface KeptRecording {
  readonly header: RecordingHeader;
  readonly events: readonly TimedEvent[];
  /** How many lines were wrong and are not among the events. */
  readonly linesLeftOut: number;
}

/**
 * A recording in the making: a plain file next to the trace to be, to which every event is added as it comes. Whatever
 * ends the process, the events up to then are on the disk.
 */
export class PartialRecording {
  readonly file: string;
  #descriptor: number | null = null;

  constructor(file: string) {
    this.file = file;
  }

  get isOpen(): boolean {
    return this.#descriptor !== null;
  }

  get exists(): boolean {
    return existsSync(this.file);
  }

  /** Begins a new one; one that is there is left alone. */
  begin(first: RecordingHeader): void {
    this.#guard(() => {
      makeFolders(dirname(this.file));
      this.#descriptor = openSync(this.file, 'wx');
    });
    this.#write(`${JSON.stringify({ ...first, pid: process.pid })}\n`);
  }

  /** Resumes what is there. A last line that was cut off in the middle is dropped: its event was never taken. */
  resume(): KeptRecording {
    this.refuseLive();
    const bytes = this.#guard(() => readFileSync(this.file));
    const whole = bytes.lastIndexOf(0x0a) + 1;
    const [first = '', ...lines] = bytes.toString('utf8', 0, whole).split('\n').slice(0, -1);
    const events: TimedEvent[] = [];
    let linesLeftOut = 0;
    const began = this.#parsed(header, first, 1);
    for (const [at, line] of lines.entries()) {
      const kept = this.#parsed(keptLine, line, at + 2);
      if ('lines_left_out' in kept) linesLeftOut += kept.lines_left_out;
      else if ('agent' in kept) events.push(kept);
    }
    this.#guard(() => {
      this.#descriptor = openSync(this.file, 'r+');
      ftruncateSync(this.#descriptor, whole);
      closeSync(this.#descriptor);
      this.#descriptor = openSync(this.file, 'a');
    });
    this.#write(`${JSON.stringify({ pid: process.pid })}\n`);
    return { header: began, events, linesLeftOut };
  }

  /** Two processes that write to one recording would mix what they heard. One that is gone does not count. */
  refuseLive(): void {
    if (!this.exists) return;
    const lines = this.#guard(() => readFileSync(this.file, 'utf8')).split('\n');
    const pids = lines.flatMap((line, at) => (at === 0 || line.startsWith('{"pid":') ? pidOf(line) : []));
    const live = pids.find((pid) => pid !== process.pid && isAlive(pid));
    if (live !== undefined)
      throw new UsageError(
        `${this.file}: process ${live} is still making this recording`,
        'wait for its end, or end it first; record another conversation with another --case',
      );
  }

  /** On the disk when this returns. */
  add(events: readonly TimedEvent[]): void {
    if (events.length > 0) this.#write(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  }

  /** Remembers that lines were wrong: the trace states how many. */
  addLeftOut(lines: number): void {
    if (lines > 0) this.#write(`${JSON.stringify({ lines_left_out: lines })}\n`);
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  remove(): void {
    this.close();
    rmSync(this.file, { force: true });
  }

  #write(text: string): void {
    this.#guard(() => {
      const descriptor = this.#descriptor;
      if (descriptor === null) throw new Error('the recording is not open');
      const bytes = Buffer.from(text, 'utf8');
      for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
      fdatasyncSync(descriptor);
    });
  }

  #parsed<T>(schema: z.ZodType<T>, line: string, number: number): T {
    try {
      return schema.parse(JSON.parse(line));
    } catch {
      throw new UsageError(
        `${this.file}:${number}: this is not an interrupted recording`,
        'remove the file, or begin again with --force',
      );
    }
  }

  #guard<T>(use: () => T): T {
    try {
      return use();
    } catch (error) {
      throw new UsageError(`cannot write ${this.file} (${errorCode(error)})`, 'choose another folder with --out');
    }
  }
}

function pidOf(line: string): number[] {
  try {
    const parsed = z.looseObject({ pid: z.int().min(1) }).safeParse(JSON.parse(line));
    return parsed.success ? [parsed.data.pid] : [];
  } catch {
    return [];
  }
}
