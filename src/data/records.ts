import { existsSync } from 'node:fs';
import { basename } from 'node:path';

import { type CsvRecord, csvRecords, hasWrongNames, valuesByName } from './csv-records.ts';
import type { Fields } from './item.ts';
import { FAILED, parseRecord } from './json-record.ts';
import { readJsonValues } from './json-values.ts';
import { type LineOptions, type LineRange, linesWithin, readLines, type ScanLine, type TextRecord } from './lines.ts';
import { InputError, type Problems } from './problems.ts';
import { readText } from './read-file.ts';
import { describe, isRecord } from './record-fields.ts';
import { type BlockReaders, readBlocks } from './span-blocks.ts';
import { isSpanCase, type SpanCase } from './span-case.ts';
import { type Digest, digestWith, OpenSource, type Source, startingWith, takeHead } from './source.ts';
import { byteOrderMarkLength, decodeUtf8, refuseForeign } from './utf8.ts';

export interface RecordOptions {
  /** Where all that is wrong with a record goes; what ends the reading is thrown as an InputError. */
  readonly problems: Problems;
  /** Longest record taken, in bytes; and advice for a longer one, where it is not that of scoring. */
  readonly maxBytes?: number;
  readonly tooLong?: string;
  /** Most bytes that a compressed file may expand to: a few kilobytes may hide a terabyte. */
  readonly maxDecompressed?: number;
  /** Of a file with a record a line, the part to read. */
  readonly lines?: LineRange | undefined;
}

/** How a file begins, as text and without a byte order mark. */
export interface FileStart {
  readonly text: string;
  /** There is nothing but white space in all of it. */
  readonly isBlank: boolean;
}

type ReadStart<T> = (start: string) => AsyncIterable<T[]>;

interface WholeOptions {
  readonly mayBeEmpty?: boolean;
  /** Asked where no record was handed on: whether there was none. */
  readonly isEmpty?: () => boolean;
  /** Gets what is wrong with a file that holds nothing, in place of the problems. */
  readonly onEmpty?: (message: string) => void;
}

type Begun = FileStart & Readonly<{ body: AsyncGenerator<Buffer> }>;

/** One JSON value, with the text that it was. */
export interface JsonRecord extends TextRecord {
  readonly value: unknown;
}

/** One JSON object, or one row of a table by the names of its header. */
export interface NamedRecord {
  readonly kind: TableKind;
  readonly line: number;
  readonly values: Fields;
  /** The JSON; null in a table. */
  readonly text: string | null;
}

export type TableKind = 'json' | 'csv';

const HEAD_BYTES = 65536;
const MAX_RECORD = 64 * 1048576;
/** Parsed records that wait for their turn are what garbage collection pays for. */
const GROUP = 16;

/**
 * The records of one file, compressed or not: lines, JSON values, rows of a table, or objects of either. It is read once, a few
 * records at a time, whatever its size.
 *
 * @example for await (const batch of new Records(fileSource('a.csv.gz'), { problems }).objects()) …
 */
export class Records {
  readonly name: string;
  readonly limits: LineOptions;
  readonly #lines: LineRange | null;
  readonly #opened: OpenSource;
  readonly #bytes: AsyncGenerator<Buffer>;
  #columns: readonly string[] | null = null;
  #begun: Promise<Begun | null> | null = null;
  #isBinary: ((head: Buffer) => boolean) | null = null;
  /** Digests of the files beside it that were read too. */
  readonly #besides: (Digest & { readonly name: string })[] = [];

  constructor(source: Source, { problems, maxBytes = MAX_RECORD, tooLong, maxDecompressed, lines }: RecordOptions) {
    this.name = source.name;
    this.#lines = lines ?? null;
    this.limits = { file: source.name, problems, maxBytes, ...(tooLong === undefined ? {} : { tooLong }) };
    this.#opened = new OpenSource(source, maxDecompressed);
    this.#bytes = this.#opened.bytes();
  }

