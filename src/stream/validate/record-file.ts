import { FAILED, fileSource, parseRecord, type Problem, Problems, Records, type Source } from '../../plugin.ts';
import type { Findings } from './findings.ts';

interface RawRecord {
  readonly line: number;
  readonly value: unknown;
}

/** A line that is not a record, or why the file cannot be read on: then there may be no line. */
interface Unreadable {
  readonly line: number | null;
  readonly fault: string;
}

export interface Limits {
  /** Longest record, in bytes. */
  readonly recordBytes: number;
  /** A compressed file that is larger than this when decompressed is refused: a few kilobytes may hide a terabyte. */
  readonly unpackedBytes: number;
}

export const DEFAULT_LIMITS: Limits = { recordBytes: 64 * 2 ** 20, unpackedBytes: 2 * 2 ** 30 };

/** What is known of the bytes once they have been read. */
export interface FileDigest {
  /** `sha256:…` of the decompressed bytes. */
  readonly sha256: string;
  /** `sha256:…` of the bytes as they are stored. */
  readonly storedSha256: string;
  /** False if the reading broke off: then the hashes mean nothing. */
  readonly whole: boolean;
}

/** Hands on each problem at once; none is held. */
export class ForwardedProblems extends Problems {
  readonly #to: (problem: Problem) => void;

  constructor(to: (problem: Problem) => void) {
    super();
    this.#to = to;
  }

  override add(problem: Problem): void {
    this.#to(problem);
  }
}

/**
 * The records of a file of JSON lines, compressed or not, a batch at a time. What cannot be read is one of them, with
 * its line; a file that breaks off ends there.
 */
export async function* recordBatches(
  source: Source,
  { recordBytes, unpackedBytes }: Limits = DEFAULT_LIMITS,
): AsyncGenerator<(RawRecord | Unreadable)[], FileDigest> {
  let faults: Unreadable[] = [];
  // What the line reader advises is meant for recipes.
  const ofLines = new ForwardedProblems(({ line, message }) => void faults.push({ line, fault: message }));
  const ofRecords = new ForwardedProblems(({ line, message, next }) => {
    faults.push({ line, fault: next === undefined ? message : `${message} (${next})` });
  });
  const records = new Records(source, { problems: ofLines, maxBytes: recordBytes, maxDecompressed: unpackedBytes });
  let whole = false;
  try {
    for await (const batch of records.lines()) {
      const read = batch.flatMap((record): (RawRecord | Unreadable)[] => {
        const value = parseRecord(record, source.name, ofRecords);
        return value === FAILED ? [] : [{ line: record.line, value }];
      });
      yield faults.length === 0
        ? read
        : [...read, ...faults].sort((a, b) => (a.line ?? Infinity) - (b.line ?? Infinity) || 0);
      faults = [];
    }
    whole = true;
  } catch (error) {
    ofRecords.addThrown(error);
  }
  if (faults.length > 0) yield faults;
  return { sha256: `sha256:${records.content().sha256}`, storedSha256: `sha256:${records.digest().sha256}`, whole };
}

export interface RecordCheck {
  see(value: unknown, line: number): void;
  /** A record could not be read here, which has been reported. */
  lost(): void;
}

export const NO_CHECK: RecordCheck = { see: () => undefined, lost: () => undefined };

interface Pauses {
  beforeFile?(): void | Promise<void>;
  /** Between batches of a file: the writer of the findings may have to catch up. */
  betweenBatches?(): void | Promise<void>;
}

/** Hands files to their checks, and counts what is read. */
export class RecordReader {
  readonly findings: Findings;
  readonly #limits: Limits;
  readonly #pauses: Pauses;
  /** Lines that were read, whether they turned out to be records or not. */
  records = 0;

  constructor(findings: Findings, limits: Limits = DEFAULT_LIMITS, pauses: Pauses = {}) {
    this.findings = findings;
    this.#limits = limits;
    this.#pauses = pauses;
  }

  async read(path: string, check: RecordCheck, source: Source = fileSource(path)): Promise<FileDigest> {
    await this.#pauses.beforeFile?.();
    const batches = recordBatches(source, this.#limits);
    for (;;) {
      const batch = await batches.next();
      if (batch.done === true) return batch.value;
      for (const record of batch.value) {
        this.records += 1;
        if ('fault' in record) {
          this.findings.add(path, record.line, 'readable', record.fault);
          check.lost();
        } else check.see(record.value, record.line);
      }
      await this.#pauses.betweenBatches?.();
    }
  }
}
