import type { OffsetUnit } from '../text/offsets.ts';
import type { ItemKind } from './item.ts';
import type { Problems } from './problems.ts';

/** How a file counts places in a text. */
export interface OffsetConvention {
  readonly unit: OffsetUnit;
  /** The end is the last character, not the one after it. */
  readonly inclusive?: boolean;
  /** The first character has the number 1. */
  readonly oneBased?: boolean;
}

/** How files are read and what is done about faults in them: the recipe's `data` section, resolved. */
export interface DataOptions {
  /** Name of a format, or `auto`. */
  readonly format: string;
  /** Unit of places in the ledger, and in files whose format leaves it open, unless `conventions` has it. */
  readonly offsets: OffsetUnit;
  /** How one side counts, whatever its format; only there if the recipe has it. */
  readonly conventions?: Readonly<Partial<Record<'gold' | 'predicted', OffsetConvention>>>;
  /** Which column or field holds what (`{id: document, start: from}`), by `gold.` or `predicted.` for one side. */
  readonly columns: Readonly<Record<string, string>>;
  /** Least similarity of a quote without offsets to the place in the text that it is aligned to; 1: the same but for spelling. */
  readonly fuzzyQuotes?: number;
  /** Documents with several systems' predictions: whose to take (`presidio` for `presidio_detected_pii`). */
  readonly system: string | null;
  /** A prediction for a case that is not in the case file. */
  readonly unknownCase: 'error' | 'spurious';
  /** A case without a gold record, if gold has a separate file or other cases of the file have some. */
  readonly missingGold: 'error' | 'empty' | 'leave-out';
  /** A case without a prediction record: nothing found, a fault of the files, or a failure of the system. */
  readonly missingPrediction: 'empty' | 'error' | 'failed';
  /** A case that the system failed on: in no number, or an empty answer whose gold is missed. */
  readonly failed: 'leave-out' | 'empty';
  /**
   * A span that is past the end, reversed or not its slice: an error; a spurious prediction (gold stays an error); or
   * moved to the closest place that has its text.
   */
  readonly badSpan: 'error' | 'spurious' | 'align';
  /** Entities of a graph have a place in the text, which is read and checked; left out: they are names. */
  readonly places?: 'ignored' | 'required';
  readonly mojibake: 'report' | 'repair';
  /** Labels that may occur; empty means any. */
  readonly labels: readonly string[];
  readonly unknownLabel: { readonly gold: UnknownPolicy; readonly predicted: UnknownPolicy };
  /** Allowed values of fields, by field. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly unknownValue: { readonly gold: UnknownPolicy; readonly predicted: UnknownPolicy };
  /** Names of tags that records have as numbers, in their order. */
  readonly tagNames?: readonly string[];
  /** A tag sequence that begins inside an entity (I- after O). */
  readonly strayInside: 'begin' | 'error';
  readonly maxRecordMiB: number;
}

export type UnknownPolicy = 'error' | 'keep';

export const DEFAULT_DATA_OPTIONS: DataOptions = {
  format: 'auto',
  offsets: 'codepoint',
  columns: {},
  system: null,
  unknownCase: 'error',
  missingGold: 'error',
  missingPrediction: 'empty',
  failed: 'leave-out',
  badSpan: 'error',
  mojibake: 'report',
  labels: [],
  unknownLabel: { gold: 'error', predicted: 'keep' },
  values: {},
  unknownValue: { gold: 'error', predicted: 'keep' },
  strayInside: 'begin',
  maxRecordMiB: 64,
};

/** Which flag a file was given with: `--cases` holds texts and possibly both sides, the others one side each. */
export type Role = 'cases' | 'gold' | 'predictions' | 'reviews';

/** The columns or fields of one file: those for its side go before those for all. */
export function roleColumns(columns: DataOptions['columns'], role: Role): DataOptions['columns'] {
  const sides = role === 'gold' ? ['gold'] : role === 'predictions' ? ['predicted'] : ['gold', 'predicted'];
  const out: Record<string, string> = {};
  for (const [part, name] of Object.entries(columns)) {
    const [, side, own] = /^(gold|predicted)\.(.+)$/.exec(part) ?? [];
    if (side === undefined || own === undefined) out[part] ??= name;
    else if (role === 'cases') out[part] = name;
    else if (sides.includes(side)) out[own] = name;
  }
  return out;
}

/** Gives records without an id their number in the file. */
export interface Numbering {
  /** Of the record that is being read, from 1. */
  at: number;
  /** How many records were numbered. */
  used: number;
}

/** What a reader knows of the file, and where what is wrong goes. */
export interface ReadContext {
  readonly file: string;
  /** Absolute path, if it is a file: its name may be the id of the only case in it. */
  readonly path?: string | null;
  /** Without it, every record needs an id. */
  readonly numbering?: Numbering;
  /** The kinds that the recipe pairs; without it, whatever the file has. */
  readonly kinds?: readonly ItemKind[];
  readonly role: Role;
  readonly options: DataOptions;
  readonly problems: Problems;
}

/**
 * Whether records may be scanned for plain spans. A scanned span has the text at its place as that is written, so places
 * must not have to be counted otherwise, nor labels and values be looked up.
 */
export function mayScanSpans({ offsets, conventions, labels, values }: DataOptions): boolean {
  return offsets !== 'byte' && conventions === undefined && labels.length === 0 && Object.keys(values).length === 0;
}
