import type { ReadFile } from '../data/read-rows.ts';
import type { FailedOtherwise, MeasureValue } from '../measure/tally.ts';
import type { ConfusionCount } from './confusion.ts';
import type { RuleCount } from './rule-counts.ts';
import type { CaseTotals } from './score.ts';
import type { UngroundedList } from './ungrounded.ts';
import type { WorstCase } from './worst-cases.ts';

export const RUN_FORMAT = 2;

/** manifest.json: what was scored and how. Holds no time, host or folder name, so that a run again gives the same bytes. */
export interface Manifest {
  readonly format: number;
  readonly assay: string;
  readonly signature: string;
  readonly comparable: string;
  readonly task: string;
  readonly recipe: {
    readonly name: string;
    readonly about: string;
    readonly set: readonly string[];
    readonly resolved: Readonly<Record<string, unknown>>;
  };
  readonly inputs: readonly Omit<ReadFile, 'path'>[];
  /** What reading and scoring noticed and let pass, by name: how many. */
  readonly notices: Readonly<Record<string, number>>;
  readonly outputs: Readonly<Record<string, { readonly rows: number }>>;
  /** What was written, so that an edit is noticed; absent in runs scored before there was such a list. */
  readonly files?: Readonly<Record<string, FileFact>>;
}

/** A file of a run folder, as it was written. */
export interface FileFact {
  readonly sha256: string;
  readonly bytes: number;
}

/** measures.json */
export interface Measures {
  readonly signature: string;
  readonly cases: CaseTotals;
  readonly measures: readonly MeasureValue[];
  /** Only where failed cases change a value. */
  readonly failedOtherwise?: FailedOtherwise;
  readonly rules: readonly RuleCount[];
  readonly confusion: readonly ConfusionCount[];
  readonly ungrounded: UngroundedList;
}

/** All that a report needs of a run, whether just scored or read from its folder. */
export interface Run {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly measures: Measures;
  readonly worst: readonly WorstCase[];
}
