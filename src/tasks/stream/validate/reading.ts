import { fileSource, type Source } from '../../../data/source.ts';
import type { Findings } from './findings.ts';
import { type FileDigest, type Limits, type RawRecord, RecordFile, USUAL_LIMITS } from './record-file.ts';

/** Something that looks at a file record by record. */
export interface RecordCheck {
  take(record: RawRecord): unknown;
  /** A record could not be read here, which has been told. */
  lost(): void;
}

/** Moments at which the reading waits for others. */
export interface Pauses {
  beforeFile?(): void | Promise<void>;
  /** Between pieces of a file: whoever writes down what is found may have to catch up. */
  betweenPieces?(): void | Promise<void>;
}

/** Hands files to their checks, and counts what is read. */
export class Reading {
  readonly findings: Findings;
  readonly limits: Limits;
  readonly #pauses: Pauses;
  #records = 0;

  constructor(findings: Findings, limits: Limits = USUAL_LIMITS, pauses: Pauses = {}) {
    this.findings = findings;
    this.limits = limits;
    this.#pauses = pauses;
  }

  /** Lines that were read, whether they turned out to be records or not. */
  get records(): number {
    return this.#records;
  }

  async into(path: string, check: RecordCheck, source: Source = fileSource(path)): Promise<FileDigest> {
    await this.#pauses.beforeFile?.();
    const file = new RecordFile(source, this.limits);
    for await (const batch of file.batches()) {
      for (const record of batch) {
        this.#records += 1;
        if ('fault' in record) {
          this.findings.add(path, record.line, 'readable', record.fault);
          check.lost();
        } else check.take(record);
      }
      await this.#pauses.betweenPieces?.();
    }
    return file.digest();
  }
}
