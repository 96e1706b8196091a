/** Documents of every result, their renderers, pages and figures. */

export { makeStyle, type Style } from './report/style.ts';
export { namingBlocks, scoredText } from './report/about.ts';
export { noticeLines } from './report/notices.ts';
export { auditDocument, auditNotices, dataCheckDocument } from './report/audit.ts';
export { openFindings } from './report/audit-words.ts';
export type { Block, Document, Section } from './report/document.ts';
export { renderHtml } from './report/render-html.ts';
export { renderMarkdown } from './report/render-markdown.ts';
export { renderTerminal } from './report/render-terminal.ts';
export { buildReport, type BuildReportOptions, type BuiltReport } from './report/html/build-report.ts';
export type { CaseDetail, CaseIndex, ReportHead, RunView, Texts } from './report/html/report-data.ts';
export { readAudit, readFigures } from './report/html/run-parts.ts';
export { reportFiles, type ReportFilesOptions } from './report/html/watch-report.ts';
export { calibrationFigure } from './report/svg/calibration-figure.ts';
export { ceilingFigure } from './report/svg/ceiling-figure.ts';
export { confusionFigure } from './report/svg/confusion-figure.ts';
export { precisionRecallFigure } from './report/svg/precision-recall-figure.ts';
export { recipeSweepFigure } from './report/svg/sweep-figure.ts';
export { taxonomyFigure } from './report/svg/taxonomy-figure.ts';
export { waterfallFigure } from './report/svg/waterfall-figure.ts';
export { recipeSweepCsv, recipeSweepDocument } from './report/sweep.ts';
export { waterfallDocument } from './report/waterfall.ts';
export { baselineDocument, comparisonDocument } from './report/comparison.ts';
export { gateAnnotations, gateJson, gateJunit } from './report/gate-formats.ts';
export { gateDocument, limitDocument } from './report/gate.ts';
export { gateOutcome } from './report/gate-words.ts';
export { importedDocument } from './report/imported-run.ts';
export { runDocument, type RunDocumentOptions } from './report/run.ts';
export { wholeRecipeYaml } from './report/recipe-yaml.ts';
export { safeJson as renderJson } from './report/safe-json.ts';
export { betterWord } from './report/arrows.ts';
export { type CsvColumn, renderCsv } from './report/render-csv.ts';
export { sideBySideTable, undefinedRemarks } from './report/run-measures.ts';
export { nameText } from './report/value-text.ts';
export {
  casesNote,
  drawn,
  type Estimate,
  estimateText,
  intervalNote,
  leftOutNote,
  missingNote,
  NO_CLAIM,
  withoutValue,
} from './report/svg/estimate.ts';
export {
  BOLDER,
  COLOURS,
  GREY,
  GRID,
  HEADING,
  INK,
  LINE,
  MARGIN,
  MOST_SERIES,
  seriesLook,
  TEXT,
  WIDTH,
} from './report/svg/look.ts';
export type { AreaMark, LineMark, Mark, PointMark, Sign } from './report/svg/marks.ts';
export { type Axis, axisOf, emptyPlot, extent, type Panel, plot, valueAxis } from './report/svg/plot.ts';
export { singleLine, textWidth } from './report/svg/text-width.ts';
export { drawable, type Ends, ticksWithin, tickText } from './report/svg/ticks.ts';
export { repeatsDocument, ROWS_SHOWN } from './report/repeats.ts';
export { keptTexts } from './report/html/hide-texts.ts';
export { agreementDocument } from './report/agreement.ts';
export { agree, type AgreeOptions } from './report/agree.ts';
export { keptWaterfall, runAgain, type RunPaths } from './report/run-again.ts';
export { numberOf } from './review/agreement/rating-value.ts';
export { type ExplainOptions, explainRun, listVerdicts } from './report/explained-cases.ts';
export { auditChecks } from './report/audit-folder.ts';
