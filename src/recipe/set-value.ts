import { parse } from 'yaml';

import { UsageError } from '../data/problems.ts';
import { mergeRecipe } from './merge-recipe.ts';

/** Lays one `path=value` over a recipe, as if the line stood in the file: the value is YAML, so lists and maps work. */
export function setValue(recipe: unknown, assignment: string): unknown {
  const at = assignment.indexOf('=');
  if (at <= 0)
    throw new UsageError(`--set ${assignment}: expected path=value`, 'for example --set pair.assign=optimal');
  const path = assignment.slice(0, at).trim().split('.');
  if (path.some((part) => part === '' || part === '__proto__'))
    throw new UsageError(
      `--set ${assignment}: ${path.join('.')} is not a path`,
      'for example --set pair.threshold=0.6',
    );
  const text = assignment.slice(at + 1);
  let value: unknown;
  try {
    value = parse(text.trim() === '' ? '""' : text, { maxAliasCount: 0 });
  } catch (error) {
    throw new UsageError(
      `--set ${assignment}: the value is not YAML (${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)})`,
    );
  }
  if (path.at(-1) === 'order' && typeof value === 'string') value = value.split(',').map((name) => name.trim());
  const nested = path.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
  return mergeRecipe(recipe, nested);
}
