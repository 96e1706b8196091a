import { FAILED, parseRecord } from '../../../data/json-record.ts';
import { Records } from '../../../data/records.ts';
import type { Source } from '../../../data/source.ts';
import { ToldProblems } from './told-problems.ts';

/** One record of a file: any JSON value, with its line. */
export interface RawRecord {
  readonly line: number;
  readonly value: unknown;
}

/** A line that is no record, or why the file cannot be read on: then there may be no line. */
export interface Unreadable {
  readonly line: number | null;
  readonly fault: string;
}

export interface Limits {
  /** Longest record, in bytes. */
  readonly recordBytes: number;
  /** A packed file that unpacks to more is refused: a few kilobytes may hide a terabyte. */
  readonly unpackedBytes: number;
}

export const USUAL_LIMITS: Limits = { recordBytes: 64 * 2 ** 20, unpackedBytes: 2 * 2 ** 30 };

/** What is known of the bytes once they have been read. */
export interface FileDigest {
  /** `sha256:…` of the unpacked bytes. */
  readonly sha256: string;
  /** `sha256:…` of the bytes as they are stored. */
  readonly storedSha256: string;
  readonly unpackedBytes: number;
  /** False where the reading broke off: then the hashes mean nothing. */
  readonly whole: boolean;
}

/**
 * The records of a file of JSON lines, packed or not, one after the other and none of them held. What cannot be read is
 * told and left out; a file that breaks off ends there.
 */
export class RecordFile {
  readonly #records: Records;
  #faults: Unreadable[] = [];
  #whole = false;

  constructor(source: Source, { recordBytes, unpackedBytes }: Limits = USUAL_LIMITS) {
    // What the line reader advises is meant for recipes.
    const problems = new ToldProblems(({ line, message }) => void this.#faults.push({ line, fault: message }));
    this.#records = new Records(source, { problems, maxBytes: recordBytes, maxUnpacked: unpackedBytes });
  }

  async *batches(): AsyncGenerator<(RawRecord | Unreadable)[]> {
    const file = this.#records.name;
    const ofRecords = new ToldProblems(({ line, message, next }) =>
      this.#faults.push({ line, fault: next === undefined ? message : `${message} (${next})` }),
    );
    try {
      for await (const batch of this.#records.lines()) {
        const records = batch.flatMap((record): RawRecord[] => {
          const value = parseRecord(record, file, ofRecords);
          return value === FAILED ? [] : [{ line: record.line, value }];
        });
        yield inOrder(records, this.#faults);
        this.#faults = [];
      }
      this.#whole = true;
    } catch (error) {
      ofRecords.addThrown(error);
    }
    if (this.#faults.length > 0) yield this.#faults;
  }

  /** Once the records have been read to their end. */
  digest(): FileDigest {
    const { sha256, bytes } = this.#records.content();
    return {
      sha256: `sha256:${sha256}`,
      storedSha256: `sha256:${this.#records.digest().sha256}`,
      unpackedBytes: bytes,
      whole: this.#whole,
    };
  }
}

function inOrder(records: RawRecord[], faults: readonly Unreadable[]): (RawRecord | Unreadable)[] {
  if (faults.length === 0) return records;
  return [...records, ...faults].sort((a, b) => (a.line ?? Infinity) - (b.line ?? Infinity) || 0);
}
