/** Reviews by experts: forms, people, sheets, conflicts, agreement, evaluations. */

export { readReviewLines } from './review/read-review-lines.ts';
export type { ReviewLine } from './review/review-line.ts';
export { writeReviewLines } from './review/review-line.ts';
export type { ConsultSection } from './recipe/consult-section.ts';
export type { ReviewField, ReviewSection } from './recipe/review-section.ts';
export { type ConsultFiles, readConsultFiles } from './formats/consult/consult-reader.ts';
export { consultSources } from './review/review-sources.ts';
export type { AnswerReviews, ConsultReviews, SettledClass } from './formats/consult/consult-reviews.ts';
export { addPeople } from './review/add-people.ts';
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
export { type ClaimOutcome, claimsOf, type Outcome as ReviewOutcome, outcomeOf } from './review/outcomes.ts';
export { type Conflict, conflictsOf } from './review/conflicts.ts';
export { consultReviews } from './review/consult-reviews.ts';
export type { ContentBlock, ContentPassage, ProposedItem, ReviewContent } from './review/content.ts';
export {
  type CreatedReview,
  createReview,
  type PersonInit,
  type ReviewInit,
  type ReviewSource,
} from './review/create-review.ts';
export { type Evaluation, evaluateSystems, type GivenReviews } from './review/evaluation.ts';
export { fitLines, type FittedLines } from './review/fit-lines.ts';
export { type HistoryEntry, reviewHistory } from './review/history.ts';
export { itemsFault } from './review/items-fault.ts';
export { judgeReview, type JudgeReviewOptions } from './review/judge-review.ts';
export { type JudgeFigure, judgeFigures } from './review/judge-agreement.ts';
export { personLink, type PersonLink } from './review/links.ts';
export { keepReviewScores, sendReviewScores } from './review/open-scores.ts';
export { overviewOf } from './review/overview.ts';
export { suggestPassages } from './review/passages.ts';
export { reviewLines } from './review/review-lines.ts';
export { lineForm } from './review/sheets/line-form.ts';
export type { HistoryOf } from './review/sheets/past-answers.ts';
export { readSheet, type SheetReading } from './review/sheets/read-sheet.ts';
export { type Sheet, sheetsFor } from './review/sheets/sheets-for.ts';
export { loadSnapshot, type ReviewSnapshot } from './review/snapshot.ts';
export { snapshotOfLines } from './review/snapshot-of-lines.ts';
export { type CaseFiles, sourcesOfCases } from './review/review-sources.ts';
export { linkOf, reviewSecret, tokenOf } from './review/tokens.ts';
export { writeEvaluation } from './report/evaluation-files.ts';
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
