import type { Evaluation } from '../review/evaluation.ts';
import type { SystemRun } from '../compare/compare-systems.ts';
import { compareNatural } from '../text/compare.ts';
import { labelBlocks } from './evaluation-measures.ts';
import { cell, left, type PageBlock, paragraph, right, table } from './evaluation-page.ts';
import type { EvaluationRecipe } from './evaluation-recipe.ts';
import type { ValueOf } from './evaluation-values.ts';
import { count } from '../text/figures.ts';

const CLASS = 'class';
const NO_CLASS = '(no class)';

/** Accuracy class by class, and which class was taken for which. */
export function classBlocks(evaluation: Evaluation, recipe: EvaluationRecipe, valueOf: ValueOf): PageBlock[] {
  const { systems } = evaluation;
  return [
    ...labelBlocks(systems, recipe, valueOf, 'label', (name) => name === 'accuracy', recipe.classes),
    ...(evaluation.truth === null ? [] : systems.map((system) => confusionBlock(system, recipe.classes))),
  ];
}

function confusionBlock({ system, run }: SystemRun, classes: readonly string[]): PageBlock {
  const own = run.measures.confusion.filter(({ kind, scheme }) => kind === CLASS && scheme === null);
  if (own.length === 0) return paragraph(`${system}: no case has a class to be taken for another.`);
  const inOrder = (found: readonly (string | null)[]): string[] => {
    const names = new Set(found.map((name) => name ?? NO_CLASS));
    const known = classes.filter((name) => names.has(name));
    const rest = [...names].filter((name) => !known.includes(name) && name !== NO_CLASS).sort(compareNatural);
    return [...known, ...rest, ...(names.has(NO_CLASS) ? [NO_CLASS] : [])];
  };
  const golds = inOrder(own.map(({ gold }) => gold));
  const predicted = inOrder(own.map((one) => one.predicted));
  const counts = new Map(own.map((one) => [JSON.stringify([one.gold ?? NO_CLASS, one.predicted ?? NO_CLASS]), one.n]));
  return table(
    `Classes of ${system}: what each case is (rows) and what it was taken for (columns), in cases`,
    [left('the case is'), ...predicted.map(right), right('all')],
    golds.map((gold) => {
      const row = predicted.map((name) => counts.get(JSON.stringify([gold, name])) ?? 0);
      return [
        gold,
        ...row.map((n, at) =>
          cell(count(n), n === 0 ? { tone: 'quiet' } : gold === predicted[at] ? { tone: 'good' } : {}),
        ),
        count(row.reduce((sum, n) => sum + n, 0)),
      ];
    }),
  );
}
