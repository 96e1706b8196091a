/** What the library has of reports: pages, figures and texts of what stands behind a run. */

export { buildReport, type BuildReportOptions } from './html/build-report.ts';
export type { CaseDetail, CaseIndex, ReportHead, RunView, Texts } from './html/report-data.ts';
export { readAudit, readFigures } from './html/run-parts.ts';
export { reportFiles, type ReportFilesOptions } from './html/watch-report.ts';
export { calibrationFigure } from './svg/calibration-figure.ts';
export { ceilingFigure } from './svg/ceiling-figure.ts';
export { confusionFigure } from './svg/confusion-figure.ts';
export { precisionRecallFigure } from './svg/precision-recall-figure.ts';
export { recipeSweepFigure } from './svg/sweep-figure.ts';
export { taxonomyFigure } from './svg/taxonomy-figure.ts';
export { waterfallFigure } from './svg/waterfall-figure.ts';
export { recipeSweepDocument } from './sweep.ts';
export { waterfallDocument } from './waterfall.ts';
