import { UsageError } from '../../data/problems.ts';
import type { Plan } from '../../recipe/plan.ts';
import { nearestNames } from '../../text/nearest.ts';

const MOST_USUAL = 8;

/** The measures that were asked for, as long as the recipe has them. */
export function askedMeasures({ measures, name: recipe }: Plan, asked: readonly string[]): string[] {
  const known = measures.map(({ name }) => name);
  const strange = asked.find((name) => !known.includes(name));
  if (strange === undefined) return [...new Set(asked)];
  const near = nearestNames(strange, known);
  throw new UsageError(
    `${recipe} has no measure ${strange}`,
    near.length > 0 ? `did you mean ${near.join(' or ')}?` : `there are: ${known.join(', ')}`,
  );
}

/**
 * What a sweep shows unless told otherwise: the recipe's primary measures; else every F1 that is no mean over labels, then
 * precision and recall; else the first few measures there are.
 */
export function usualMeasures({ measures, resolved }: Plan): string[] {
  const known = measures.map(({ name }) => name);
  const primary = Array.isArray(resolved['primary']) ? resolved['primary'].map(String) : [];
  const named = primary.filter((name) => known.includes(name));
  if (named.length > 0) return named;
  // A mean over labels takes many times as long to resample: it is there for those who ask for it.
  const f1 = measures
    .filter(({ name, overLabels }) => /(?:^|_)f1$/.test(name) && overLabels !== true)
    .map(({ name }) => name);
  const inOrder = [...f1.filter((name) => name === 'f1'), ...f1.filter((name) => name !== 'f1')];
  const found = [...inOrder, ...['precision', 'recall'].filter((name) => known.includes(name))];
  return found.length > 0 ? found : known.slice(0, MOST_USUAL);
}
