import { compareText, describe, harmless } from '../../plugin.ts';

/** What holds in a good set of files, by the name that a finding has when it does not. */
export const FILE_CHECKS = {
  alias: 'a field under an earlier name has the value of its metric',
  'buffer-text': 'a summary is of the text that the trace has there',
  'case-id': 'all records of a file, and its manifest entry, are of one case',
  'case-list-hash': 'a manifest has the hash of the case list',
  'content-hash': 'the end of a turn has the hash of the turn’s text',
  count: 'stated counts and sums are those of the records, and a file has records',
  ctu: 'units are a quarter of the code points, rounded up',
  'dataset-hash': 'the hash of a set is that of its run, case list and traces',
  decision: 'each decision to summarise leads to a summary, and each summary has a cause',
  duplicate: 'each case and each file occurs once',
  'file-hash': 'a manifest has the hash of each trace’s decompressed bytes',
  flags: 'schema_ok, limits_ok and failure_mode agree',
  'flush-reason': 'the reason of a flush can be true',
  'flush-text': 'a flush has the hash of its agent’s deltas',
  history: 'a summary names the summaries before it',
  id: 'an event’s id is made of its case, variant and index',
  index: 'events are numbered from 0 without gaps',
  'input-hash': 'a summary has the hash of the text that the summarizer was given',
  interval: 'a mean has an interval, or the reason why not',
  'mac-commit': 'a manifest names the version of the agents that its traces name',
  missing: 'what is named is among the files',
  'no-message': 'a trace has at least one message',
  order: 'records are in the order of their types, and those that occur once do so',
  readable: 'a file can be read to its end, each line of it JSON',
  schema: 'a record has the fields of its type',
  'semantics-text': 'summary_semantics_text is made of the fields of the summary',
  seq: 'seq rises',
  t0: 't0_emitted_ms is the time of the first delta',
  time: 'times do not run backwards, and relative times count from t0',
  timestamp: 'an event has the time that the trace has for its end_seq',
  'trace-hash': 'a run log has the hash of its trace',
  trigger: 'all summaries of a log have the trigger that its other records imply',
  turn: 'turns start and end in pairs, each with its own agent’s deltas',
  unlisted: 'a manifest lists every trace among the files',
  'variant-id': 'all records of a run log are of one variant',
  window: 'a window is in the trace, and is that of what led to the event',
} as const;
export type FileCheck = keyof typeof FILE_CHECKS;

/** One thing that is wrong. Its texts are safe to print. */
export interface FileFinding {
  readonly file: string;
  /** Line of the decompressed file; null for what concerns the file as a whole. */
  readonly record: number | null;
  readonly check: FileCheck;
  /** What was found and what was expected, as one sentence without a full stop. */
  readonly message: string;
}

/** What is not a fault but should be known, each with how often it was seen. */
export type Notice =
  | 'buffer-not-recomputed'
  | 'case-named-after-file'
  | 'empty-folder'
  | 'fallback-timestamp'
  | 'flush-not-recomputed'
  | 'hash-of-packed-trace'
  | 'hash-of-unpacked-trace'
  | 'late-delta'
  | 'log-too-long'
  | 'log-without-trace'
  | 'no-content-hash'
  | 'no-emission-time'
  | 'overlapping-turns'
  | 'reversed-window'
  | 'stub-trace'
  | 'trace-not-at-hand'
  | 'trace-too-large'
  | 'untimed-trace';

/** Where a notice applies; its file is safe to print. */
export interface NoticePlace {
  readonly file: string;
  readonly record: number;
}
export type NoticePlaces = Readonly<Partial<Record<Notice, readonly NoticePlace[]>>>;

/** Places kept of each notice. */
const MOST_PLACES = 100;

/** Hands on what is wrong as it is found, and counts it: however much it is, none of it is held. */
export class Findings {
  readonly #report: (finding: FileFinding) => void;
  readonly #checks = new Map<FileCheck, number>();
  readonly #notices = new Map<Notice, number>();
  readonly #places = new Map<Notice, NoticePlace[]>();
  count = 0;

  constructor(report: (finding: FileFinding) => void) {
    this.#report = report;
  }

  add(file: string, record: number | null, check: FileCheck, message: string): void {
    this.count += 1;
    this.#checks.set(check, (this.#checks.get(check) ?? 0) + 1);
    this.#report({ file: harmless(file), record, check, message: harmless(message) });
  }

  notice(kind: Notice, times = 1): void {
    if (times > 0) this.#notices.set(kind, (this.#notices.get(kind) ?? 0) + times);
  }

  noticeAt(kind: Notice, file: string, record: number): void {
    this.notice(kind);
    const places = this.#places.get(kind) ?? [];
    if (places.length < MOST_PLACES) this.#places.set(kind, [...places, { file: harmless(file), record }]);
  }

  /** The checks that failed, by name, each with how often. */
  checks(): Readonly<Partial<Record<FileCheck, number>>> {
    return Object.fromEntries([...this.#checks].sort(([a], [b]) => compareText(a, b)));
  }

  notices(): Readonly<Partial<Record<Notice, number>>> {
    return Object.fromEntries([...this.#notices].sort(([a], [b]) => compareText(a, b)));
  }

  /** The first places of each notice that has any. */
  noticePlaces(): NoticePlaces {
    return Object.fromEntries([...this.#places].sort(([a], [b]) => compareText(a, b)));
  }
}

export class FileFindings {
  readonly file: string;
  readonly #all: Findings;
  readonly #checks = new Set<FileCheck>();

  constructor(file: string, all: Findings) {
    this.file = file;
    this.#all = all;
  }

  add(line: number | null, check: FileCheck, message: string): void {
    this.#checks.add(check);
    this.#all.add(this.file, line, check, message);
  }

  /** Whether a field has the value that it should have; if not, that is a finding. `why` completes the sentence. */
  compare(line: number | null, check: FileCheck, field: string, found: unknown, expected: unknown, why = ''): boolean {
    if (found !== expected) this.add(line, check, `${field}: found ${plain(found)}, expected ${plain(expected)}${why}`);
    return found === expected;
  }

  /** A value that should occur once occurs again. */
  again(line: number, field: string, what: string, before: number): void {
    this.add(line, 'duplicate', `${field}: found ${what} again, expected it once (record ${before})`);
  }

  notice(kind: Notice, times?: number): void {
    this.#all.notice(kind, times);
  }

  noticeAt(kind: Notice, line: number): void {
    this.#all.noticeAt(kind, this.file, line);
  }

  /** Whether one of these checks has failed. */
  has(...checks: readonly FileCheck[]): boolean {
    return checks.some((check) => this.#checks.has(check));
  }
}

/** Hashes are shown in full and without quotes. */
function plain(value: unknown): string {
  return typeof value === 'string' && value.startsWith('sha256:') ? value : describe(value);
}
