import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Evaluation } from '../review/evaluation.ts';
import { type Block, commandTable, type Document, type Section } from './document.ts';
import { evaluationDocument, noticeSection, openNotices, reviewerSections } from './evaluation.ts';
import { REPORT_HTML, REPORT_MARKDOWN } from './evaluation-files.ts';
import { truthBlocks } from './evaluation-truth.ts';
import { evaluationContext, isWhole } from './evaluation-values.ts';
import { programName } from './program-name.ts';
import { renderTerminal } from './render-terminal.ts';
import { runDocument } from './run.ts';
import { caseOption, shellWord } from './shell-word.ts';
import type { Style } from './style.ts';

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
  const measures = evaluation.truth === null ? run.measures.measures : run.measures.measures.filter(isWhole);
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
