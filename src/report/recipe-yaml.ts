import { yamlPackage } from '../recipe/yaml-package.ts';

/** Of a run just scored, several files have it. */
const written = new WeakMap<object, string>();

/**
 * A recipe's settings as YAML, without those that say nothing (null, an empty list). The same from a run just scored and
 * from its folder.
 */
export function recipeYaml(resolved: Readonly<Record<string, unknown>>): string {
  const known = written.get(resolved) ?? yamlOf(resolved);
  written.set(resolved, known);
  return known;
}

function yamlOf(resolved: Readonly<Record<string, unknown>>): string {
  const { Document, isMap, isScalar, isSeq, visit } = yamlPackage();
  // Through JSON, as the manifest goes: functions and undefined fall away.
  const plain: unknown = JSON.parse(JSON.stringify(resolved));
  const document = new Document(pruned(plain, []), { aliasDuplicateObjects: false });
  visit(document, {
    Seq(_, list) {
      if (list.items.every((item) => isScalar(item) || (isSeq(item) && item.items.every(isScalar)))) list.flow = true;
    },
    Map(key, map) {
      const small = JSON.stringify(map).length <= LONGEST_FLOW && map.items.every(({ value }) => !isMap(value));
      if (key !== null && (map.items.length === 0 || small)) map.flow = true;
    },
  });
  return document.toString({ lineWidth: 100 });
}

const LONGEST_FLOW = 80;

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
