import type { Role } from '../data/format.ts';
import type { Problems } from '../data/problems.ts';
import type { CaseReader, CaseSources } from '../data/read-cases.ts';
import type { Source } from '../data/source.ts';
import type { Plan } from '../recipe/plan.ts';

/** What may be asked of a recipe or a run that not every format can answer. */
export type Use = 'waterfall' | 'sweep' | 'sweep of a run' | 'validate' | 'experiment';

/** The id and the text of a case. */
export interface TextOfCase {
  readonly id: string;
  readonly text: string | null;
}

/** One system's answer to one case as a text of its own, or a case that nobody answered, where `system` is null. */
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

/** The answers of one system. */
export interface AnswerFile {
  readonly system: string;
  readonly source: Source;
}

/**
 * How the files of a recipe become cases, and what that means for everything that reads them. Most recipes need none of
 * this: their files are rows of the common formats (`data/formats`), joined by id.
 */
export interface CaseFormat {
  /** The task whose recipes have it; null for all that have none of their own. */
  readonly task: string | null;
  /** One system's cases; `checked` is where problems go that are not to be thrown. */
  read(sources: CaseSources, plan: Plan, checked: Problems | null): CaseReader;
  /** Answers that are texts; without it an answer is what the system found in the text of the case. */
  answered?(cases: Source, answers: readonly AnswerFile[], plan: Plan): Promise<AnsweredCase[]>;
  /** The plan with what only the files say filled in. */
  fitPlan?(sources: CaseSources, plan: Plan): Promise<Plan>;
  /** The texts of the cases in one of a run's files; without it they are those of its rows. */
  texts?(source: Source, role: Role, resolved: Readonly<Record<string, unknown>>): AsyncGenerator<TextOfCase[]>;
  /** Where gold is, said to whoever names a file of it; null where it has a file of its own. */
  readonly goldIs: string | null;
  /** Items stand in a text, are paired, and rules decide between pairing and score. */
  readonly isPaired: boolean;
  /** Uses that it does not have: the rest of a sentence about the recipe or the run, and what to do instead. */
  readonly refusals: Readonly<Partial<Record<Use, readonly [why: string, instead: string]>>>;
}
