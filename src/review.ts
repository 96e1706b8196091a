/** Reviews by experts: forms, people, sheets, conflicts, agreement, evaluations. */

export { readReviewLines } from './review/read-review-lines.ts';
export type { ReviewLine } from './review/review-lines.ts';
export { writeReviewLines } from './review/review-lines.ts';
export type { ConsultSection } from './recipe/consult-section.ts';
export type { ReviewField, ReviewSection } from './recipe/review-section.ts';
export { type ConsultFiles, readConsultFiles } from './formats/consult/consult-reader.ts';
export { consultSources } from './review/review-sources.ts';
export type { AnswerReviews, ConsultReviews, SettledClass } from './formats/consult/consult-reviews.ts';
export { addPeople } from './review/people.ts';
export { agreementFigures } from './review/agreement-figures.ts';
export type {
  AgreementFigure,
  CommitRequest,
  ConflictEntry,
  ConflictList,
  ConflictView,
  DecideRequest,
  ItemView,
  Me,
  Overview,
  QueueEntry,
  Refused,
  Revealed,
  Saved,
  SaveRequest,
} from './review/api.ts';
export { type ClaimOutcome, claimsOf, type ReviewOutcome, outcomeOf } from './review/outcomes.ts';
export { type Conflict, conflictsOf } from './review/conflicts.ts';
export { consultReviews } from './review/consult-reviews.ts';
export type { ContentBlock, ContentPassage, ProposedItem, ReviewContent } from './review/content.ts';
export {
  type CreatedReview,
  createReview,
  type PersonInit,
  type ReviewSetup,
  type ReviewSource,
} from './review/create-review.ts';
export { evaluate, type Evaluation, evaluateSystems, reviewedPlan, type ReviewInput } from './review/evaluation.ts';
export { fitLines, type FittedLines } from './review/line-snapshot.ts';
export { type HistoryEntry, reviewHistory } from './review/history.ts';
export { itemsFault } from './review/item-list.ts';
export { judgeReview, openJudging } from './review/judge-review.ts';
export type { JudgeReviewOptions, JudgingResult } from './review/judge/judge-items.ts';
export { judgeQuestion, nextAfter } from './review/judge/judge-question.ts';
export type { JudgePlan } from './review/judge/open-judge.ts';
export { type JudgeFigure, judgeFigures } from './review/judge-agreement.ts';
export { personLink, type PersonLink, personNamed } from './review/review-access.ts';
export { fetchReviewScores, keepReviewScores, sendReviewScores, type SentScores } from './review/send-scores.ts';
export { overviewOf } from './review/overview.ts';
export { suggestPassages } from './review/passages.ts';
export { reviewLines } from './review/review-lines.ts';
export { linesOfScores } from './review/score-lines.ts';
export { lineForm } from './review/review-line-layout.ts';
export type { HistoryOf } from './review/sheets/past-answers.ts';
export { readSheet, type SheetReading } from './review/sheets/read-sheet.ts';
export { type Sheet, sheetsFor } from './review/sheets/write-sheets.ts';
export { loadSnapshot, type ReviewSnapshot } from './review/snapshot.ts';
export { snapshotOfLines } from './review/line-snapshot.ts';
export { type ReviewCaseFiles, sourcesOfCases } from './review/review-sources.ts';
export { linkOf, reviewSecret, tokenOf } from './review/review-access.ts';
export { evaluationSummary, writeEvaluation } from './report/evaluation-files.ts';
export { evaluationOverview } from './report/evaluation-overview.ts';
export { evaluationText } from './report/evaluation-text.ts';
export type {
  CellValue,
  Decision,
  ItemAnswer,
  ItemState,
  Judgement,
  NewDecision,
  NewReviewEvent,
  ReviewAssignment,
  ReviewCell,
  ReviewEvent,
  ReviewItemRecord,
  ReviewPerson,
  ReviewRecord,
  ReviewRole,
} from './store/review-records.ts';
export type { Store } from './store/store.ts';
