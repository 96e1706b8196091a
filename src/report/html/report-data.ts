import type { Comparison } from '../../compare/comparison.ts';
import type { Audit } from '../../audit/finding.ts';
import type { ErrorType } from '../../judge/error-type.ts';
import type { Verdict } from '../../judge/verdict.ts';
import type { RunFigures } from '../../figures/run-figures.ts';
import type { CaseResult, LedgerRecord } from '../../score/ledger.ts';
import type { RunNaming } from '../../score/run-about.ts';
import type { Manifest, Measures } from '../../score/run.ts';

/** How much of the texts a report holds. */
export type Texts = 'full' | 'redacted' | 'none';

/** One run as the viewer shows it. Texts from data are in it: they are shown as text and never as markup. */
export interface RunView {
  /** Short, and unlike the other runs of the report. */
  readonly name: string;
  /** What a person called it; absent if nobody did. */
  readonly naming?: RunNaming;
  readonly manifest: Manifest;
  readonly measures: Measures;
  /** What a reader must know before trusting the numbers, one sentence each. */
  readonly notices: readonly string[];
  /** The recipe in force, as YAML. */
  readonly recipe: string;
  /** Measures that come first; never empty if there are any. */
  readonly primary: readonly string[];
  /** Fields of items that attributes of the recipe judge, by attribute. */
  readonly attributes: Readonly<Record<string, string>>;
  /** null if the run folder has none. */
  readonly audit: Audit | null;
  readonly figures: RunFigures | null;
}

/** What a report is about: one run, or several over the same cases, the baseline first. */
export interface ReportHead {
  readonly format: 2;
  readonly runs: readonly RunView[];
  /** Of two runs or more. */
  readonly comparison: Comparison | null;
  readonly texts: Texts;
  /** Rows of the index. */
  readonly cases: number;
  /** The first row of each page; rows of a page follow one another. */
  readonly pages: readonly number[];
  /** Rows from here on have no page since the file would be too large; null: all have one. */
  readonly detailsUntil: number | null;
  /** How many parts the index has; their rows follow one another. */
  readonly indexParts: number;
}

/** Per case, in the order of the file: columns of equal length. */
export interface RunColumns {
  readonly hit: readonly number[];
  readonly missed: readonly number[];
  readonly spurious: readonly number[];
  readonly excused: readonly number[];
  /** 0 scored, 1 failed, 2 without a prediction record, 3 not in this run, 4 failed and counted as an empty answer. */
  readonly state: readonly number[];
  /** Bit n: has an error of `ERROR_TYPES[n]`. */
  readonly errors: readonly number[];
  /** Places in `labels` and `rules` of the index, of items that are missed or spurious and of all verdicts. */
  readonly wrongLabels: readonly (readonly number[])[];
  readonly rules: readonly (readonly number[])[];
  /** Runs with the same number here have the same errors; empty for one run. */
  readonly print: readonly number[];
  /** The primary measures that have a value per case, and the one that cases change by. */
  readonly measures: Readonly<Record<string, readonly (number | null)[]>>;
}

/** All cases in short: what the list filters and sorts by. */
export interface CaseIndex {
  readonly ids: readonly string[];
  readonly labels: readonly string[];
  readonly rules: readonly string[];
  /** By column that slices: its values, and each case's place in them (-1: none). */
  readonly slices: Readonly<Record<string, { readonly values: readonly string[]; readonly of: readonly number[] }>>;
  /** As in `head.runs`. */
  readonly runs: readonly RunColumns[];
}

/** A line of the ledger with its places in UTF-16 units of the case's text, and its type of error. */
export type ViewRecord = LedgerRecord & { readonly error?: ErrorType };

export interface CaseDetail {
  readonly case: string;
  readonly text: string | null;
  /** Why the text is absent. */
  readonly noText: string | null;
  /** As in `head.runs`; null if the run does not have the case. */
  readonly runs: readonly ({ readonly result: CaseResult; readonly records: readonly ViewRecord[] } | null)[];
}

/** The same before it is on a page: with the verdicts of the recipe's own pairing. */
export interface ReportCase extends Omit<CaseDetail, 'runs'> {
  readonly runs: readonly ({ readonly result: CaseResult; readonly verdicts: readonly Verdict[] } | null)[];
}
