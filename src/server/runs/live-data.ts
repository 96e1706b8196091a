import type { MeasureValue } from '../../measure/results.ts';
import type { RunAbout } from '../../score/run-about.ts';

/** A figure as lists show it. */
export type ShownFigure = Pick<
  MeasureValue,
  'name' | 'value' | 'undefined' | 'n' | 'interval' | 'noInterval' | 'direction' | 'range' | 'unit' | 'best'
>;

/** A run folder below the folder that is served. */
export interface LiveRun {
  /** Where it is, from the folder that is served, with `/` between the parts; `.` is that folder itself. */
  readonly path: string;
  /** `writing`: being scored just now, maybe again; `broken`: it cannot be read, and `why` has the reason. */
  readonly state: 'ready' | 'writing' | 'broken';
  readonly why: string | null;
  /** Changes whenever the folder's content does. */
  readonly version: string;
  readonly changed: number;
  readonly written: number | null;
  /** Null while there is nothing to read. What is being scored again has what it had before. */
  readonly about: LiveFacts | null;
}

/** What lists show of a run: what people call it, and what came of scoring it. */
export interface LiveFacts extends RunAbout {
  readonly task: string;
  readonly recipe: string;
  /** Runs with the same are scored alike and can be compared. */
  readonly comparable: string;
  readonly cases: number;
  readonly failed: number;
  readonly unanswered: number;
  readonly figures: readonly ShownFigure[];
  /** Open findings of the audit; null without one. */
  readonly findings: { readonly error: number; readonly warning: number; readonly note: number } | null;
}

/** An experiment: a folder that `assay run` fills, or one that only the store knows. */
export interface LiveExperiment {
  /** Its folder, as paths of runs are; null without one. */
  readonly path: string | null;
  readonly name: string;
  readonly dataset: string | null;
  readonly state: 'running' | 'stopped' | 'finished' | 'stored';
  readonly done: number;
  readonly failed: number;
  /** Null if it is not known how many there will be. */
  readonly total: number | null;
  /** Its scored runs, one for each repeat, as paths of LiveRun. */
  readonly runs: readonly string[];
  readonly changed: number | null;
  readonly scores: readonly { readonly name: string; readonly mean: number | null; readonly n: number }[];
}

export interface LiveReview {
  readonly name: string;
  readonly task: string;
  readonly items: number;
  readonly people: number;
  readonly assigned: number;
  readonly begun: number;
  readonly finished: number;
  /** Decisions of adjudicators that hold. */
  readonly decided: number;
}

/** What `GET /live` answers: everything that lists show. */
export interface Live {
  /** The folder's own name; never its path. */
  readonly folder: string;
  /** False: the folder is not there, or not yet. */
  readonly exists: boolean;
  readonly runs: readonly LiveRun[];
  readonly experiments: readonly LiveExperiment[];
  readonly reviews: readonly LiveReview[];
  /** What could not be looked at, one sentence each. */
  readonly notices: readonly string[];
}

/** A folder below the one that is served, by what it holds. */
export interface LiveFolder {
  readonly path: string;
  readonly folder: string;
  readonly kind: 'run' | 'writing' | 'experiment';
}
