import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  deterministicGzip,
  FAILED,
  InputError,
  memorySource,
  parseRecord,
  type Problem,
  Problems,
  readLines,
  UsageError,
  writeAside,
} from '../../plugin.ts';
import type { ClockKind } from '../trace-records.ts';
import { Findings } from '../validate/findings.ts';
import { ForwardedProblems, RecordReader } from '../validate/record-file.ts';
import { checkTrace } from '../validate/trace-invariants.ts';
import { type ClockOptions, EventClock } from './event-clock.ts';
import { PartialRecording, type RecordingHeader } from './partial-recording.ts';
import { readEvent } from './stream-event.ts';
import { type TimedEvent, TraceBuilder, type TraceFacts } from './trace-builder.ts';

export interface RecordingOptions extends ClockOptions {
  readonly caseId: string;
  readonly folder: string;
  readonly masRunId: string | null;
  readonly model: string | null;
  /** Version of the agents; null: that of the first event, if it names one. */
  readonly macCommit: string | null;
  readonly facts?: TraceFacts;
  /** Whether what comes would be lost with this process: then every event is kept on disk as it comes. */
  readonly live: boolean;
  readonly force: boolean;
  /** The time of day, for events that arrive without a time. */
  readonly now: () => number;
}

export interface RecordedTrace {
  readonly file: string;
  readonly caseId: string;
  readonly deltas: number;
  readonly turns: number;
  readonly agents: number;
  readonly clock: ClockKind;
  readonly durationMs: number;
  readonly linesLeftOut: number;
  /** `sha256:…` of the decompressed bytes. */
  readonly sha256: string;
}

const MOST_EVENT_BYTES = 64 * 2 ** 20;
/** What is longer cannot be replayed. */
const MOST_TRACE_BYTES = 2 ** 28;
/** What a delta takes up besides its text, with its turn's boundaries. */
const RECORD_BYTES = 1000;

export class Recording {
  readonly file: string;
  readonly partial: PartialRecording;
  readonly #options: RecordingOptions;
  readonly #builder: TraceBuilder;
  readonly #unused = new Map<string, number>();
  #header: RecordingHeader | null = null;
  #clock: EventClock;
  #events = 0;
  #size = 0;
  #linesLeftOut = 0;
  /** Of these, how many the partial does not know of yet. */
  #unsavedLeftOut = 0;

  constructor(options: RecordingOptions) {
    this.#options = options;
    this.file = join(options.folder, `${options.caseId}.trace.jsonl.gz`);
    this.partial = new PartialRecording(join(options.folder, `${options.caseId}.trace.jsonl.partial`));
    this.#builder = new TraceBuilder(options.caseId);
    this.#clock = new EventClock(options, options.now);
  }

  /** Events that were taken, those of a recording that is resumed among them. */
  get events(): number {
    return this.#events;
  }

  /** Fields of events that a trace has no place for, with how often they were seen. */
  get unused(): ReadonlyMap<string, number> {
    return this.#unused;
  }

  /** Refuses to begin if something is there already. */
  begin(): void {
    this.partial.refuseLive();
    if (this.#options.force) {
      this.partial.remove();
      return;
    }
    if (this.partial.exists)
      throw new UsageError(
        `${this.partial.file}: an interrupted recording of ${this.#options.caseId}`,
        '--resume continues it, --force begins again without it',
      );
    if (existsSync(this.file)) throw new UsageError(`${this.file} is there already`, '--force replaces it');
  }

  /** Resumes an interrupted recording. What it began with holds for the rest of it. */
  resume(): void {
    if (!this.partial.exists)
      throw new UsageError(`${this.partial.file}: no interrupted recording`, 'leave out --resume');
    const { header, events, linesLeftOut } = this.partial.resume();
    this.#header = header;
    this.#linesLeftOut = linesLeftOut;
    const clock = { arrival: header.clock === 'arrival', gapMs: header.gap_ms, startMs: header.start_ms };
    this.#clock = new EventClock(clock, this.#options.now, header.clock);
    for (const event of events) {
      this.#clock.take(event.time, header.clock);
      this.#add(event);
    }
    this.#unchanged('mas_run_id', '--run-id', this.#options.masRunId, header);
    this.#unchanged('model', '--model', this.#options.model, header);
    this.#unchanged('mac_commit', '--mac-commit', this.#options.macCommit, header);
  }

