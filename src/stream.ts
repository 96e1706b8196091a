/** Summaries of a running conversation: record, replay, concepts, measures, calibration. */

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
