import type { Audit } from '../audit/finding.ts';
import type { Evaluation } from '../review/evaluation.ts';
import OTHER_EXPORTERS from '../score/exporters.json' with { type: 'json' };
import { exportFiles, type FileExporter } from '../score/file-exporter.ts';
import { VERSION } from '../score/version.ts';
import type { Document } from './document.ts';
import { evaluationDocument } from './evaluation.ts';
import { namedComparison } from './evaluation-differences.ts';
import { readAudit } from './html/run-parts.ts';
import { renderHtml } from './render-html.ts';
import { renderMarkdown } from './render-markdown.ts';
import { safeJson } from './safe-json.ts';

export const REPORT_MARKDOWN = 'evaluation_summary_report.md';
export const REPORT_HTML = 'evaluation_summary_report.html';
const REPORT_JSON = 'evaluation.json';
export const EVALUATION_FORMAT = 1;

/** The summary as the evaluation document names it, and its figures for programs. */
export const evaluationSummary: FileExporter<{ readonly document: Document; readonly json: string }> = {
  name: 'evaluation-summary',
  ...OTHER_EXPORTERS['evaluation-summary'],
  files: {
    [REPORT_MARKDOWN]: ({ document }) => renderMarkdown(document),
    [REPORT_HTML]: ({ document }) => renderHtml(document),
    [REPORT_JSON]: ({ json }) => json,
  },
};

/** The evaluation as Markdown, HTML and JSON, with the findings of its audits: the same evaluation gives the same bytes. */
export async function writeEvaluation(out: string, evaluation: Evaluation): Promise<void> {
  const audits = new Map<string, Audit>();
  for (const { system, run } of evaluation.systems) {
    const audit = run.folder === '' ? null : await readAudit(run);
    if (audit !== null) audits.set(system, audit);
  }
  const document = evaluationDocument(evaluation, audits);
  exportFiles(evaluationSummary, { document, json: evaluationJson(evaluation) }, out);
}

/** evaluation.json: the figures for programs. It holds no time and no path. */
export function evaluationJson(evaluation: Evaluation): string {
  const { recipe, systems, agreement, judge, withoutClass, conflicts, missing, leftColumns } = evaluation;
  const comparison = namedComparison(evaluation);
  return safeJson({
    format: EVALUATION_FORMAT,
    assay: VERSION,
    recipe,
    systems: systems.map(({ system, run, parity }) => ({
      system,
      signature: run.manifest.signature,
      cases: run.measures.cases,
      measures: run.measures.measures,
      confusion: run.measures.confusion.filter(({ kind }) => kind === 'class'),
      parity,
    })),
    differences:
      comparison === null
        ? null
        : { ...comparison, systems: comparison.systems.map(({ folder: _, ...system }) => system) },
    agreement,
    judge,
    withoutClass,
    conflicts,
    missing,
    leftColumns,
  });
}
