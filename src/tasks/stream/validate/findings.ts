import { harmless } from '../../../data/visible.ts';

/** What a file was checked for. */
export type Check =
  | 'alias'
  | 'buffer-text'
  | 'case-id'
  | 'case-list-hash'
  | 'content-hash'
  | 'count'
  | 'ctu'
  | 'dataset-hash'
  | 'decision'
  | 'duplicate'
  | 'file-hash'
  | 'flags'
  | 'flush-reason'
  | 'flush-text'
  | 'history'
  | 'id'
  | 'index'
  | 'input-hash'
  | 'interval'
  | 'mac-commit'
  | 'missing'
  | 'no-message'
  | 'order'
  | 'readable'
  | 'schema'
  | 'semantics-text'
  | 'seq'
  | 't0'
  | 'time'
  | 'timestamp'
  | 'trace-hash'
  | 'trigger'
  | 'turn'
  | 'unlisted'
  | 'variant-id'
  | 'window';

/** One thing that is wrong. Its texts are safe to print. */
export interface Finding {
  readonly file: string;
  /** Line of the unpacked file; null for what concerns the file as a whole. */
  readonly record: number | null;
  readonly check: Check;
  /** What was found and what was expected, as one sentence without a full stop. */
  readonly message: string;
}

/** What is no fault but should be known, each with how often it was seen. */
export type Notice =
  | 'buffer-not-recomputed'
  | 'case-named-after-file'
  | 'crossed-turns'
  | 'empty-folder'
  | 'fallback-timestamp'
  | 'flush-not-recomputed'
  | 'hash-of-packed-trace'
  | 'hash-of-unpacked-trace'
  | 'log-too-long'
  | 'log-without-trace'
  | 'no-content-hash'
  | 'no-emission-time'
  | 'reversed-window'
  | 'stub-trace'
  | 'trace-not-at-hand'
  | 'trace-too-large';

/** Hands on what is wrong as it is found, and counts it: however much it is, none of it is held. */
export class Findings {
  readonly #report: (finding: Finding) => void;
  readonly #notices = new Map<Notice, number>();
  #count = 0;

  constructor(report: (finding: Finding) => void) {
    this.#report = report;
  }

  add(file: string, record: number | null, check: Check, message: string): void {
    this.#count += 1;
    this.#report({ file: harmless(file), record, check, message: harmless(message) });
  }

  notice(kind: Notice, times = 1): void {
    if (times > 0) this.#notices.set(kind, (this.#notices.get(kind) ?? 0) + times);
  }

  get count(): number {
    return this.#count;
  }

  notices(): Readonly<Partial<Record<Notice, number>>> {
    const found: Partial<Record<Notice, number>> = {};
    for (const [kind, times] of [...this.#notices].sort(([a], [b]) => (a < b ? -1 : 1))) found[kind] = times;
    return found;
  }
}
