import type { ReadFile } from '../data/read-rows.ts';
import type { Plan } from '../recipe/plan.ts';
import { PLAIN_CONSULT } from '../recipe/consult-section.ts';
import type { Comparison } from '../compare/comparison.ts';
import type { ConsultFiles } from '../formats/consult/consult-reader.ts';
import { type ScoreConsultOptions, type ScoredSystem, scoreConsult } from '../tasks/consult/score-consult.ts';
import { NO_REVIEWS } from '../formats/consult/consult-reviews.ts';
import { agreementFigures } from './agreement-figures.ts';
import type { AgreementFigure } from './api.ts';
import { conflictsOf } from './conflicts.ts';
import { consultReviews } from './consult-reviews.ts';
import { judgeFigures } from './judge-agreement.ts';
import { type MissingReviews, missingReviews } from './missing-reviews.ts';
import type { ReviewSnapshot } from './snapshot.ts';

/** Everything that the summary of an evaluation says, for the report and for whoever wants the figures themselves. */
export interface ConsultEvaluation {
  readonly recipe: { readonly name: string; readonly about: string };
  readonly systems: readonly ScoredSystem[];
  /** Paired differences between systems; null with one system. */
  readonly comparison: Comparison | null;
  /** How far people agree, question by question; empty where nobody was asked. */
  readonly agreement: readonly AgreementFigure[];
  /** How far a model agrees with people: kept apart, since it is no person. */
  readonly judge: ReturnType<typeof judgeFigures>;
  /** Whose word the class of a case is, and how many cases there are. */
  readonly truth: 'experts' | 'given';
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

/** Scores every system, with what people said where anybody was asked, and gathers what a reader has to know beside it. */
export async function evaluateConsult(
  plan: Plan,
  files: readonly ConsultFiles[],
  reviews: GivenReviews | ReviewSnapshot | null,
  options: Omit<ScoreConsultOptions, 'reviews' | 'reviewFiles'>,
): Promise<ConsultEvaluation> {
  const section = plan.consult ?? PLAIN_CONSULT;
  const given = reviews === null || 'snapshot' in reviews ? reviews : { snapshot: reviews, files: [], notices: [] };
  const snapshot = given?.snapshot ?? null;
  const settled = snapshot === null ? NO_REVIEWS : consultReviews(snapshot, section);
  const { systems, comparison, leftColumns } = await scoreConsult(plan, files, {
    ...options,
    reviews: settled,
    reviewFiles: given?.files ?? [],
  });
  const conflicts = snapshot === null ? [] : conflictsOf(snapshot);
  const byExperts = section.truth === 'experts' || (section.truth === 'auto' && settled.hasClasses);
  return {
    recipe: { name: plan.name, about: plan.about },
    systems,
    comparison,
    agreement: snapshot === null ? [] : agreementFigures(snapshot),
    judge: snapshot === null ? [] : judgeFigures(snapshot),
    truth: byExperts ? 'experts' : 'given',
    cases: files[0]?.cases.rows.length ?? 0,
    withoutClass: (files[0]?.cases.rows ?? []).flatMap(({ id, gold }) => {
      if (!byExperts) return gold === null ? [{ caseId: id, because: 'the case file gives no class' }] : [];
      const own = settled.classOf(id);
      if (own !== null && own.label !== null) return [];
      return [{ caseId: id, because: own?.because ?? 'no expert has said anything of this case' }];
    }),
    conflicts: {
      open: conflicts.filter(({ decision }) => decision === null).length,
      decided: conflicts.filter(({ decision }) => decision !== null).length,
    },
    missing: missingReviews(plan, files, snapshot),
    notices: given?.notices ?? [],
    leftColumns,
  };
}
