import type { OffsetUnit } from '../text/offsets.ts';
import type { Span } from '../text/span.ts';
import type { SetAside } from './case.ts';
import type { DataOptions, ReadContext } from './data-options.ts';
import type { Fields, Item, ItemKind, Side } from './item.ts';
import type { LineRange } from './lines.ts';
import type { MissingList } from './missing-list.ts';
import type { JsonRecord, Records } from './records.ts';
import type { BlockReaders } from './span-blocks.ts';

export type { MissingList } from './missing-list.ts';
export type { ReadContext, Role } from './data-options.ts';

/** Whether a list is named after the side of its file, after the other side, or after neither. */
export type Claim = 'side' | 'neither' | 'other side';

/** What one file holds about one case. Offsets are still in the file's own unit. */
export interface Row {
  readonly id: string;
  readonly line: number;
  /** The file that the line is in, if several are read as one. */
  readonly file?: string;
  readonly text: string | null;
  /** Places of the tokens that the file cuts the text into, in UTF-16 units. */
  readonly tokens?: readonly Span[];
  readonly fields: Fields;
  readonly gold: readonly Item[] | null;
  readonly predicted: readonly Item[] | null;
  readonly failed: string | null;
  /** What the record has instead of a list of annotations: tools write null or nothing for an empty one. */
  readonly missingList?: MissingList | null;
  /** What the list that was read is called, in a file of one side: all rows of a file have to agree. */
  readonly claim?: Claim | undefined;
  /** What the format itself counts places in; without it, what the read declares. */
  readonly unit?: OffsetUnit;
  /** What it has that the recipe does not pair or that has no place in a text, a few words each. */
  readonly leftOut?: readonly string[];
  /** Classes of the whole text, which no recipe scores. */
  readonly categories?: readonly string[];
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
  /** How cases are written in it; null for a format that is only read. */
  readonly writer?: CaseWriter;
}

/** A case as a writer gets it: places are in the unit that the writer counts in. */
export interface WrittenCase {
  readonly id: string;
  readonly text: string | null;
  readonly tokens: readonly Span[] | null;
  readonly fields: Fields;
  /** The side that is written; gold, if both are. */
  readonly side: Side;
  /** Its spans or objects, entities and relationships. */
  readonly items: readonly Item[];
  /** The other side, if both are to be written. */
  readonly predicted: readonly Item[] | null;
  /** Why the system gave no output, if its side is the one that is written. */
  readonly failed: string | null;
}

interface WriterBase {
  /** How its files end, `.jsonl`. */
  readonly extension: string;
  /** Code points if left out. */
  readonly offsets?: OffsetUnit;
  /**
   * What it has room for that most have not: both sides of a case, classes of a whole case, quotes that are looked for in
   * the text, names that have no place in it, items without a label, spans in pieces. A format without the last gets such a
   * span as one from its first piece to its last.
   */
  readonly holds?: readonly ('both' | 'classes' | 'quotes' | 'names' | 'unlabelled' | 'pieces')[];
  /** Places mean nothing in it without the text. */
  readonly needsText?: boolean;
  /** A case id as it can hold it. */
  readonly idOf?: (id: string) => string;
}

/**
 * How cases become files. What a format cannot hold is left out: what was lost is found by reading the files back, not
 * kept track of by the writer.
 */
export type CaseWriter = WriterBase &
  (
    | {
        /** JSON records, one or more a case: a line each, or the elements of an array. */
        readonly layout: 'records';
        readonly isArray?: boolean;
        readonly record: (given: WrittenCase) => Fields | readonly unknown[];
      }
    /** Text that is put together, case after case. */
    | {
        readonly layout: 'text';
        /** The first lines of a file with one side, or both. */
        readonly head?: (side: Side | 'both') => string;
        readonly text: (given: WrittenCase) => string;
      }
    /** Files of each case, by their endings. */
    | {
        readonly layout: 'files';
        readonly files: (given: WrittenCase) => Readonly<Record<string, string | Uint8Array>>;
      }
    /** One file that takes all cases at once. */
    | { readonly layout: 'whole'; readonly whole: (cases: readonly WrittenCase[]) => string | Uint8Array }
  );

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

/** Takes the items of files with an item a row, if several files are read as one. */
export interface FileContext extends ReadContext {
  readonly gathered?: { add(row: Row): void };
}

/** A shape of JSON records: one small file each, beside the others. */
export interface JsonFormat extends FormatBase {
  readonly kind: 'json';
  readonly item?: ItemFields;
  /** Its files are made by models, which may quote what is not in the text. */
  readonly isOutput?: boolean;
  /** Whether a record is one item: those of a case are gathered from all over the file. */
  readonly isPerItem?: (record: Fields) => boolean;
  /** Items that are pieces of one, such as tokens, joined; in the order of the file. */
  readonly join?: (items: readonly Item[]) => readonly Item[];
  /** The kinds of its items, if they do not follow the recipe. */
  readonly kinds?: readonly ItemKind[];
  /** The list of annotations that some record must have, be it null: files without it hold something else. */
  readonly neededList?: string;
  /** Whether a record shows this format by what it holds. */
  detects(record: Fields): boolean;
  /** Whether a record that holds nothing may have this format: decides only if no record shows any. */
  mayBe?(record: Fields): boolean;
  /** The row of a record, or all rows of one that holds several cases. */
  read(record: Fields, line: number, context: ReadContext): Row | readonly Row[] | null;
  /** A line of predictions that `read` takes, of what a system made of a case. */
  predictionLine?(answer: Answer): Fields;
}

/** A format of lines, tables (CoNLL, CSV) or whole documents. */
export interface TextFormat extends FormatBase {
  readonly kind: 'text';
  readonly extensions: readonly string[];
  detects(firstLines: readonly string[]): boolean;
  /** An empty file is a case in which nothing was found. */
  readonly mayBeEmpty?: boolean;
  /** Whether a file that is not text is in this format, by its first bytes. */
  readonly isBinary?: (head: Buffer, name: string) => boolean;
  read(records: Records, context: FileContext): AsyncIterable<Row[]>;
}

/** A file that is not text and holds records, which are read as those of a JSON file. */
export interface RecordsFormat extends FormatBase {
  readonly kind: 'records';
  readonly extensions: readonly string[];
  readonly isBinary: (head: Buffer, name: string) => boolean;
  /** Its records, and the settings that the file itself has. */
  open(records: Records, context: ReadContext): Promise<OpenRecords>;
}

export interface OpenRecords {
  readonly options: Partial<DataOptions>;
  values(): AsyncGenerator<JsonRecord[]>;
}

export type Format = JsonFormat | TextFormat | RecordsFormat;

/** How files are read, with formats from user code, tried before the built-in ones. */
export interface ReadOptions extends DataOptions {
  readonly formats?: readonly Format[];
  /** The kinds that the recipe pairs: what a file that can be read in several ways is read as. */
  readonly kinds?: readonly ItemKind[];
  /** Name of the format of JSON records that show none. */
  readonly likely?: string;
  /** Threads that read along. */
  readonly readers?: BlockReaders;
  /** Of a file with a record a line, the part to read: another part may have what this one lacks. */
  readonly lines?: LineRange;
}
