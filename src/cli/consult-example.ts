import { join } from 'node:path';

import { readReviewLines } from '../review/read-review-lines.ts';
import { fileSource, type Source } from '../data/source.ts';
import { planRecipe } from '../recipe/plan.ts';
import { runNotices } from '../report/evaluation.ts';
import { writeEvaluation } from '../report/evaluation-files.ts';
import { counted, figure } from '../text/figures.ts';
import { reportFiles } from '../report/html/watch-report.ts';
import { prose } from '../report/prose.ts';
import { quietLines } from '../report/quiet-lines.ts';
import { overall } from '../report/run-tables.ts';
import { sideBySideLines } from '../report/side-by-side.ts';
import type { Style } from '../report/style.ts';
import { type ConsultEvaluation, evaluateConsult } from '../review/evaluation.ts';
import { lineForm } from '../review/sheets/line-form.ts';
import { snapshotOfLines } from '../review/snapshot-of-lines.ts';
import { readConsultFiles } from '../formats/consult/consult-reader.ts';
import { exampleFolder } from './examples.ts';
import { clearOnInterrupt } from './interrupt.ts';

const PRESET = 'consult/ayurmind';
const SYSTEMS = ['plain', 'guided'] as const;
const SHOWN = [
  'accuracy',
  'completeness',
  'treatment_relevance',
  'hallucination_rate',
  'flesch_kincaid_grade',
  'treatment_relevance_coverage',
];

/** Scores the bundled consultations with what the bundled reviewers said. */
export async function evaluateConsultExample(out: string): Promise<ConsultEvaluation> {
  const file = (name: string): Source => fileSource(join(exampleFolder('consult'), name));
  const plan = await planRecipe(PRESET);
  const systems = SYSTEMS.map((system) => ({ system, source: file(`${system}.jsonl`) }));
  const files = await readConsultFiles(file('cases.csv'), systems, plan);
  const form = plan.review!;
  const lines = await readReviewLines([file('reviews.csv')], { form: lineForm(form) });
  const evaluation = await evaluateConsult(plan, files, snapshotOfLines(lines, form), {
    out,
    watch: reportFiles(),
    onOpen: clearOnInterrupt,
  });
  await writeEvaluation(out, evaluation);
  return evaluation;
}

/** Both systems side by side in a few lines, and how far the people agree on whom it rests. */
export function consultDemoText(evaluation: ConsultEvaluation, style: Style): string {
  const { recipe, systems, agreement, cases } = evaluation;
  const shown = systems.map(({ system, run }) => ({
    name: system,
    values: new Map(overall(run).map((value) => [value.name, value])),
  }));
  const open = shown.flatMap(({ name: system, values }) =>
    SHOWN.flatMap((name) => {
      const reason = values.get(name)?.undefined ?? null;
      return reason === null ? [] : [`– ${name} of ${system}: undefined, ${reason}`];
    }),
  );
  const agreed = agreement.flatMap(({ field, part, coefficient, value, interval, n }) =>
    part !== null || value === null || interval === null || !['prakriti', 'claims'].includes(field)
      ? []
      : [`${field} ${coefficient} ${figure(value)} (${figure(interval.low)} to ${figure(interval.high)}, n ${n})`],
  );
  return `${[
    `${style.paint(recipe.name, 'strong')}  ${style.paint(counted(cases, 'case'))}`,
    ...prose(recipe.about, style),
    '',
    ...sideBySideLines(shown, SHOWN, style),
    ...open.flatMap((text) => quietLines(text, style)),
    '',
    ...prose(`Agreement: ${agreed.join('; ')}`, style),
    '',
    ...runNotices(evaluation).flatMap((notice) => prose(notice, style, `${style.paint('!', 'warn')} `, '  ')),
  ].join('\n')}\n`;
}
