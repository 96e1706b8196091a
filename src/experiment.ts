/** Datasets, prompts, targets and runs of models over them, in the local store or in Langfuse. */

export { textModel, type TextModelOptions } from './experiment/models/text-model.ts';
export type { TextModel, TextPrompt } from './experiment/models/text-prompt.ts';
export type {
  Backend,
  DifferingScore,
  FetchedTrace,
  ItemTrace,
  PromptSummary,
  RunCounts,
  RunInfo,
  RunSink,
  RunTrace,
  ScoreInit,
  TraceSearch,
  TraceSummary,
} from './experiment/backend.ts';
export { type CopiedDataset, copyDataset, type CopyOptions } from './experiment/datasets/copies.ts';
export { type CopiedPrompt, copyPrompt } from './experiment/datasets/copies.ts';
export { type FieldMap, fieldMap, NO_FIELD_MAP } from './experiment/datasets/field-map.ts';
export { findDataset, findItems, itemLine } from './experiment/datasets/find-dataset.ts';
export {
  type Imported,
  importItems,
  type ImportOptions,
  unfinishedNotice,
} from './experiment/datasets/import-items.ts';
export type { ItemFiles } from './experiment/datasets/read-items.ts';
export { ITEM_SCHEMAS, ITEM_TASKS, type ItemTask, itemTaskNamed } from './experiment/datasets/item-schemas.ts';
export {
  findVersion,
  itemsOfVersion,
  namedVersions,
  nameVersion,
  versionOf,
} from './experiment/datasets/named-version.ts';
export { checkLabels, checkName } from './experiment/datasets/names.ts';
export { type Fate, type Fault, faultsInDataset, faultsInFile } from './experiment/datasets/plan-import.ts';
export { refuseSeeds, type Seed, seedFates, seedItem, type SeedOptions } from './experiment/datasets/seed-item.ts';
export {
  checkEach,
  hasSchemas,
  type ItemSchemas,
  type ItemValidator,
  makeItemValidator,
  schemasOf,
} from './experiment/datasets/validate-item.ts';
export {
  type ItemAverage,
  itemAverages,
  type ItemAveragesOptions,
  type ScoredItem,
} from './experiment/item-averages.ts';
export { localBackend } from './experiment/local-backend.ts';
export { type DryRun, dryRun } from './experiment/run/dry-run.ts';
export type { ExperimentFile } from './experiment/run/experiment-schema.ts';
export { lastRunOver } from './experiment/run/last-run.ts';
export {
  type ExperimentOverrides,
  type ExperimentSource,
  loadExperiment,
  type LoadedExperiment,
  type LoadedSystem,
  loadSystems,
  experimentOutline,
} from './experiment/run/load-experiment.ts';
export { type RunAnswers, runAnswers } from './experiment/run/run-answers.ts';
export { type FinishedRun, runExperiment } from './experiment/run/run-experiment.ts';
export type { QueueAccess, RunExperimentOptions, RunState } from './experiment/run/run-settings.ts';
export type {
  BatchSpent,
  ExperimentSummary,
  FailureCount,
  GateOutcome,
  Latency,
  PaidAnswers,
  Published,
  Spent,
} from './experiment/summary.ts';
export { openTarget, targetKind, type TargetSpec } from './experiment/targets/target-kinds.ts';
export {
  endsTheRun,
  type FailureKind,
  kindOfStatus,
  type Passage,
  type Target,
  type TargetAnswer,
  type TargetCase,
  type TargetContext,
  TargetError,
  type TargetFailure,
} from './experiment/targets/target.ts';
export { Budget, costOf, type Prices, type Usage } from './experiment/limits/budget.ts';
export { langfuseBackend, type LangfuseOptions } from './langfuse/client/langfuse-backend.ts';
export { gateOutcome } from './report/gate-words.ts';
export { EXPERIMENT_FORMAT, experimentSummaryJson, experimentDocument } from './report/experiment.ts';
export type {
  ChatMessage,
  DatasetInit,
  DatasetItemInit,
  DatasetItemRecord,
  DatasetRecord,
  DatasetRunItemRecord,
  DatasetRunRecord,
  DatasetVersionRecord,
  ItemStatus,
  ObservationRecord,
  PromptBody,
  PromptInit,
  PromptRecord,
  ScoreRecord,
  TraceRecord,
} from './store/records.ts';
export { DatasetHash, datasetVersion } from './store/dataset-version.ts';
export { openStore, type Store } from './store/store.ts';
export { exactRecords, itemFile } from './experiment/datasets/exact-records.ts';
export { callWithLimits } from './experiment/limits/call-with-limits.ts';
export { sideBySide } from './experiment/limits/side-by-side.ts';
export { type Batches, type BatchOptions, batchTransport, MOST_BATCHED } from './experiment/batch/batch-transport.ts';
export { guardedFetch } from './experiment/models/guarded-fetch.ts';
export { LineProcess } from './experiment/targets/line-process.ts';
export { reasonToBeNamed } from './experiment/run/experiment-code.ts';
export { targetParts } from './report/experiment-words.ts';
export { runFolderOf } from './experiment/run/run-folder.ts';
export { goldOf } from './experiment/run/gold-file.ts';
export { planFor } from './experiment/run/scorer.ts';
export { dryRunDocument, dryRunJson, type DryRunPlan, dryRunView } from './report/experiment-dry-run.ts';
export { importTexts } from './report/import-words.ts';
export { type Ending, endingOf } from './report/experiment-ending.ts';
export { isMessageList, jsonFile, promptFile, rereadable } from './experiment/datasets/whole-file.ts';
export { SCHEMAS, type Shape } from './report/schemas.ts';
export { withoutNeedOfKeys } from './experiment/models/access.ts';
export { openQueueServer, parseQueueUrl } from './experiment/queue/connection.ts';
export type { QueuedRun, QueueServer, QueueOverview } from './experiment/queue/queue-server.ts';
export { metricText, queueMetrics } from './experiment/queue/queue-metrics.ts';
export { experimentJobs } from './experiment/queue/experiment-jobs.ts';
export { openCoordinator } from './experiment/queue/coordinator.ts';
export {
  HopelessJob,
  type JobKind,
  type JobTask,
  type JobWork,
  pathFromRoot,
  pathUnderRoot,
  QUEUE_FILE,
  readQueueFile,
  type WorkerSettings,
  newSession,
} from './experiment/queue/jobs.ts';
export { adaptiveLimit } from './experiment/limits/adaptive-limit.ts';
export { type CallGate, rateGate } from './experiment/limits/rate.ts';
export { runWorker, type RunWorkerOptions, type WorkerEvent, type WorkerTotals } from './experiment/queue/worker.ts';
