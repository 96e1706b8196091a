import { DEFAULT_DATA_OPTIONS } from '../../data/data-options.ts';
import type { ReadContext } from '../../data/format.ts';
import type { Problems } from '../../data/problems.ts';
import { type NamedRecord, Records } from '../../data/records.ts';
import type { Digest, Source } from '../../data/source.ts';
import type { DatasetItemInit } from '../../store/records.ts';
import { hasExactNumbers } from './exact-numbers.ts';

/** An item as a file gives it; without an id of its own where the file has none. */
export interface ReadItem {
  readonly file: string;
  readonly line: number;
  readonly item: DatasetItemInit;
}

/** What the user should hear of a reading although nothing is wrong: each thing once, with how often it came. */
export class Notes {
  readonly #counts = new Map<string, number>();

  add(note: string): void {
    this.#counts.set(note, (this.#counts.get(note) ?? 0) + 1);
  }

  all(): readonly { readonly note: string; readonly times: number }[] {
    return [...this.#counts].map(([note, times]) => ({ note, times }));
  }
}

/** What the parts of the reader share. */
export interface Reading extends ReadContext {
  readonly notes: Notes;
  /** Whether the records are rows of a table, whose cells are text. */
  readonly isTable: boolean;
  /** Whose annotations count where there are several annotators: `first`, a name, or null to refuse such documents. */
  readonly annotator: string | null;
}

export function readingOf(
  file: string,
  isTable: boolean,
  problems: Problems,
  notes: Notes,
  annotator: string | null = null,
): Reading {
  return { file, role: 'cases', options: DEFAULT_DATA_OPTIONS, problems, notes, isTable, annotator };
}

interface RecordReader {
  records(): AsyncGenerator<NamedRecord[]>;
  /** Of what was read, once it has been read to its end. */
  digest(): Digest;
}

const TOO_LONG = 'one item a record is expected, and longer ones are not taken';

/** The records of a file of items. What ends the reading is a problem of that file: others are still read. */
export function recordReader(source: Source, problems: Problems): RecordReader {
  const file = new Records(source, { problems, tooLong: TOO_LONG });
  return { records: () => itemRecords(file, problems), digest: () => file.digest() };
}

async function* itemRecords(file: Records, problems: Problems): AsyncGenerator<NamedRecord[]> {
  const refuse = (message: string): void => problems.add({ file: file.name, line: null, message });
  const before = problems.count;
  let any = false;
  try {
    const start = await file.start();
    if (start === null || start.isBlank) {
      refuse('the file is empty, expected at least one record');
      return;
    }
    for await (const batch of file.objects()) {
      const exact = batch.filter(
        ({ text, line }) => text === null || hasExactNumbers({ text, line }, file.name, problems),
      );
      any ||= exact.length > 0;
      if (exact.length > 0) yield exact;
    }
    if (!any && problems.count === before) refuse('no record was found in this file');
  } catch (error) {
    problems.addThrown(error);
  } finally {
    await file.close();
  }
}
