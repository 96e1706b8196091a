import type { Span } from '../text/span.ts';
import type { SetAside } from './case.ts';
import type { DataOptions, ReadContext } from './data-options.ts';
import type { Fields, Item } from './item.ts';
import type { LineRange } from './lines.ts';
import type { Records } from './records.ts';
import type { BlockReaders } from './span-blocks.ts';

export type { ReadContext, Role } from './data-options.ts';

/** What one file holds about one case. Offsets are still in the file's own unit. */
export interface Row {
  readonly id: string;
  readonly line: number;
  readonly text: string | null;
  /** Places of the tokens that the file cuts the text into, in UTF-16 units. */
  readonly tokens?: readonly Span[];
  readonly fields: Fields;
  readonly gold: readonly Item[] | null;
  readonly predicted: readonly Item[] | null;
  readonly failed: string | null;
  /** What the system found and took out itself before it answered, each with its reason. */
  readonly rejected?: readonly Pick<SetAside, 'item' | 'because'>[];
  /** How many fields the system took off items whose label does not have them. */
  readonly fieldsTakenOff?: number;
}

interface FormatBase {
  readonly name: string;
  readonly about: string;
  /** One short example, shown by help and by messages. */
  readonly example: string;
}

/** What a system made of a case, as plain JSON, or why it made nothing. */
export interface Answer {
  readonly id: string;
  /** What it was given. */
  readonly input: unknown;
  readonly output?: unknown;
  readonly error?: string | undefined;
}

/** What of a record becomes an item of a dataset. */
export interface ItemFields {
  /** Names of the id, the likeliest first. */
  readonly ids: readonly string[];
  /** The lists that are its answer, by their names in records, with what datasets call them. */
  readonly answer: Readonly<Record<string, string>>;
  /** What records call the fields of a listed object, by what datasets call them. */
  readonly names?: Readonly<Record<string, string>>;
  /** Which of it is the input: all but the answer, or its text, with the rest as metadata. Without it, there are no cases. */
  readonly input?: 'record' | 'text';
  /** Fields of a system's output. */
  readonly outputs?: RegExp;
}

/** A shape of JSON records: one small file each, beside the others. */
export interface JsonFormat extends FormatBase {
  readonly kind: 'json';
  readonly item?: ItemFields;
  /** Whether the first record of a file looks like this format. */
  detects(record: Fields): boolean;
  /** The row of a record, or all rows of one that holds several cases. */
  read(record: Fields, line: number, context: ReadContext): Row | readonly Row[] | null;
  /** A line of predictions that `read` takes, of what a system made of a case. */
  write?(answer: Answer): Fields;
}

/** A format of lines or tables (CoNLL, CSV). */
export interface TextFormat extends FormatBase {
  readonly kind: 'text';
  readonly extensions: readonly string[];
  detects(firstLines: readonly string[]): boolean;
  read(records: Records, context: ReadContext): AsyncIterable<Row[]>;
}

export type Format = JsonFormat | TextFormat;

/** How files are read, with formats from user code, tried before the built-in ones. */
export interface ReadOptions extends DataOptions {
  readonly formats?: readonly Format[];
  /** Threads that read along. */
  readonly readers?: BlockReaders;
  /** Of a file with a record a line, the part to read: another part may have what this one lacks. */
  readonly lines?: LineRange;
}
