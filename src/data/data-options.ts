import type { OffsetUnit } from '../text/offsets.ts';
import type { Problems } from './problems.ts';

/** How files are read and what is done about faults in them: the recipe's `data` section, resolved. */
export interface DataOptions {
  /** Name of a format, or `auto`. */
  readonly format: string;
  readonly offsets: OffsetUnit;
  /** CSV: which column holds what (`{id: document, start: from}`). */
  readonly columns: Readonly<Record<string, string>>;
  /** Documents with several systems' predictions: whose to take (`presidio` for `presidio_detected_pii`). */
  readonly system: string | null;
  /** A prediction for a case that is not in the case file. */
  readonly unknownCase: 'error' | 'spurious';
  /** A case without a gold record, if gold has a separate file or other cases of the file have some. */
  readonly missingGold: 'error' | 'empty';
  /** A case without a prediction record: nothing found, a fault of the files, or a failure of the system. */
  readonly missingPrediction: 'empty' | 'error' | 'failed';
  /** A case that the system failed on: in no number, or an empty answer whose gold is missed. */
  readonly failed: 'leave-out' | 'empty';
  /** A predicted span that is past the end, reversed or not its slice. Gold is always an error. */
  readonly badSpan: 'error' | 'spurious';
  /** Entities of a graph have a place in the text, which is read and checked; left out: they are names. */
  readonly places?: 'ignored' | 'required';
  readonly mojibake: 'report' | 'repair';
  /** Labels that may occur; empty means any. */
  readonly labels: readonly string[];
  readonly unknownLabel: { readonly gold: UnknownPolicy; readonly predicted: UnknownPolicy };
  /** Allowed values of fields, by field. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly unknownValue: { readonly gold: UnknownPolicy; readonly predicted: UnknownPolicy };
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

/** What a reader knows of the file, and where what is wrong goes. */
export interface ReadContext {
  readonly file: string;
  readonly role: Role;
  readonly options: DataOptions;
  readonly problems: Problems;
}
