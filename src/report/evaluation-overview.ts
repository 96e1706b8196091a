import type { Evaluation } from '../review/evaluation.ts';
import { plural, figure } from '../text/figures.ts';
import type { Document } from './document.ts';
import { runNotices } from './evaluation.ts';
import { sideBySideTable } from './run-measures.ts';
import { overall } from './run-tables.ts';
import { rangeText } from './value-text.ts';

/** Systems side by side in a few lines: some measures, and how far the reviewers agree on some questions. */
export function evaluationOverview(
  evaluation: Evaluation,
  measures: readonly string[],
  questions: readonly string[],
): Document {
  const { recipe, systems, agreement, cases } = evaluation;
  const shown = systems.map(({ system, run }) => ({
    name: system,
    values: new Map(overall(run).map((value) => [value.name, value])),
  }));
  const agreed = agreement.flatMap(({ field, part, coefficient, value, interval, n }) =>
    part !== null || value === null || interval === null || !questions.includes(field)
      ? []
      : [`${field} ${coefficient} ${figure(value)} (${rangeText(interval)}, n ${n})`],
  );
  return {
    title: `${recipe.name}: ${plural(cases, 'case')}`,
    about: recipe.about,
    sections: [
      { blocks: [{ list: runNotices(evaluation), mark: 'warning' }] },
      { title: 'Measures', blocks: [sideBySideTable(shown, measures)] },
      { blocks: [{ text: `Agreement: ${agreed.join('; ')}` }] },
    ],
  };
}
