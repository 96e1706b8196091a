/** Reviews by experts: forms, people, sheets, conflicts, agreement, evaluations. */

export { asUsage } from './experiment/local-backend.ts';
export { readTextFolder } from './experiment/passages.ts';
export { type ConsultFiles, readConsultFiles } from './formats/consult/consult-reader.ts';
export type { AnswerReviews, ConsultReviews, SettledClass } from './formats/consult/consult-reviews.ts';
export type { ConsultSection } from './recipe/consult-section.ts';
export type { ReviewField, ReviewSection } from './recipe/review-section.ts';
export { evaluationJson, evaluationSummary, evaluationText, writeEvaluation } from './report/evaluation-files.ts';
export { evaluationOverview } from './report/evaluation-overview.ts';
export { agreementTable, judgeTable } from './report/evaluation-people.ts';
export { reviewDocument, reviewSummary, reviewSummaryJson } from './report/review-summary.ts';
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
export { type Conflict, conflictsOf, disputedIn } from './review/conflicts.ts';
export { consultReviews } from './review/consult-reviews.ts';
export { type CorrectedGold, correctedGold, type GoldProvenance, writeGold } from './review/corrected-gold.ts';
export type { ListChange } from './review/corrections.ts';
export type { Remedy, UnresolvedThing } from './review/gold-verdicts.ts';
export type { ContentBlock, ContentPassage, ProposedItem, ReviewContent } from './review/content.ts';
export { type CreatedReview, createReview, type ReviewSetup } from './review/create-review.ts';
export { decisionsInFile, makeDecision, OPEN_AGAIN } from './review/decide-conflicts.ts';
export {
  evaluate,
  evaluateSystems,
  type Evaluation,
  isOriginal,
  originalFile,
  originOf,
  type RecordedOrigin,
  reviewedPlan,
  type ReviewInput,
} from './review/evaluation.ts';
export { type HistoryEntry, reviewHistory } from './review/snapshot.ts';
export { itemsFault } from './review/item-list.ts';
export { type JudgeFigure, judgeFigures } from './review/judge-agreement.ts';
export { judgeReview, openJudging } from './review/judge-review.ts';
export type { JudgeReviewOptions, JudgingResult } from './review/judge/judge-items.ts';
export { judgeJobs } from './review/judge/judge-jobs.ts';
export { judgeQuestion, nextAfter } from './review/judge/judge-question.ts';
export type { JudgePlan } from './review/judge/open-judge.ts';
export { fitLines, type FittedLines, snapshotOfLines } from './review/line-snapshot.ts';
export { type ClaimOutcome, claimsOf, outcomeOf, type ReviewOutcome } from './review/outcomes.ts';
export { type OpenWork, openWork, overviewOf } from './review/overview.ts';
export { lackingReviewers } from './review/people.ts';
export { reviewProgress } from './review/review-progress.ts';
export { suggestPassages } from './review/proposed-items.ts';
export {
  addPeople,
  changePeople,
  checkPeople,
  isUnnamed,
  parsePerson,
  type PersonInit,
  reviewerNumbers,
  unnamedPlaces,
} from './review/people.ts';
export { isAnswerList, type MissingCell } from './review/questions.ts';
export { readReviewLines } from './review/read-review-lines.ts';
export {
  baseUrlOf,
  expiryOf,
  linkOf,
  personLink,
  type PersonLink,
  personNamed,
  reviewSecret,
  SECRET_FILE,
  tokenOf,
  USUAL_DAYS,
} from './review/review-access.ts';
export { lineForm } from './review/review-line-layout.ts';
export { type ReviewLine, reviewInputName, reviewLines, writeReviewLines } from './review/review-lines.ts';
export {
  consultSources,
  type ReviewCaseFiles,
  type ReviewSource,
  sourceOfAnswer,
  sourcesOfCases,
} from './review/review-sources.ts';
export { linesOfScores } from './review/score-lines.ts';
export { fetchReviewScores, keepReviewScores, sendReviewScores, type SentScores } from './review/send-scores.ts';
export { importSheet, type IncompleteItem, type SheetImport } from './review/sheets/import-sheet.ts';
export type { HistoryOf } from './review/sheets/past-answers.ts';
export { readSheet, type SheetReading } from './review/sheets/read-sheet.ts';
export type { SheetOwner } from './review/sheets/sheet-people.ts';
export { type Sheet, sheetsFor } from './review/sheets/write-sheets.ts';
export { loadSnapshot, type ReviewSnapshot } from './review/snapshot.ts';
export { exportFiles } from './score/file-exporter.ts';
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
export { type BackedUp, openStore, type Store, STORE_FILE } from './store/store.ts';
