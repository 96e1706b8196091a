import { isRecord } from '../data/record-fields.ts';
import { byName, mergeRecipe } from './merge-recipe.ts';
import { isOff } from './on-off.ts';

/** The measures of a recipe that names none. */
export const PLAIN_MEASURES = ['precision', 'recall', 'f1'];

/**
 * Lays one recipe over another. An attribute that the upper one adds brings its accuracy, NAME_accuracy, unless a measure
 * has that name or is an accuracy of it; one that it switches off takes that with it. A whole recipe with measures, and a
 * list of measures, say themselves what is measured.
 */
export function layOver(base: unknown, over: unknown): unknown {
  const recipe = mergeRecipe(base, over);
  if (!isRecord(recipe) || !isRecord(over) || !isRecord(over['attributes'])) return recipe;
  const isWhole = !isRecord(base) || Object.keys(base).length === 0;
  if (Array.isArray(over['measure']) || (isWhole && over['measure'] !== undefined)) return recipe;
  const below = isRecord(base) && isRecord(base['attributes']) ? base['attributes'] : {};
  const written = recipe['measure'] ?? PLAIN_MEASURES;
  const measures = new Map(Object.entries(Array.isArray(written) ? byName(written) : isRecord(written) ? written : {}));
  const before = measures.size;
  for (const [attribute, setting] of Object.entries(over['attributes'])) {
    const name = accuracyName(attribute);
    const form = { of: 'accuracy', attributes: [attribute] };
    if (isOff(setting)) {
      if (JSON.stringify(measures.get(name)) === JSON.stringify(form)) measures.delete(name);
    } else if (!isIn(attribute, below) && !measures.has(name) && ![...measures.values()].some(isAccuracyOf(attribute)))
      measures.set(name, form);
  }
  return measures.size === before ? recipe : { ...recipe, measure: Object.fromEntries(measures) };
}

export function accuracyName(attribute: string): string {
  return `${attribute}_accuracy`;
}

function isIn(attribute: string, attributes: Readonly<Record<string, unknown>>): boolean {
  return Object.hasOwn(attributes, attribute) && !isOff(attributes[attribute]);
}

function isAccuracyOf(attribute: string): (measure: unknown) => boolean {
  return (measure) =>
    isRecord(measure) &&
    measure['of'] === 'accuracy' &&
    Array.isArray(measure['attributes']) &&
    measure['attributes'].includes(attribute);
}
