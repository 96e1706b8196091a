/* oxlint-disable max-lines -- a list of names, without a line of code */
/** The public door: everything the command line does, typed, and without touching the file system unless asked. */

export { type Case, type CaseInit, type Logged, makeCase, type SetAside } from './data/case.ts';
export { type DataOptions, DEFAULT_DATA_OPTIONS } from './data/data-options.ts';
export type { Format, Role, Row } from './data/format.ts';
export { FORMATS } from './data/formats.ts';
export { type Fields, type Item, type ItemInit, type ItemKind, makeItem, type Side } from './data/item.ts';
export { InputError, type Problem, UsageError } from './data/problems.ts';
export { readReviewLines } from './review/read-review-lines.ts';
export type { ReviewLine } from './review/review-line.ts';
export { writeReviewLines } from './review/review-line.ts';
export { type CaseReader, type CaseSources, readCases, type ReadNotices } from './data/read-cases.ts';
export type { ReadFile } from './data/read-rows.ts';
export { fileSource, memorySource, type Source, standardInput } from './data/source.ts';

export { assign, type Assign } from './pair/assign.ts';
export type { OwnSimilarity, PairSettings, Threshold } from './pair/criterion.ts';
export type { LeftOver, Pair, Pairing, Rejection } from './pair/pairing.ts';
export { pair, type PairOptions } from './pair/pair.ts';

export type { Verdict, VerdictKind } from './judge/verdict.ts';
export type { Direction, Measure, Outcome } from './measure/measure.ts';
export type { CaseResult, Counts, Interval, MeasureValue, Slice } from './measure/tally.ts';

export { bootstrap, type BootstrapOptions, type BootstrapResult, type Statistic } from './stats/bootstrap.ts';
export { cohenDz, rankBiserial } from './stats/effect-size.ts';
export { holm } from './stats/holm.ts';
export { mcnemar, type McNemarResult } from './stats/mcnemar.ts';
export { neededPairs } from './stats/power.ts';
export { type PermutationResult, permutationTest } from './stats/sign-flip.ts';
export { wilcoxon, type WilcoxonOptions, type WilcoxonResult } from './stats/wilcoxon.ts';
export { wilson } from './stats/wilson.ts';
export type { Agreement, AgreementOptions } from './stats/agreement/agreement.ts';
export { agreementOfRatings } from './stats/agreement/agreement-of-ratings.ts';
export { cohenKappa, type PairwiseKappa, pairwiseKappa } from './stats/agreement/cohen-kappa.ts';
export { fleissKappa, gwetAc1, rawAgreement } from './stats/agreement/pair-agreement.ts';
export { krippendorffAlpha } from './stats/agreement/krippendorff-alpha.ts';
export { type MajorityVote, majorityVote, type Vote } from './stats/agreement/majority-vote.ts';
export {
  type AnnotatedSpan,
  pairwiseSpanF1,
  type SpanAgreement,
  type SpanDocument,
} from './stats/agreement/pairwise-span-f1.ts';
export type { Rating, Ratings } from './stats/agreement/rating.ts';

export { type Plan, planRecipe } from './recipe/plan.ts';
export { presetNames, presetText } from './recipe/presets.ts';
export type { Recipe } from './recipe/schema.ts';
export type { ConsultSection } from './recipe/consult-section.ts';
export type { ReviewField, ReviewSection } from './recipe/review-section.ts';

export { type CompareOptions, compareRuns } from './compare/compare-runs.ts';
export type { Comparison, ComparisonVerdict, MeasureComparison } from './compare/comparison.ts';
export type { GateVerdict } from './compare/gate/check.ts';
export { type Gate, judgeGate } from './compare/gate/judge-gate.ts';
export { parseRules, readRules, type RulesFile } from './compare/gate/rules.ts';
export { type LedgerRecord } from './score/ledger.ts';
export { readLedger, readRun } from './score/run-file.ts';
export type { RepeatedInput } from './compare/repeats/read-runs.ts';
export { repeatFiles, repeatRuns, type Repeats, type RepeatsOptions } from './compare/repeats/repeats.ts';
export type { CaseTotals, Manifest, Measures, RuleCount, Run } from './score/run.ts';
export { type FolderOptions, scoreToFolder } from './score/score-to-folder.ts';
export { makeCaseScorer, type SchemeVerdicts } from './score/score-case.ts';
export {
  joinSinks,
  scoreCases,
  type ScoredCase,
  type ScoredVariant,
  type ScoreResult,
  type ScoreSink,
  Scoring,
} from './score/score.ts';
export { type ConsultFiles, readConsultFiles } from './formats/consult/consult-reader.ts';
export { consultSources } from './review/review-sources.ts';
export type { AnswerReviews, ConsultReviews, SettledClass } from './formats/consult/consult-reviews.ts';
export {
  type FileInput,
  score,
  type ScoreInput,
  type ScoreOptions,
  scoreSystems,
  type SystemsInput,
  type SystemsScore,
} from './report/score.ts';

