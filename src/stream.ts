/** Summaries of a running conversation: record, replay, concepts, measures, calibration. */

export { canonicalText, type Join, messageText, type TextCounters } from './stream/canonical-text.ts';
export { ctu } from './stream/ctu.ts';
export { readRunLog } from './stream/read-run-log.ts';
export { filesBelow, parseTrace, readTrace, traceFiles } from './stream/read-trace.ts';
export type { BufferDecision, RunLog, SummaryContent, SummaryEvent } from './stream/run-log-records.ts';
export { caseId, commitHash, type StreamDelta, type Trace, type TurnBoundary } from './stream/trace-records.ts';
export type { ConceptExtractor, ExtractorIdentity } from './stream/concepts/extractor.ts';
export { endpointExtractor } from './stream/concepts/concept-endpoint.ts';
export { countConcepts } from './stream/concepts/count-concepts.ts';
export { recordedExtractor } from './stream/concepts/recorded.ts';
export { scispacyExtractor } from './stream/concepts/scispacy.ts';
export { extractorFromSpec, settingsFromFile, settingsFromSpec } from './stream/concepts/extractor-from-spec.ts';
export { buildIndex, MANY_ALIASES } from './stream/concepts/linker/build-index.ts';
export { linkerExtractor } from './stream/concepts/linker/linker-extractor.ts';
export { type LinkerIndex, loadIndex, writeIndex } from './stream/concepts/linker/linker-index.ts';
export { calibrateFromLogs, calibrateFromTraces } from './stream/calibrate/calibrate-v3.ts';
export { sweepCaseOf, sweepPolicies } from './stream/calibrate/sweep.ts';
export { readGrid } from './stream/calibrate/sweep-grid.ts';
export { conversationHash, type ConversationModel } from './stream/generate/conversation.ts';
export {
  finishedCases,
  type GeneratedFolder,
  generateFolder,
  type GenerateOptions,
} from './stream/generate/generate-folder.ts';
export { ruleModel, scriptModel } from './stream/generate/scripted-model.ts';
export { freeze, type Frozen } from './stream/record/freeze.ts';
export { type RecordedTrace, Recording } from './stream/record/recording.ts';
export { validateFiles, type Validation } from './stream/validate/validate.ts';
export { coverageFigure } from './stream/report/coverage-figure.ts';
export { faithfulnessFigure } from './stream/report/faithfulness-figure.ts';
export { paretoFigure } from './stream/report/pareto-figure.ts';
export { timelineFigure } from './stream/report/timeline-figure.ts';
export { type GateInput, gateInput } from './stream/replay/gate-input.ts';
export { heuristicModel } from './stream/replay/heuristic-model.ts';
export type {
  DecisionAnswer,
  DecisionRequest,
  StreamModel,
  SummaryAnswer,
  SummaryRequest,
} from './stream/replay/model.ts';
export { promptedModel } from './stream/replay/prompted-model.ts';
export { recordedModel } from './stream/replay/recorded-model.ts';
export { readVariant, variantNames } from './stream/replay/read-variant.ts';
export { replayJobs, type ReplayQueue } from './stream/replay/replay-jobs.ts';
export { replayCase, type ReplayedCase } from './stream/replay/replay-case.ts';
export {
  replayFolder,
  type ReplayOptions,
  type ReplayProgress,
  type ReplayTotals,
} from './stream/replay/replay-folder.ts';
export { type GateFlush, type GatePolicy, passGate, USUAL_GATE } from './stream/replay/token-gate.ts';
export type { Variant } from './stream/replay/variant.ts';
export { type MeasuredVariant, measureStream, type MeasureStreamOptions } from './stream/measure/measure-stream.ts';
export { STREAM_INPUTS, STREAM_OUTPUTS } from './stream/record-shapes.ts';
export { casesOfList, readCaseList, type SubsetOfList } from './stream/calibrate/case-list.ts';
export { readByCase } from './stream/calibrate/flush-sizes.ts';
export { configuredExtractor, namesStoplists } from './stream/concepts/configured.ts';
export { chooseConcepts } from './stream/concepts/chosen-concepts.ts';
export { configProvenance } from './stream/concepts/extractor-provenance.ts';
export { DEFAULT_RRF, openKnowledgeBase } from './stream/concepts/linker/read-kb.ts';
export { METADATA_FILE } from './stream/concepts/stoplist-files.ts';
export { stoplistFiles } from './stream/concepts/stoplist-outputs.ts';
export type { StopReport } from './stream/concepts/stoplist.ts';
export { namedFiles, unreadFiles } from './stream/config/config-folder.ts';
export { metricsNotices, metricsProvenance, readMetricsConfig } from './stream/config/metrics-config.ts';
export { readSummarizerConfig, type SummarizerConfig } from './stream/config/summarizer-config.ts';
export { datasetHashOf } from './stream/dataset-hash.ts';
export { isUnansweredSummary } from './stream/failed-call.ts';
export { caseFileOf, readCaseFile, readScript } from './stream/generate/case-file.ts';
export { readDatasetConfig, selectCases } from './stream/generate/dataset-config.ts';
export {
  type Decoding,
  type MasConfig,
  readAgentsProvenance,
  readMasConfig,
  readModelServer,
} from './stream/generate/mas-config.ts';
export { providerSpeaker, type Speaker } from './stream/generate/provider-speaker.ts';
export { caseListText } from './stream/manifest.ts';
export { measuredConcepts } from './stream/measure/replayed-concepts.ts';
export { variantFolders } from './stream/measure/variant-folders.ts';
export { forcedNotice } from './stream/report/notices.ts';
export { aggregateMetrics, streamMetrics } from './stream/measure/legacy-aggregate.ts';
export { type ClockOptions, DEFAULT_CLOCK, eventTime } from './stream/record/event-clock.ts';
export { isProviderModel, type NamedModel, namedModel } from './stream/replay/named-model.ts';
export { overruledNotices } from './stream/replay/variant-defaults.ts';
export {
  chosenYaml,
  gridYaml,
  perCaseLines,
  sweepCsv,
  sweepFigure,
  sweepJson,
} from './stream/report/calibration-files.ts';
export { sweepDocument } from './stream/report/calibration-sweep.ts';
export { v3Document, v3Json, v3Yaml } from './stream/report/calibration-v3.ts';
export { sweepNotices } from './stream/report/calibration-words.ts';
export { conceptsDocument } from './stream/report/concepts.ts';
export { drawFigures, figuresDocument } from './stream/report/figures.ts';
export { streamDemoDocument, streamDocument } from './stream/report/measures.ts';
export { replayDocument } from './stream/report/replay.ts';
export { stoplistDocument } from './stream/report/concepts.ts';
export { validationDocument } from './stream/report/validation.ts';
export type { FileFinding } from './stream/validate/findings.ts';
