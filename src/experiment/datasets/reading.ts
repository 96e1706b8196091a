import { DEFAULT_DATA_OPTIONS } from '../../data/data-options.ts';
import type { ReadContext } from '../../data/format.ts';
import type { Problems } from '../../data/problems.ts';
import type { DatasetItemInit } from '../../store/records.ts';

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
