/** Summaries of a running conversation: record, replay, concepts, measures, calibration. */

export { canonicalText, type Join, messageText, type TextCounters } from './stream/canonical-text.ts';
export { ctu } from './stream/ctu.ts';
export { readRunLog } from './stream/read-run-log.ts';
export { parseTrace, readTrace, traceFiles } from './stream/read-trace.ts';
export type { BufferDecision, RunLog, SummaryContent, SummaryEvent } from './stream/run-log-records.ts';
export type { StreamDelta, Trace, TurnBoundary } from './stream/trace-records.ts';
export type { ConceptExtractor, ExtractorIdentity } from './stream/concepts/extractor.ts';
export { endpointExtractor } from './stream/concepts/concept-endpoint.ts';
export { countConcepts } from './stream/concepts/count-concepts.ts';
export { recordedExtractor } from './stream/concepts/recorded.ts';
export { scispacyExtractor } from './stream/concepts/scispacy.ts';
export { extractorFromSpec } from './stream/concepts/extractor-from-spec.ts';
export { buildIndex } from './stream/concepts/linker/build-index.ts';
export { linkerExtractor } from './stream/concepts/linker/linker-extractor.ts';
export { loadIndex } from './stream/concepts/linker/linker-index.ts';
export { calibrateFromLogs, calibrateFromTraces } from './stream/calibrate/calibrate-v3.ts';
export { sweepPolicies } from './stream/calibrate/sweep.ts';
export { readGrid } from './stream/calibrate/sweep-grid.ts';
export type { ConversationModel } from './stream/generate/conversation.ts';
export { generateFolder, type GenerateOptions } from './stream/generate/generate-folder.ts';
export { ruleModel, scriptModel } from './stream/generate/scripted-model.ts';
export { freeze } from './stream/record/freeze.ts';
export { Recording } from './stream/record/recording.ts';
export { validateFiles } from './stream/validate/validate.ts';
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
export { readVariant } from './stream/replay/read-variant.ts';
export { replayCase, type ReplayedCase } from './stream/replay/replay-case.ts';
export { replayFolder, type ReplayOptions } from './stream/replay/replay-folder.ts';
export { type GateFlush, type GatePolicy, passGate, USUAL_GATE } from './stream/replay/token-gate.ts';
export type { Variant } from './stream/replay/variant.ts';
export { type MeasuredVariant, measureStream, type MeasureStreamOptions } from './stream/measure/measure-stream.ts';
export { STREAM_INPUTS, STREAM_OUTPUTS } from './stream/record-shapes.ts';
export { streamDemoDocument } from './stream/report/measures.ts';
