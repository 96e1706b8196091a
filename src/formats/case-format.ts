import type { Case } from '../data/case.ts';
import type { Answer, Role } from '../data/format.ts';
import type { Fields } from '../data/item.ts';
import type { Problems } from '../data/problems.ts';
import type { CaseReader, CaseSources } from '../data/read-cases.ts';
import type { ReadFile } from '../data/read-rows.ts';
import type { Source } from '../data/source.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { MeasureValue } from '../measure/results.ts';
import type { Plan } from '../recipe/plan.ts';
import type { ReviewSection } from '../recipe/review-section.ts';
import type { PairedDifference } from '../stats/paired-difference.ts';
import type { ConsultReviews } from './consult/consult-reviews.ts';

/** What may be asked of a recipe or a run that not every format can answer. */
export type Use = 'waterfall' | 'sweep' | 'sweep of a run' | 'validate' | 'experiment';

/** The id and the text of a case. */
export interface TextOfCase {
  readonly id: string;
  readonly text: string | null;
}

/** One system's answer to one case as a separate text, or a case that nobody answered, with `system` null. */
export interface AnsweredCase {
  readonly caseId: string;
  readonly system: string | null;
  readonly language: string | null;
  /** What may be shown, by name: `text`, `response`, columns. */
  readonly texts: Readonly<Record<string, string>>;
  /** What was retrieved for it, as the file has it. */
  readonly passages: unknown;
  /** What nobody who judges it may see. */
  readonly hidden: Readonly<Record<string, unknown>>;
}

/** A system's answer to a dataset item. */
export interface WrittenAnswer extends Omit<Answer, 'input'> {
  readonly passages: readonly { readonly text: string; readonly source: string | null }[] | null;
  readonly latencyMs: number | null;
}

/** The answers of one system. */
export interface AnswerFile {
  readonly system: string;
  readonly source: Source;
}

/** What several systems said of the same cases. */
export interface SystemFiles {
  readonly cases?: Source | undefined;
  readonly gold?: Source | undefined;
  /** `source` is undefined if a system's output is in the file of the cases. */
  readonly systems: readonly { readonly system: string; readonly source: Source | undefined }[];
}

/** What people said of the cases, settled as far as it can be, and the files that it is from. */
export interface CaseReviews {
  readonly settled: ConsultReviews;
  readonly files: readonly ReadFile[];
}

/** What one system answered to which cases, as far as it matters to what people say of it. */
export interface SystemAnswers {
  readonly system: string;
  readonly cases: { readonly rows: readonly { readonly id: string }[] };
  readonly answers: {
    readonly rows: readonly {
      readonly caseId: string;
      readonly language: string | null;
      /** The text that is under review. */
      readonly response: string;
      readonly failed: string | null;
    }[];
  };
}

/** Whose word is the class of a case, and the cases that have none. */
export interface ClassTruth {
  readonly by: 'experts' | 'given';
  readonly without: readonly { readonly caseId: string; readonly because: string }[];
}

/** One measure in one language against the recipe's first one, over the cases answered in both. */
export interface ParityRow {
  readonly measure: string;
  readonly language: string;
  readonly usual: string;
  /** Cases that have a value in both languages. */
  readonly pairs: number;
  /** Null where there is no such case. */
  readonly difference: PairedDifference | null;
}

/** Figures of a run that are no measures of the recipe: gathered case by case, asked for once all are scored. */
export interface FormatFigures {
  add(given: Case, verdicts: readonly Verdict[]): void;
  finish(): Promise<{ readonly measures: readonly MeasureValue[]; readonly parity: readonly ParityRow[] }>;
}

/** One system's cases, ready to be read by a plan. */
export interface OpenedSystem {
  readonly system: string;
  read(plan: Plan, reviews: CaseReviews | null): CaseReader;
  figures?(plan: Plan): FormatFigures;
}

export interface OpenedSystems {
  /** With what only the files say filled in. */
  readonly plan: Plan;
  readonly systems: readonly OpenedSystem[];
  /** What each system answered, where it is in memory. */
  readonly held: readonly SystemAnswers[] | null;
  /** The same wherever it is; what would be streamed is held from then on. */
  hold(): Promise<readonly SystemAnswers[]>;
  /** Where cases have a class that people may give. */
  truth?(reviews: CaseReviews | null): ClassTruth;
  /** Columns of the cases that do not slice: nearly every case has a different value. */
  readonly leftColumns: readonly string[];
}

/**
 * How the files of a recipe become cases, and what that means for everything that reads them. Most recipes need none of
 * this: their files are rows of the common formats (`data/formats`), joined by id.
 */
export interface CaseFormat {
  /** The task whose recipes have it; null for all other tasks. */
  readonly task: string | null;
  /** The preset for its files, and fields that only they have: of cases, and of model output. */
  readonly own?: { readonly preset: string; readonly cases: string; readonly predictions?: string };
  /** One system's cases; `checked` is where problems go that are not to be thrown. */
  readonly read: (sources: CaseSources, plan: Plan, checked: Problems | null) => CaseReader;
  /** Those of several systems. */
  readonly open: (files: SystemFiles, plan: Plan) => Promise<OpenedSystems>;
  /** Answers that are texts; without it an answer is what the system found in the text of the case. */
  readonly answered?: (cases: Source, answers: readonly AnswerFile[], plan: Plan) => Promise<AnsweredCase[]>;
  /** The texts of the cases in one of a run's files; without it they are those of its rows. */
  readonly texts?: (
    source: Source,
    role: Role,
    resolved: Readonly<Record<string, unknown>>,
    problems: Problems,
  ) => AsyncGenerator<TextOfCase[]>;
  /** Questions of the form that the format itself makes items of, for measures of the recipe. */
  readonly questions?: (plan: Plan, form: ReviewSection) => readonly string[];
  /** A dataset item with the answer to it as a line of the format's own files; without it, the answer alone. */
  readonly write?: (item: Fields, answer: WrittenAnswer, plan: Plan) => Fields;
  /** The place of gold, for the message to a user who names a gold file; null if gold has a separate file. */
  readonly goldIs: string | null;
  /** Items have a place in a text, are paired, and rules decide between pairing and score. */
  readonly isPaired: boolean;
  /** Of items that are not paired: why there is no waterfall. */
  readonly noWaterfall?: string;
  /** Uses that it does not have: the rest of a sentence about the recipe or the run, and what to do instead. */
  readonly refusals: Readonly<Partial<Record<Use, readonly [why: string, instead: string]>>>;
}
