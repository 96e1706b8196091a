import { createHash } from 'node:crypto';

import { startingWith, takeHead } from '../../../data/chunks.ts';
import { refuseForeign } from '../../../data/foreign-bytes.ts';
import { FAILED, parseRecord } from '../../../data/json-record.ts';
import { readLines } from '../../../data/lines.ts';
import { InputError } from '../../../data/problems.ts';
import { OpenSource, type Source } from '../../../data/source.ts';
import { byteOrderMarkLength } from '../../../data/utf8.ts';
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
  readonly #source: OpenSource;
  readonly #limits: Limits;
  readonly #hash = createHash('sha256');
  #unpacked = 0;
  #whole = false;

  constructor(source: Source, limits: Limits = USUAL_LIMITS) {
    this.#source = new OpenSource(source);
    this.#limits = limits;
  }

  async *batches(): AsyncGenerator<(RawRecord | Unreadable)[]> {
    const file = this.#source.name;
    let faults: Unreadable[] = [];
    // What the line reader advises is meant for recipes.
    const ofLines = new ToldProblems(({ line, message }) => void faults.push({ line, fault: message }));
    const ofRecords = new ToldProblems(({ line, message, next }) =>
      faults.push({ line, fault: next === undefined ? message : `${message} (${next})` }),
    );
    try {
      const options = { file, problems: ofLines, maxBytes: this.#limits.recordBytes };
      for await (const batch of readLines(this.#text(), options)) {
        const records = batch.flatMap((record): RawRecord[] => {
          const value = parseRecord(record, file, ofRecords);
          return value === FAILED ? [] : [{ line: record.line, value }];
        });
        yield inOrder(records, faults);
        faults = [];
      }
      this.#whole = true;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      for (const problem of error.problems) ofRecords.add(problem);
    }
    if (faults.length > 0) yield faults;
  }

  /** Once the records have been read to their end. */
  digest(): FileDigest {
    return {
      sha256: `sha256:${this.#hash.copy().digest('hex')}`,
      storedSha256: `sha256:${this.#source.digest().sha256}`,
      unpackedBytes: this.#unpacked,
      whole: this.#whole,
    };
  }

  async *#text(): AsyncGenerator<Buffer> {
    const bytes = this.#counted();
    const head = await takeHead(bytes, 4);
    if (head === null) return;
    refuseForeign(head, this.#source.name);
    yield* startingWith(head.subarray(byteOrderMarkLength(head)), bytes);
  }

  async *#counted(): AsyncGenerator<Buffer> {
    for await (const chunk of this.#source.bytes()) {
      this.#hash.update(chunk);
      this.#unpacked += chunk.length;
      if (this.#unpacked > this.#limits.unpackedBytes) this.#refuseBomb();
      yield chunk;
    }
  }

  #refuseBomb(): void {
    const most = this.#limits.unpackedBytes;
    // A file that is not compressed may have any length.
    if (this.#unpacked <= this.#source.digest().bytes) return;
    throw new InputError([
      {
        file: this.#source.name,
        line: null,
        message: `unpacked, the file is longer than ${Number((most / 2 ** 20).toPrecision(4))} MiB`,
        next: 'if it is meant to be so long, unpack it first',
      },
    ]);
  }
}

function inOrder(records: RawRecord[], faults: readonly Unreadable[]): (RawRecord | Unreadable)[] {
  if (faults.length === 0) return records;
  return [...records, ...faults].sort((a, b) => (a.line ?? Infinity) - (b.line ?? Infinity) || 0);
}
