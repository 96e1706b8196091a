import type { Assignment } from './set-value.ts';
import type { YamlDocument } from './yaml-document.ts';

/** A file that a recipe is made of. */
export interface Layer extends Pick<YamlDocument, 'lineOf'> {
  readonly name: string;
}

/**
 * The place that sets a setting, for messages: the last --set line that names it, else the file that has most of its
 * path, the recipe's own before those it extends.
 */
export function placeIn(
  layers: readonly Layer[],
  assignments: readonly Assignment[],
  path: readonly string[],
): string | null {
  const said = assignments.findLast((assignment) => isWithin(assignment.path, path));
  if (said !== undefined) return `--set ${said.line}`;
  let best: { place: string; depth: number } | null = null;
  for (const { name, lineOf } of layers) {
    const found = lineOf(path);
    if (found !== null && found.depth > (best?.depth ?? 0))
      best = { place: `${name}:${found.line}`, depth: found.depth };
  }
  return best?.place ?? layers[0]?.name ?? null;
}

/** Whether one path begins the other: `pair` speaks of `pair.threshold`, and the other way round. */
function isWithin(a: readonly string[], b: readonly string[]): boolean {
  const plain = a.map((part) => part.replace(/\+$/, ''));
  return plain.every((part, at) => at >= b.length || part === b[at]);
}
