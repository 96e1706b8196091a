import { exportFiles, type FileExporter } from '../tasks/file-exporter.ts';
import type { Evaluation } from '../review/evaluation.ts';
import type { Audit } from '../audit/finding.ts';
import { pageHtml } from './evaluation-html.ts';
import { evaluationJson } from './evaluation-json.ts';
import { pageMarkdown } from './evaluation-markdown.ts';
import type { Page } from './evaluation-page.ts';
import { evaluationPage } from './evaluation-sections.ts';
import { readAudit } from './html/run-parts.ts';

export const REPORT_MARKDOWN = 'evaluation_summary_report.md';
export const REPORT_HTML = 'evaluation_summary_report.html';
export const REPORT_JSON = 'evaluation.json';

/**
 * The report of an evaluation as Markdown, HTML and JSON, with what the audits of its runs found: the same evaluation
 * gives the same bytes.
 */
export async function writeEvaluation(out: string, evaluation: Evaluation): Promise<void> {
  const audits = new Map<string, Audit>();
  for (const { system, run } of evaluation.systems) {
    const audit = run.folder === '' ? null : await readAudit(run);
    if (audit !== null) audits.set(system, audit);
  }
  writePage(out, evaluationPage(evaluation, audits), evaluationJson(evaluation));
}

/** The page as the evaluation document names it, and its figures for machines. */
export const evaluationSummary: FileExporter<{ readonly page: Page; readonly json: string }> = {
  name: 'evaluation-summary',
  about: 'evaluation_summary_report.md, .html and evaluation.json: the page of an evaluation, also of a single system',
  task: null,
  files: {
    [REPORT_MARKDOWN]: ({ page }) => pageMarkdown(page),
    [REPORT_HTML]: ({ page }) => pageHtml(page),
    [REPORT_JSON]: ({ json }) => json,
  },
};

export function writePage(out: string, page: Page, json: string): void {
  exportFiles(evaluationSummary, { page, json }, out);
}
