import { join } from 'node:path';

import { readReviewLines } from '../data/read-review-lines.ts';
import { fileSource, type Source } from '../data/source.ts';
import { planRecipe } from '../recipe/plan.ts';
import { arrow, arrowLegend } from '../report/arrows.ts';
import { writeEvaluation } from '../report/evaluation-files.ts';
import { counted, figure, levelText } from '../report/figures.ts';
import { markdownReport } from '../report/markdown.ts';
import { prose } from '../report/prose.ts';
import { quantities, quantity } from '../report/quantity.ts';
import { quietLines } from '../report/quiet-lines.ts';
import type { Style } from '../report/style.ts';
import { type Cell, tableLines } from '../report/table.ts';
import { type ConsultEvaluation, evaluateConsult } from '../review/evaluation.ts';
import { lineForm } from '../review/sheets/line-form.ts';
import { snapshotOfLines } from '../review/snapshot-of-lines.ts';
import { readConsultFiles } from '../runs/consult/consult-reader.ts';
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

const FEW = 'intervals rest on N cases: from so few, resampling gives them too narrow';

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
    files: { 'report.md': markdownReport },
    onOpen: clearOnInterrupt,
  });
  writeEvaluation(out, evaluation);
  return evaluation;
}

/** Both systems side by side in a few lines, and how far the people agree on whom it rests. */
export function consultDemoText({ recipe, systems, agreement }: ConsultEvaluation, style: Style): string {
  const values = systems.map(
    ({ run }) =>
      new Map(run.measures.measures.flatMap((one) => (Object.keys(one.slice).length === 0 ? [[one.name, one]] : []))),
  );
  const shown = SHOWN.flatMap((name) => values[0]?.get(name) ?? []);
  const level = shown.find(({ interval }) => interval !== null)?.interval?.level;
  const rows = shown.map((measure): Cell[] => [
    `  ${measure.name}`,
    { text: arrow(measure), tone: 'quiet' },
    ...values.flatMap((own): Cell[] => {
      const found = own.get(measure.name);
      if (found === undefined || found.value === null) return [{ text: '–', tone: 'quiet' }, ''];
      const { interval } = found;
      const ends = interval === null ? '' : quantities(interval.low, interval.high, found).join('–');
      return [
        { text: quantity(found.value, found), tone: 'strong' },
        { text: ends, tone: 'quiet' },
      ];
    }),
  ]);
  const columns = [
    { title: 'Measure', shrinks: true },
    { title: '' },
    ...systems.flatMap(({ system }) => [{ title: system, align: 'right' as const }, { title: '' }]),
  ];
  const open = systems.flatMap(({ system }, at) =>
    shown.flatMap(({ name }) => {
      const reason = values[at]?.get(name)?.undefined ?? null;
      return reason === null ? [] : [`– ${name} of ${system}: undefined, ${reason}`];
    }),
  );
  const agreed = agreement.flatMap(({ field, part, coefficient, value, interval, n }) =>
    part !== null || value === null || interval === null || !['prakriti', 'claims'].includes(field)
      ? []
      : [`${field} ${coefficient} ${figure(value)} (${figure(interval.low)} to ${figure(interval.high)}, n ${n})`],
  );
  const total = systems[0]?.run.measures.cases.total ?? 0;
  return `${[
    `${style.paint(recipe.name, 'strong')}  ${style.paint(counted(total, 'case'))}`,
    ...prose(recipe.about, style),
    '',
    ...tableLines(columns, rows, style),
    ...(level === undefined ? [] : quietLines(`beside each value its ${levelText(level)} interval, over cases`, style)),
    ...arrowLegend(shown).flatMap((text) => quietLines(text, style)),
    ...open.flatMap((text) => quietLines(text, style)),
    '',
    ...prose(`Agreement: ${agreed.join('; ')}`, style),
    '',
    ...prose(FEW.replace('N', String(total)), style, `${style.paint('!', 'warn')} `, '  '),
  ].join('\n')}\n`;
}