  /** Null for a file without a byte. Anything but text is refused. */
  start(): Promise<FileStart | null> {
    return this.#begin(HEAD_BYTES);
  }

  /** Lets bytes through that are not text, if `isBinary` knows them by their beginning; to be said before `start`. */
  allow(isBinary: (head: Buffer) => boolean): void {
    this.#isBinary = isBinary;
  }

  /** All bytes, for formats that need the whole file. */
  async bytes(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of this.#body()) {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= this.limits.maxBytes) continue;
      const message = `the file is longer than ${this.limits.maxBytes / 1048576} MiB, and its format needs it whole`;
      const next = 'split it, or raise the limit with --set data.maxRecordMiB=NUMBER';
      throw new InputError([{ file: this.name, line: null, message, next }]);
    }
    return Buffer.concat(chunks);
  }

  /** All of it as text. */
  async text(): Promise<string> {
    return decodeUtf8(await this.bytes(), 1, this.name, this.limits.problems) ?? '';
  }

  /** The text of a file such as a.txt beside a.ann; null if it does not exist. Places in it count a byte order mark. */
  async beside(path: string): Promise<string | null> {
    if (!existsSync(path)) return null;
    const { text, hasMark, storedSha256, storedBytes } = await readText(path, this.limits.maxBytes);
    this.#besides.push({ name: basename(path), sha256: storedSha256, bytes: storedBytes });
    return hasMark ? `\ufeff${text}` : text;
  }

  /** The lines that are not blank, one batch a chunk. */
  lines(): AsyncGenerator<TextRecord[]> {
    return readLines(this.#body(4), this.limits);
  }

  /** JSON values: one a line, the elements of an array, or objects that are laid out over several lines; and what is scanned. */
  values(): AsyncGenerator<JsonRecord[]>;
  values(scan: ScanLine<SpanCase>, readers?: BlockReaders): AsyncGenerator<(JsonRecord | SpanCase)[]>;
  async *values(scan?: ScanLine<SpanCase>, readers?: BlockReaders): AsyncGenerator<(JsonRecord | SpanCase)[]> {
    const { file, problems } = this.limits;
    let group: (JsonRecord | SpanCase)[] = [];
    const isLaidOut = !(await this.isByLine());
    const body = this.#lines === null ? this.#body() : linesWithin(this.#body(), this.#lines);
    const records = isLaidOut ? readJsonValues(body, this.limits) : readBlocks(body, this.limits, scan, readers);
    for await (const batch of records) {
      for (const record of batch) {
        const value = isSpanCase(record) ? record : parseRecord(record, file, problems);
        if (value === FAILED) continue;
        group.push(isSpanCase(record) ? record : { ...record, value });
        if (group.length < GROUP) continue;
        yield group;
        group = [];
      }
      if (group.length > 0) yield group;
      group = [];
    }
  }

  /** Whether JSON values are read one a line, not as elements of an array or laid out over several lines. */
  async isByLine(): Promise<boolean> {
    const start = (await this.start())?.text ?? '';
    // A list a line is not one list of them.
    if (/^\s*\[[^\n]*\][ \t]*\r?\n\[/.test(start)) return true;
    return !/^\s*(?:\[|\{[ \t]*\r?\n)/.test(start) && !/\.json(?:\.gz|\.zst)?$/i.test(this.name);
  }

  /** The rows of a table that are not blank, its header first. */
  rows(): AsyncGenerator<CsvRecord[]> {
    return csvRecords(this.#body(), this.limits);
  }

  /** JSON or a table, by how the file begins or else by its name. */
  async kind(): Promise<TableKind> {
    const start = (await this.start())?.text ?? '';
    return /^\s*[[{]/.test(start) || /\.(?:jsonl?|ndjson)(?:\.gz|\.zst)?$/i.test(this.name) ? 'json' : 'csv';
  }

  /** The objects of a JSON file, or the rows of a table by name. Columns without a name are left out, unless asked for. */
  async *objects(nameless: 'first' | 'none' = 'none'): AsyncGenerator<NamedRecord[]> {
    const { file, problems } = this.limits;
    if ((await this.kind()) === 'csv') {
      yield* this.#tableObjects(nameless);
      return;
    }
    for await (const batch of this.values()) {
      const out: NamedRecord[] = [];
      for (const { line, text, value } of batch) {
        if (isRecord(value)) out.push({ kind: 'json', line, text, values: value });
        else problems.add({ file, line, message: `expected a JSON object, found ${describe(value)}` });
      }
      yield out;
    }
  }

  /**
   * Reads one of several files to its end. What is wrong with it as a whole, or ends its reading, is a problem like
   * others: the other files are still read. `isEmpty` knows of records that `read` puts elsewhere.
   */
  async *whole<T>(
    read: ReadStart<T>,
    { mayBeEmpty = false, isEmpty = () => true, onEmpty }: WholeOptions = {},
  ): AsyncGenerator<T[]> {
    const { file, problems } = this.limits;
    const refuse = onEmpty ?? ((message): void => problems.add({ file, line: null, message }));
    const before = problems.count;
    let isFound = false;
    try {
      const start = await this.start();
      const what = start === null ? 'is empty' : 'holds only blank lines';
      if ((start?.isBlank ?? true) && !mayBeEmpty) return refuse(`the file ${what}, expected at least one record`);
      for await (const batch of read(start?.text ?? '')) {
        isFound ||= batch.length > 0;
        yield batch;
      }
      if (!isFound && isEmpty() && problems.count === before && this.#lines === null)
        refuse('no record was found in this file');
    } catch (error) {
      problems.addThrown(error);
    } finally {
      await this.close();
    }
  }

  /** The header of a table whose objects are being read. */
  get columns(): readonly string[] | null {
    return this.#columns;
  }

  /** Of the bytes as they are stored, once all have been read. */
  digest(): Digest {
    return digestWith(this.#opened.digest(), this.#besides);
  }

  /** The same of the decompressed bytes. */
  content(): Digest {
    return this.#opened.content();
  }

  /** For callers that looked at the start and read no further. */
  async close(): Promise<void> {
    await this.#bytes.return(undefined);
  }

  #begin(least: number): Promise<Begun | null> {
    this.#begun ??= takeHead(this.#bytes, least).then((head) => {
      if (head === null) return null;
      if (this.#isBinary?.(head) === true) return { text: '', isBlank: false, body: startingWith(head, this.#bytes) };
      refuseForeign(head, this.name);
      const from = byteOrderMarkLength(head);
      const text = head.toString('utf8', from, from + HEAD_BYTES);
      const isBlank = head.length < least && text.trim() === '';
      return { text, isBlank, body: startingWith(head.subarray(from), this.#bytes) };
    });
    return this.#begun;
  }

  async *#body(least: number = HEAD_BYTES): AsyncGenerator<Buffer> {
    try {
      const begun = await this.#begin(least);
      if (begun !== null) yield* begun.body;
    } finally {
      await this.close();
    }
  }

  async *#tableObjects(nameless: 'first' | 'none'): AsyncGenerator<NamedRecord[]> {
    const { file, problems } = this.limits;
    for await (const batch of this.rows()) {
      const out: NamedRecord[] = [];
      for (const { cells, line } of batch) {
        const columns = this.#columns;
        if (columns === null) {
          this.#columns = cells.map((cell) => cell.trim());
          if (hasWrongNames(this.#columns, line, this.limits)) return;
        } else if (cells.length === columns.length)
          out.push({ kind: 'csv', line, text: null, values: valuesByName(columns, cells, nameless) });
        else {
          const message = `expected ${columns.length} cells as in the header, found ${cells.length}`;
          problems.add({ file, line, field: 'row', message });
        }
      }
      yield out;
    }
  }
}