export { canonicalText, type Join, messageText, type TextCounters } from './tasks/stream/canonical-text.ts';
export { ctu } from './tasks/stream/ctu.ts';
export { readRunLog } from './tasks/stream/read-run-log.ts';
export { parseTrace, readTrace, traceFiles } from './tasks/stream/read-trace.ts';
export type { BufferDecision, RunLog, SummaryContent, SummaryEvent } from './tasks/stream/run-log-records.ts';
export type { StreamDelta, Trace, TurnBoundary } from './tasks/stream/trace-records.ts';
export type { ConceptExtractor, ExtractorIdentity } from './tasks/stream/concepts/extractor.ts';
export { endpointExtractor } from './tasks/stream/concepts/concept-endpoint.ts';
export { countConcepts } from './tasks/stream/concepts/count-concepts.ts';
export { recordedExtractor } from './tasks/stream/concepts/recorded.ts';
export { scispacyExtractor } from './tasks/stream/concepts/scispacy.ts';
export { extractorFromSpec } from './tasks/stream/concepts/extractor-from-spec.ts';
export { buildIndex } from './tasks/stream/concepts/linker/build-index.ts';
export { linkerExtractor } from './tasks/stream/concepts/linker/linker-extractor.ts';
export { loadIndex } from './tasks/stream/concepts/linker/linker-index.ts';
export { calibrateFromLogs, calibrateFromTraces } from './tasks/stream/calibrate/calibrate-v3.ts';
export { sweepPolicies } from './tasks/stream/calibrate/sweep.ts';
export { readGrid } from './tasks/stream/calibrate/sweep-grid.ts';
export type { ConversationModel } from './tasks/stream/generate/conversation.ts';
export { generateFolder, type GenerateOptions } from './tasks/stream/generate/generate-folder.ts';
export { ruleModel, scriptModel } from './tasks/stream/generate/scripted-model.ts';
export { freeze } from './tasks/stream/record/freeze.ts';
export { Recording } from './tasks/stream/record/recording.ts';
export { validateFiles } from './tasks/stream/validate/validate.ts';
export { textModel } from './experiment/models/text-model.ts';
export type { TextModel } from './experiment/models/text-prompt.ts';
export { coverageFigure } from './report/svg/coverage-figure.ts';
export { faithfulnessFigure } from './report/svg/faithfulness-figure.ts';
export { paretoFigure } from './report/svg/pareto-figure.ts';
export { timelineFigure } from './report/svg/timeline-figure.ts';
export { type GateInput, gateInput } from './tasks/stream/replay/gate-input.ts';
export { heuristicModel } from './tasks/stream/replay/heuristic-model.ts';
export type {
  DecisionAnswer,
  DecisionRequest,
  StreamModel,
  SummaryAnswer,
  SummaryRequest,
} from './tasks/stream/replay/model.ts';
export { promptedModel } from './tasks/stream/replay/prompted-model.ts';
export { recordedModel } from './tasks/stream/replay/recorded-model.ts';
export { readVariant } from './tasks/stream/replay/read-variant.ts';
export { replayCase, type ReplayedCase } from './tasks/stream/replay/replay-case.ts';
export { replayFolder, type ReplayOptions } from './tasks/stream/replay/replay-folder.ts';
export { type GateFlush, type GatePolicy, passGate, USUAL_GATE } from './tasks/stream/replay/token-gate.ts';
export type { Variant } from './tasks/stream/replay/variant.ts';
export {
  type MeasuredVariant,
  measureStream,
  type MeasureStreamOptions,
} from './tasks/stream/measure/measure-stream.ts';

