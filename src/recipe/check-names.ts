import { isRecord } from '../data/record-fields.ts';
import type { Attribute } from '../judge/attributes.ts';
import { comparesPlaces } from '../pair/end-places.ts';
import { settingError, SettingProblems, unknownName } from '../prepare/setting-error.ts';
import { AUDIT_CHECKS, auditCheckName } from './audit-section.ts';
import type { Definition } from './definition.ts';
import { rulesOf } from './definitions.ts';
import type { Recipe } from './schema.ts';
import { kindsOfTask, type Scheme } from './schemes.ts';

/** Rules that no recipe lists: what pairing and reading decide by themselves. */
const BUILT_IN_RULES = ['pair', 'no-match', 'inside', 'unresolved', 'bad-span', 'failed'];

/** Names that one section uses and another must define: a measure of an undeclared attribute would always be empty. */
export function checkNames(
  recipe: Recipe,
  schemes: readonly Scheme[],
  attributes: readonly Attribute[],
  measures: Readonly<Record<string, object>>,
  definitions: readonly Definition[],
): void {
  const problems = new SettingProblems();
  const kinds = kindsOfTask(recipe.task);
  const checkKind = (path: readonly string[], kind: string | null): void => {
    if (kind !== null && !kinds.some((known) => known === kind))
      problems.add(unknownName([...path, 'kind'], 'kind of item', kind, kinds));
  };
  for (const { name, kind } of attributes) checkKind(['attributes', name], kind);

  const attributeNames = attributes.map((attribute) => attribute.name);
  const ruleNames = [
    ...BUILT_IN_RULES,
    ...Object.keys(recipe.prepare),
    ...Object.keys(recipe.judge),
    ...Object.values(rulesOf(definitions)).flatMap((rules) => rules.map((rule) => rule.name)),
    ...schemes.flatMap(({ pair }) => [...pair.values()].flatMap(({ accept }) => accept.map(({ name }) => name))),
  ];
  const checkMeasure = (path: readonly string[], params: object): void => {
    for (const kind of [Reflect.get(params, 'kind'), ...namesIn(params, 'kinds')])
      if (typeof kind === 'string') checkKind(path, kind);
    for (const key of ['attributes', 'require', 'requireByLabel'] as const) {
      const asked = namesIn(params, key).find((attribute) => !attributeNames.includes(attribute));
      if (asked !== undefined) problems.add(unknownName([...path, key], 'attribute', asked, attributeNames));
    }
    for (const key of ['rules', 'exceptRules', 'excusedBy', 'rightBy'] as const) {
      const asked = namesIn(params, key).find((rule) => !ruleNames.includes(rule));
      if (asked !== undefined) problems.add(unknownName([...path, key], 'rule', asked, ruleNames));
    }
    for (const key of ['measure', 'over', 'under']) {
      const inner: unknown = Reflect.get(params, key);
      if (isRecord(inner)) checkMeasure([...path, key], inner);
    }
  };
  for (const [name, params] of Object.entries(measures)) checkMeasure(['measure', name], params);
  for (const name of recipe.primary ?? [])
    if (!Object.hasOwn(measures, name)) problems.add(unknownName(['primary'], 'measure', name, Object.keys(measures)));
  const checks = [...AUDIT_CHECKS, ...definitions.flatMap((one) => (one.defines === 'check' ? [one.name] : []))];
  for (const name of Object.keys(recipe.audit?.accept ?? {}))
    if (!checks.some((check) => check === auditCheckName(name)))
      problems.add(unknownName(['audit', 'accept', name], 'check', name, checks));
  problems.attempt(() => checkPlaces(recipe, schemes));
  if (recipe.slice.includes('scheme'))
    problems.add(settingError(['slice'], 'scheme is no column: every scheme has its own figures as it is'));
  problems.throwIfAny();
}

/** Ends are compared by place only if something reads and resolves places. */
function checkPlaces({ data, prepare }: Recipe, schemes: readonly Scheme[]): void {
  const resolving = prepare['resolve-refs'];
  const isPlacing = isRecord(resolving) && resolving['by'] === 'place';
  if (isPlacing && data.places !== 'required')
    throw settingError(['prepare', 'resolve-refs', 'by'], 'places are not read', 'set data.places to required');
  for (const { name, pair } of schemes) {
    const byPlace = [...pair.values()].some(({ accept }) => accept.some(comparesPlaces));
    const path = name === null ? ['pair'] : ['schemes', name];
    if (byPlace && !isPlacing)
      throw settingError(
        [...path, 'relationship', 'ends'],
        'ends have no places',
        'set prepare.resolve-refs.by to place',
      );
  }
}

function namesIn(params: object, key: string): readonly string[] {
  const names: unknown = Reflect.get(params, key);
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}
