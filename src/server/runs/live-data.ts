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
  /** When it was scored, in ms. */
  readonly date: number;
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
  /** The release that scored it. */
  readonly assay: string;
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
  /** When it began, in ms; null if that is not known. */
  readonly started: number | null;
  /** What its calls used, as far as that is known; null without a log. */
  readonly spent: ExperimentSpent | null;
  readonly scores: readonly { readonly name: string; readonly mean: number | null; readonly n: number }[];
}

export interface PromptTurn {
  readonly role: string;
  readonly content: string;
}

/** The call behind an item of an experiment; what is null is not known, or not for a page that shows no texts. */
export interface ItemCall {
  /** Kind of target: `model`, `http`, `command` and so on. */
  readonly target: string;
  readonly model: string | null;
  /** `isTemplate`: the words with their variables, where the trace of the call is not in the store. */
  readonly prompt: { readonly turns: readonly PromptTurn[]; readonly isTemplate: boolean } | null;
  /** `isRaw`: the model output, word for word; else the output as JSON. */
  readonly answer: { readonly text: string; readonly isRaw: boolean } | null;
  readonly failed: { readonly kind: string; readonly message: string } | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cost: number | null;
  readonly latencyMs: number | null;
  readonly attempts: number;
  readonly isCached: boolean;
  readonly isBatched: boolean;
  readonly date: number | null;
}

export interface ExperimentSpent {
  readonly tokens: number;
  readonly cost: number;
  /** Calls whose tokens, or whose cost, are not in these. */
  readonly withoutTokens: number;
  readonly withoutCost: number;
}

export interface LiveReview {
  readonly name: string;
  readonly task: string;
  /** null if it is not recorded. */
  readonly recipe: string | null;
  readonly created: number;
  /** Runs that were scored with the answers of its reviewers, as paths of LiveRun. */
  readonly runs: readonly string[];
  readonly items: number;
  readonly people: number;
  readonly assigned: number;
  readonly begun: number;
  readonly finished: number;
  /** Conflicts that an adjudicator has decided. */
  readonly decided: number;
}

/**
 * What runs share that were scored by the same recipe over the same cases and gold, by whatever release of Assay: scores
 * over time go on after an upgrade.
 */
export function seriesOf({ comparable }: { readonly comparable: string }): string {
  return comparable.replace(/^assay:[^|]*\|/, '');
}

/** What `GET /live/history` answers: the runs of the series of one of them, the oldest first. */
export interface RunHistory {
  readonly task: string;
  readonly recipe: string;
  readonly runs: readonly {
    readonly path: string;
    readonly date: number;
    /** The release that scored it. */
    readonly assay: string;
    /** All that are of no slice. */
    readonly figures: readonly ShownFigure[];
  }[];
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