export type {
  Backend,
  FetchedTrace,
  ItemTrace,
  PromptSummary,
  RunCounts,
  RunInfo,
  RunSink,
  ScoreInit,
} from './experiment/backend.ts';
export { type CopiedDataset, copyDataset, type CopyOptions } from './experiment/datasets/copy-dataset.ts';
export { type CopiedPrompt, copyPrompt } from './experiment/datasets/copy-prompts.ts';
export { type FieldMap, fieldMap, NO_FIELD_MAP } from './experiment/datasets/field-map.ts';
export { type Imported, importItems, type ImportOptions } from './experiment/datasets/import-items.ts';
export type { ItemFiles } from './experiment/datasets/read-items.ts';
export { type Seed, seedItem, type SeedOptions } from './experiment/datasets/seed-item.ts';
export { type ItemSchemas, type ItemValidator, makeItemValidator } from './experiment/datasets/validate-item.ts';
export {
  type ItemAverage,
  itemAverages,
  type ItemAveragesOptions,
  type ScoredItem,
} from './experiment/item-averages.ts';
export { localBackend } from './experiment/local-backend.ts';
export { type DryRun, dryRun } from './experiment/run/dry-run.ts';
export type { ExperimentFile } from './experiment/run/experiment-schema.ts';
export type { ExperimentOverrides, LoadedExperiment } from './experiment/run/load-experiment.ts';
export { checkData, type DataCheck } from './audit/check-data.ts';
export { type FinishedRun, runExperiment } from './experiment/run/run-experiment.ts';
export type { RunExperimentOptions, RunState } from './experiment/run/run-settings.ts';
export type { ExperimentSummary, FailureCount, GateOutcome, Latency, Published, Spent } from './experiment/summary.ts';
export { loadExperiment, openTarget } from './tasks/task-targets.ts';
export type { TargetSpec } from './experiment/targets/target-kinds.ts';
export {
  type FailureKind,
  type Passage,
  type Target,
  type TargetAnswer,
  type TargetCase,
  type TargetContext,
  TargetError,
  type TargetFailure,
} from './experiment/targets/target.ts';
export type { Usage } from './experiment/limits/budget.ts';
export { langfuseBackend, type LangfuseOptions } from './langfuse/client/langfuse-backend.ts';

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
export { gateOutcome } from './report/gate-words.ts';
export { experimentSummaryJson } from './report/experiment-json.ts';
export { experimentDocument } from './report/experiment.ts';
export { makeStyle, type Style } from './report/style.ts';
export type {
  ChatMessage,
  DatasetInit,
  DatasetItemInit,
  DatasetItemRecord,
  DatasetRecord,
  DatasetRunItemRecord,
  DatasetRunRecord,
  DatasetVersionRecord,
  ObservationRecord,
  PromptBody,
  PromptInit,
  PromptRecord,
  ScoreRecord,
  TraceRecord,
} from './store/records.ts';
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
export { datasetVersion } from './store/dataset-version.ts';
export { openStore, type Store } from './store/store.ts';

export type { Audit, Finding, FindingItem, Severity } from './audit/finding.ts';
export { auditFolder, type AuditFolderOptions } from './report/audit-folder.ts';
export { auditDocument } from './report/audit.ts';
export type { Block, Document, Section } from './report/document.ts';
export { renderHtml } from './report/render-html.ts';
export { renderMarkdown } from './report/render-markdown.ts';
export { renderTerminal } from './report/render-terminal.ts';
export { ERROR_TYPES, type ErrorType } from './judge/error-type.ts';
export { errorTypes } from './judge/error-types.ts';
export type { AttributeTable, Calibration, Ceiling, ErrorClass, RunFigures, Taxonomy } from './figures/run-figures.ts';
export { type OpenRunWatch, type RunFiles, type RunWatch } from './score/score-to-folder.ts';
export {
  type Sweep,
  type SweepOptions,
  type SweepPoint,
  sweepRecipe,
  type SweepSystem,
} from './compare/sweep/sweep.ts';
export { makeVariantScorer } from './compare/variants/score-variants.ts';
export { waterfallOf } from './compare/waterfall/make-waterfall.ts';
export type { Move, Moves, Waterfall, WaterfallStep } from './compare/waterfall/waterfall.ts';
export * from './report/pages-and-figures.ts';
export { comparisonDocument } from './report/comparison.ts';
export { gateJunit } from './report/gate-junit.ts';
export { gateDocument } from './report/gate.ts';
export { runDocument, type RunDocumentOptions } from './report/run.ts';
export { safeJson as renderJson } from './report/safe-json.ts';
export { repeatsDocument } from './report/repeats.ts';
export { jaccard, wordSet } from './text/words.ts';
export { levenshtein, levenshteinSimilarity } from './text/levenshtein.ts';
export { type NoReadability, type Readability, readability } from './text/readability.ts';
export { sentenceSpans } from './text/sentences.ts';
export { iou } from './text/span.ts';
export { syllables } from './text/syllables.ts';
export { VERSION } from './score/version.ts';

export type { Keys } from './server/langfuse/keys.ts';
export type { ServerOptions } from './server/langfuse/langfuse-server.ts';
export type { RunningServer } from './server/listen.ts';
export type { ReviewServerOptions } from './server/review/review-server.ts';
export {
  type LiveServer,
  type LiveServerOptions,
  startLiveServer,
  startReviewServer,
  startServer,
} from './server/start-servers.ts';
