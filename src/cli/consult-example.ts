import { join } from 'node:path';

import { readReviewLines } from '../review/read-review-lines.ts';
import { fileSource, type Source } from '../data/source.ts';
import { planRecipe } from '../recipe/plan.ts';
import { runNotices } from '../report/evaluation.ts';
import { writeEvaluation } from '../report/evaluation-files.ts';
import { counted, figure, NONE } from '../text/figures.ts';
import { reportFiles } from '../report/html/watch-report.ts';
import { overall } from '../report/run-tables.ts';
import { sideBySideTable } from '../report/run-measures.ts';
import { rangeText } from '../report/value-text.ts';
import type { Document } from '../report/document.ts';
import { type Evaluation, evaluateSystems } from '../review/evaluation.ts';
import { lineForm } from '../review/review-line-layout.ts';
import { snapshotOfLines } from '../review/line-snapshot.ts';
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
export async function evaluateConsultExample(out: string): Promise<Evaluation> {
  const file = (name: string): Source => fileSource(join(exampleFolder('consult'), name));
  const plan = await planRecipe(PRESET);
  const systems = SYSTEMS.map((system) => ({ system, source: file(`${system}.jsonl`) }));
  const form = plan.review!;
  const lines = await readReviewLines([file('reviews.csv')], { form: lineForm(form) });
  const evaluation = await evaluateSystems(plan, { cases: file('cases.csv'), systems }, snapshotOfLines(lines, form), {
    out,
    watch: reportFiles(),
    onOpen: clearOnInterrupt,
  });
  await writeEvaluation(out, evaluation);
  return evaluation;
}

/** Both systems side by side in a few lines, and how far the reviewers agree. */
export function consultDemoDocument(evaluation: Evaluation): Document {
  const { recipe, systems, agreement, cases } = evaluation;
  const shown = systems.map(({ system, run }) => ({
    name: system,
    values: new Map(overall(run).map((value) => [value.name, value])),
  }));
  const table = sideBySideTable(shown, SHOWN);
  const open = shown.flatMap(({ name: system, values }) =>
    SHOWN.flatMap((name) => {
      const reason = values.get(name)?.undefined ?? null;
      return reason === null ? [] : [`${NONE} ${name} of ${system}: undefined, ${reason}`];
    }),
  );
  const agreed = agreement.flatMap(({ field, part, coefficient, value, interval, n }) =>
    part !== null || value === null || interval === null || !['prakriti', 'claims'].includes(field)
      ? []
      : [`${field} ${coefficient} ${figure(value)} (${rangeText(interval)}, n ${n})`],
  );
  return {
    title: `${recipe.name}: ${counted(cases, 'case')}`,
    about: recipe.about,
    sections: [
      { blocks: [{ list: runNotices(evaluation), mark: 'warning' }] },
      { title: 'Measures', blocks: [{ ...table, remarks: [...(table.remarks ?? []), ...open] }] },
      { blocks: [{ text: `Agreement: ${agreed.join('; ')}` }] },
    ],
  };
}
