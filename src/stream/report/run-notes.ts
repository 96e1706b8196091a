import type { Run } from '../../index.ts';
import { count, plural, isRecord } from '../../plugin.ts';
import { FEW_UNITS } from '../../stats.ts';

interface NamedRun {
  readonly name: string;
  readonly run: Run;
}

/** What to mind about any figure of these runs, one sentence each. */
export function runNotes(runs: readonly NamedRun[]): string[] {
  const fewest = Math.min(...runs.map(({ run: { measures } }) => measures.cases.total - measures.cases.failed));
  const heuristic = runs.filter(({ run }) => (run.manifest.notices['heuristicLogs'] ?? 0) > 0);
  return [
    ...(fewest < FEW_UNITS ? ['From so few cases, resampling gives intervals too narrow.'] : []),
    ...runs.flatMap(({ name, run: { measures } }) =>
      measures.cases.failed === 0
        ? []
        : [`${name}: ${count(measures.cases.failed)} of ${plural(measures.cases.total, 'case')} failed, in no mean.`],
    ),
    ...(heuristic.length === 0
      ? []
      : [`${heuristic.map(({ name }) => name).join(', ')}: answers of a heuristic stand-in, not of a language model.`]),
  ];
}

/** What is not in the unsupported shares. */
export function exclusionNotes(runs: readonly NamedRun[]): string[] {
  const left = runs.flatMap(({ name, run }) => {
    const excluded = run.manifest.notices['summariesNotInFaithfulness'] ?? 0;
    return excluded === 0 ? [] : [`${name} ${count(excluded)}`];
  });
  return left.length === 0 ? [] : [`Summaries left out, their schema failed: ${left.join(', ')}.`];
}

export function conceptNotes(runs: readonly NamedRun[]): string[] {
  const names = new Set(
    runs.flatMap(({ run }) => {
      const concepts = run.manifest.recipe.resolved['concepts'];
      return isRecord(concepts) && typeof concepts['name'] === 'string' ? [concepts['name']] : [];
    }),
  );
  return names.size === 0 ? [] : [`Concepts: ${[...names].join(', ')}.`];
}
