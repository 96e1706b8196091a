import { yamlPackage } from '../recipe/yaml-package.ts';
import { USUAL_WIDTH } from './style.ts';

/** Of a run just scored, several files have it. */
const written = new WeakMap<object, string>();

/**
 * A recipe's settings as YAML, without those that say nothing (null, an empty list). The same from a run just scored and
 * from its folder.
 */
export function recipeYaml(resolved: Readonly<Record<string, unknown>>): string {
  const known = written.get(resolved) ?? yamlOf(pruned(plainCopy(resolved), []));
  written.set(resolved, known);
  return known;
}

/** Every setting of a recipe as YAML: read again, it gives the same recipe. */
export function wholeRecipeYaml(recipe: Readonly<Record<string, unknown>>): string {
  return yamlOf(plainCopy(recipe), USUAL_WIDTH, 50);
}

/** Through JSON, as the manifest goes: functions and undefined fall away. */
function plainCopy(recipe: Readonly<Record<string, unknown>>): unknown {
  return JSON.parse(JSON.stringify(recipe));
}

function yamlOf(plain: unknown, lineWidth = 100, longestFlow = 80): string {
  const { Document, isMap, isScalar, isSeq, visit } = yamlPackage();
  const document = new Document(plain, { aliasDuplicateObjects: false });
  visit(document, {
    Seq(_, list) {
      if (list.items.every((item) => isScalar(item) || (isSeq(item) && item.items.every(isScalar)))) list.flow = true;
    },
    Map(key, map) {
      const small = JSON.stringify(map).length <= longestFlow && map.items.every(({ value }) => !isMap(value));
      if (key !== null && (map.items.length === 0 || small)) map.flow = true;
    },
  });
  return document.toString({ lineWidth });
}

function pruned(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((inner: unknown) => pruned(inner, [...path, '']));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, unknown][] =>
      saysNothing(inner, path) ? [] : [[key, pruned(inner, [...path, key])]],
    ),
  );
}

/** A rule without parameters is still a rule; an empty section is dropped. */
function saysNothing(value: unknown, path: readonly string[]): boolean {
  if (value === null || (Array.isArray(value) && value.length === 0)) return true;
  return typeof value === 'object' && Object.keys(value).length === 0 && (path.length === 0 || path[0] === 'data');
}
