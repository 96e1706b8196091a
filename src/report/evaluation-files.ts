import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Audit } from '../audit/finding.ts';
import type { Evaluation } from '../review/evaluation.ts';
import OTHER_EXPORTERS from '../score/exporters.json' with { type: 'json' };
import { exportFiles, type FileExporter } from '../score/file-exporter.ts';
import { VERSION } from '../score/version.ts';
import { isUnsliced } from './comparison-words.ts';
import { type Block, commandTable, type Document, type Section } from './document.ts';
import { namedComparison } from './evaluation-sections.ts';
import { truthBlocks } from './evaluation-sections.ts';
import { evaluationContext } from './evaluation-values.ts';
import { evaluationDocument, noticeSection, openNotices, reviewerSections } from './evaluation.ts';
import { readAudit } from './html/run-parts.ts';
import { programName } from './program-name.ts';
import { renderHtml } from './render-html.ts';
import { renderMarkdown } from './render-markdown.ts';
import { renderTerminal } from './render-terminal.ts';
import { runDocument } from './run.ts';
import { safeJson } from './safe-json.ts';
import { caseOption, shellWord } from './shell-word.ts';
import type { Style } from './style.ts';

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

/** The evaluation on a terminal, with what to open next. */
export function evaluationText(evaluation: Evaluation, style: Style, out: string | null, verbose = false): string {
  const isOne = evaluation.systems.length === 1;
  const { sections, ...document } = isOne ? oneSystem(evaluation, verbose) : evaluationDocument(evaluation);
  const next: Section = { on: 'terminal', blocks: [nextBlock(evaluation, out)] };
  return renderTerminal({ ...document, sections: [...sections, next] }, style);
}

/** The document of its run, as for every other recipe, with what reviewers answered. The page has the tables by class. */
function oneSystem(evaluation: Evaluation, verbose: boolean): Document {
  const { run } = evaluation.systems[0]!;
  const context = evaluationContext(evaluation);
  const measures = evaluation.truth === null ? run.measures.measures : run.measures.measures.filter(isUnsliced);
  const { sections, ...document } = runDocument({ ...run, measures: { ...run.measures, measures } }, { verbose });
  const reviewed = [
    noticeSection([...evaluation.notices, ...openNotices(context)]),
    ...(evaluation.withoutClass.length === 0 ? [] : [{ title: 'Ground truth', blocks: truthBlocks(context) }]),
    ...reviewerSections(context),
  ];
  return { ...document, sections: [...sections, ...reviewed] };
}

function nextBlock({ systems }: Evaluation, out: string | null): Block {
  if (out === null) return { text: 'Nothing was written: --out FOLDER keeps the runs and the report.' };
  const page = join(systems[0]?.run.folder ?? '', 'report.html');
  const [worst] = systems.flatMap(({ run }) =>
    run.folder === '' ? [] : run.worst.slice(0, 1).map((one) => ({ folder: run.folder, id: one.case })),
  );
  const explain =
    worst === undefined || systems.length < 2
      ? null
      : `${programName()} explain ${shellWord(worst.folder)} ${caseOption(worst.id)}`;
  return commandTable([
    ['The whole evaluation', shellWord(join(out, REPORT_HTML))],
    ['The same as Markdown', shellWord(join(out, REPORT_MARKDOWN))],
    ...(existsSync(page) ? [['Every case, in a browser', shellWord(page)] as const] : []),
    ...(explain === null ? [] : [['Every verdict, in its text', explain] as const]),
  ]);
}
