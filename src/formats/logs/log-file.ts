import { stat } from 'node:fs/promises';

import type { Fields } from '../../data/item.ts';
import { InputError, Problems } from '../../data/problems.ts';
import { MOST_WHOLE_BYTES } from '../../data/read-file.ts';
import type { ReadFile } from '../../data/read-rows.ts';
import { type NamedRecord, Records } from '../../data/records.ts';
import { OpenSource, type Source, startingWith, takeHead } from '../../data/source.ts';
import { byteOrderMarkLength } from '../../data/utf8.ts';
import { finiteJson } from './finite-json.ts';
import { isZip, openZip, type ZipEntries } from './zip-entries.ts';

const HEAD_BYTES = 65536;
const TOO_LONG = 'a log that is one JSON text has to fit into memory: use the tool’s line or archive format';

/** One JSON object or table row of a log. */
export type LogRecord = Pick<NamedRecord, 'line' | 'values'>;

/** A file of a log: the records of a text, or the entries of an archive. */
export interface LogFile {
  readonly name: string;
  readonly path: string | null;
  /** Null where it is an archive. */
  readonly first: Fields | null;
  readonly isTable: boolean;
  readonly entries: ZipEntries | null;
  /** Once, from the first one on. */
  records(): AsyncGenerator<LogRecord>;
  /** Of a file that has been read. */
  done(format: string, rows: number): Promise<ReadFile>;
  close(): Promise<void>;
}

/** Opens a log: text (gzip or not) or a zip archive. What is wrong with its records goes to `problems`; null: all of it. */
export async function openLogFile(source: Source, problems: Problems): Promise<LogFile | null> {
  const stored = new OpenSource(source);
  const bytes = stored.bytes();
  const head = await takeHead(bytes, HEAD_BYTES);
  if (head === null)
    throw new InputError([{ file: source.name, line: null, message: 'the file is empty, expected a log' }]);
  const all = startingWith(head, bytes);
  return isZip(head) ? archive(source, stored, all) : text(source, stored, all, head, problems);
}

async function text(
  source: Source,
  stored: OpenSource,
  all: AsyncGenerator<Buffer>,
  head: Buffer,
  problems: Problems,
): Promise<LogFile | null> {
  const { name, path } = source;
  const isJson = /^\s*[[{]/.test(head.toString('utf8', byteOrderMarkLength(head), HEAD_BYTES));
  const own = new Problems(problems);
  const records = new Records(
    { name, path, open: () => (isJson ? finiteJson(all) : all) },
    { problems: own, maxBytes: MOST_WHOLE_BYTES, tooLong: TOO_LONG },
  );
  const batches = records.objects();
  const found: LogRecord[] = [];
  const more = async (): Promise<boolean> => {
    const next = await batches.next();
    if (next.done !== true) for (const record of next.value) found.push(record);
    return next.done !== true;
  };
  while (found.length === 0 && (await more()));
  if (found.length === 0) {
    await batches.return(undefined);
    if (own.count === 0)
      problems.add({
        file: name,
        line: null,
        message: 'no record was found in this file, expected a log',
        next: 'assay import --help lists the files that are read',
      });
    return null;
  }
  return {
    name,
    path,
    first: found[0]!.values,
    isTable: (await records.kind()) === 'csv',
    entries: null,
    async *records() {
      do while (found.length > 0) yield found.shift()!;
      while (await more());
    },
    done: async (format, rows) => ({ role: 'cases', name, path, format, ...stored.digest(), rows }),
    close: async () => void (await batches.return(undefined)),
  };
}

/** Entries are read from the disk where that is possible; the bytes are gone through once for their hash. */
async function archive(source: Source, stored: OpenSource, all: AsyncGenerator<Buffer>): Promise<LogFile> {
  const { name, path } = source;
  const isOnDisk = path !== null && (await stat(path)).isFile();
  const held: Buffer[] = [];
  let size = 0;
  for await (const chunk of all) {
    size += chunk.length;
    if (isOnDisk) continue;
    if (size > MOST_WHOLE_BYTES)
      throw new InputError([
        { file: name, line: null, message: 'the archive is too long for standard input', next: 'name it as a file' },
      ]);
    held.push(chunk);
  }
  const entries = await openZip(source, isOnDisk ? null : Buffer.concat(held));
  return {
    name,
    path,
    first: null,
    isTable: false,
    entries,
    async *records() {
      // What an archive holds is in its entries.
    },
    done: async (format, rows) => ({ role: 'cases', name, path, format, ...stored.digest(), rows }),
    close: () => entries.close(),
  };
}
