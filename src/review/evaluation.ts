import type { Comparison } from '../compare/comparison.ts';
import { compareSystems, type CompareSystemsOptions, type SystemRun } from '../compare/compare-systems.ts';
import type { ReadFile } from '../data/read-rows.ts';
import type { CaseReviews, OpenedSystems, SystemFiles } from '../formats/case-format.ts';
import { openSystems } from '../formats/case-formats.ts';
import { openQuestions, withReviewMeasures } from '../formats/review-measures.ts';
import { PLAIN_CONSULT } from '../recipe/consult-section.ts';
import type { Plan } from '../recipe/plan.ts';
import { agreementFigures } from './agreement-figures.ts';
import type { AgreementFigure } from './api.ts';
import { conflictCounts } from './conflicts.ts';
import { consultReviews } from './consult-reviews.ts';
import { judgeFigures } from './judge-agreement.ts';
import { type MissingReviews, missingReviews } from './missing-reviews.ts';
import type { ReviewSnapshot } from './snapshot.ts';

/** Everything that the summary of an evaluation shows. */
export interface Evaluation {
  readonly recipe: { readonly name: string; readonly about: string };
  readonly systems: readonly SystemRun[];
  /** Paired differences between systems; null with one system. */
  readonly comparison: Comparison | null;
  /** How far people agree, question by question; empty if nobody was asked. */
  readonly agreement: readonly AgreementFigure[];
  /** How far a model agrees with people: kept apart, since it is no person. */
  readonly judge: ReturnType<typeof judgeFigures>;
  /** Whose word the class of a case is, and how many cases there are; null if cases have no class. */
  readonly truth: 'experts' | 'given' | null;
  readonly cases: number;
  /** Cases whose class is left out of accuracy, with the reason. */
  readonly withoutClass: readonly { readonly caseId: string; readonly because: string }[];
  readonly conflicts: { readonly open: number; readonly decided: number };
  /** What is still missing from reviewers. */
  readonly missing: readonly MissingReviews[];
  /** What was noticed of the reviews and let pass, one sentence each. */
  readonly notices: readonly string[];
  /** Columns of the cases that do not slice. */
  readonly leftColumns: readonly string[];
}

/** What people said, and where it comes from. */
export interface GivenReviews {
  readonly snapshot: ReviewSnapshot;
  /** Named in the manifest of each run, since they change numbers. */
  readonly files: readonly ReadFile[];
  readonly notices: readonly string[];
}

const NO_SECTION = { ...PLAIN_CONSULT, languages: [] };

/** What people said as the cases need it, and the plan with the measures that their form gives. */
export function reviewedPlan(
  plan: Plan,
  given: GivenReviews | null,
): { readonly plan: Plan; readonly reviews: CaseReviews | null } {
  if (given === null) return { plan, reviews: null };
  const { snapshot, files } = given;
  const questions = openQuestions(plan, snapshot.form);
  return {
    plan: withReviewMeasures(plan, snapshot.form, questions),
    reviews: { settled: consultReviews(snapshot, plan.consult ?? NO_SECTION, questions), files },
  };
}

/** Scores every system, with the reviews if there are any, and gathers what a reader has to know beside the numbers. */
export async function evaluate(
  opened: OpenedSystems,
  given: GivenReviews | null,
  options: CompareSystemsOptions,
): Promise<Evaluation> {
  const { plan, reviews } = reviewedPlan(opened.plan, given);
  const snapshot = given?.snapshot ?? null;
  const answers = snapshot === null ? opened.held : await opened.hold();
  const { systems, comparison } = await compareSystems({ ...opened, plan }, reviews, options);
  const truth = opened.truth?.(reviews) ?? null;
  return {
    recipe: { name: plan.name, about: plan.about },
    systems,
    comparison,
    agreement: snapshot === null ? [] : agreementFigures(snapshot),
    judge: snapshot === null ? [] : judgeFigures(snapshot),
    truth: truth?.by ?? null,
    cases: answers?.[0]?.cases.rows.length ?? systems[0]?.run.measures.cases.total ?? 0,
    withoutClass: truth?.without ?? [],
    conflicts: snapshot === null ? { open: 0, decided: 0 } : conflictCounts(snapshot),
    missing: answers === null ? [] : missingReviews(plan, answers, snapshot),
    notices: given?.notices ?? [],
    leftColumns: opened.leftColumns,
  };
}

/** The same of files that are read by the recipe's format. */
export async function evaluateSystems(
  plan: Plan,
  files: SystemFiles,
  reviews: GivenReviews | ReviewSnapshot | null,
  options: CompareSystemsOptions,
): Promise<Evaluation> {
  const given = reviews === null || 'snapshot' in reviews ? reviews : { snapshot: reviews, files: [], notices: [] };
  return evaluate(await openSystems(files, plan), given, options);
}