  #unchanged(
    field: 'mas_run_id' | 'model' | 'mac_commit',
    flag: string,
    asked: string | null,
    header: RecordingHeader,
  ): void {
    if (asked !== null && asked !== header[field])
      throw new UsageError(
        `${flag} ${asked}: the recording began with ${header[field] ?? 'none'}`,
        `leave out ${flag}`,
      );
  }

  /** Takes events as they come; `report` is called for each that is wrong, and the others are taken. */
  async take(chunks: AsyncGenerator<Buffer>, name: string, report: (problem: Problem) => void): Promise<void> {
    const problems = new ForwardedProblems((problem) => {
      this.#linesLeftOut += 1;
      this.#unsavedLeftOut += 1;
      report(problem);
    });
    for await (const batch of readLines(chunks, { file: name, problems, maxBytes: MOST_EVENT_BYTES })) {
      const taken: TimedEvent[] = [];
      for (const record of batch) {
        const value = parseRecord(record, name, problems);
        if (value === FAILED) continue;
        const outcome = this.#accept(value);
        if ('fault' in outcome) problems.add({ file: name, line: record.line, message: outcome.fault });
        else taken.push(outcome.event);
      }
      if (this.#options.live) this.#keep(taken);
    }
    if (this.#options.live) this.#keep([]);
  }

  /** The trace is made, checked as stream validate checks it, and written. */
  async finish(): Promise<RecordedTrace> {
    const { caseId, folder } = this.#options;
    const header = this.#header;
    if (header === null)
      throw new InputError([
        { file: 'standard input', line: null, message: 'found no event, expected at least one', next: 'see --help' },
      ]);
    const linesLeftOut = this.#linesLeftOut;
    const { clock, mas_run_id: masRunId, model, mac_commit: macCommit } = header;
    const more = this.#options.facts ?? {};
    const text = this.#builder.text({ clock, masRunId, model, macCommit, linesLeftOut, more });
    const sha256 = await checkedHash(text, join(folder, `${caseId}.trace.jsonl`));
    const bytes = deterministicGzip(text);
    const isThere = existsSync(this.file) && readFileSync(this.file).equals(bytes);
    if (!isThere && existsSync(this.file) && !this.#options.force)
      throw new UsageError(`${this.file} is there already`, '--force replaces it');
    if (!isThere) writeAside(this.file, bytes);
    this.partial.remove();
    const { deltas, turns, agents, durationMs } = this.#builder;
    return { file: this.file, caseId, deltas, turns, agents, clock, durationMs, linesLeftOut, sha256 };
  }

  #accept(value: unknown): { readonly event: TimedEvent } | { readonly fault: string } {
    const read = readEvent(value);
    if (read.fault !== null) return { fault: read.fault };
    const refused = this.#builder.refuses(read.event);
    if (refused !== null) return { fault: refused };
    const moment = this.#clock.read(read.event.time);
    if ('fault' in moment) return moment;
    const { macCommit, ...spoken } = read.event;
    const header = this.#header ?? this.#headerFor(moment.kind, macCommit);
    if (macCommit !== null && macCommit !== header.mac_commit)
      return {
        fault: `mac_commit: found ${macCommit}, expected ${header.mac_commit ?? 'none'} as the recording began`,
      };
    const event = { ...spoken, time: moment.time };
    this.#clock.take(moment.time, moment.kind);
    this.#header = header;
    this.#add(event);
    for (const field of read.unused) this.#unused.set(field, (this.#unused.get(field) ?? 0) + 1);
    return { event };
  }

  #add(event: TimedEvent): void {
    this.#size += RECORD_BYTES + Buffer.byteLength(JSON.stringify(event));
    if (this.#size > MOST_TRACE_BYTES)
      throw new UsageError(
        `the recording is longer than ${MOST_TRACE_BYTES / 2 ** 20} MiB`,
        'what was kept can be finished with --resume < /dev/null; continue with another case',
      );
    this.#builder.add(event);
    this.#events += 1;
  }

  #headerFor(clock: ClockKind, commitOfEvent: string | null): RecordingHeader {
    const { caseId, gapMs, startMs, masRunId, model, macCommit } = this.#options;
    const first = { assay_recording: 1, case_id: caseId, clock, gap_ms: gapMs, start_ms: startMs } as const;
    return { ...first, mas_run_id: masRunId, model, mac_commit: macCommit ?? commitOfEvent };
  }

  #keep(events: readonly TimedEvent[]): void {
    if (this.#header === null || (events.length === 0 && this.#unsavedLeftOut === 0)) return;
    if (!this.partial.isOpen) this.partial.begin(this.#header);
    this.partial.add(events);
    this.partial.addLeftOut(this.#unsavedLeftOut);
    this.#unsavedLeftOut = 0;
  }
}

/** The hash of a trace that holds together. Only its text can be at fault here: the rest was made by us. */
async function checkedHash(text: string, file: string): Promise<string> {
  const problems = new Problems();
  const findings = new Findings(({ check, record, message }) => {
    if (check !== 'no-message') throw new Error(`a recorded trace that is wrong at record ${record ?? 0}: ${message}`);
    problems.add({ file, line: record, message });
  });
  const { sha256 } = await checkTrace(file, null, new RecordReader(findings), memorySource(file, text));
  problems.throwIfAny();
  return sha256;
}
