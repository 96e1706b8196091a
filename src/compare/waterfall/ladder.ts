import type { ItemKind } from '../../data/item.ts';
import { isRecord } from '../../data/record-fields.ts';
import { attributeJudge } from '../../judge/attributes.ts';
import { comparesPlaces } from '../../pair/end-places.ts';
import { findRule } from '../../prepare/rule.ts';
import { rulesOf } from '../../recipe/definitions.ts';
import type { Plan } from '../../recipe/plan.ts';
import { PLAIN_ATTRIBUTE } from '../../recipe/schema.ts';
import { lenientParts, pairRungs, type Rung, settingText } from './pair-rungs.ts';

/**
 * The way from strict matching to the recipe, part by part, and the recipe less each part: rows with what they are called
 * and which of the plans they are.
 */
export function ladderOf(plan: Plan) {
  // Other schemes are no part of a waterfall.
  const whole: Plan = { ...plan, schemes: plan.schemes.slice(0, 1) };
  const { pair } = whole.schemes[0]!;
  const rungs = [
    ...plan.prepare.flatMap((step) => prepareRungs(step, plan)),
    ...pairRungs(pair),
    ...attributeRungs(plan),
    ...plan.judge.map(({ name, written }) => ({
      path: `judge.${name}`,
      setting: settingText(written),
      without: (own: Plan): Plan => ({ ...own, judge: own.judge.filter((rule) => rule.name !== name) }),
    })),
  ];
  const plans = new Map<string, Plan>();
  const placeOf = (variant: Plan): number => {
    const key = variantKey(variant);
    if (!plans.has(key)) plans.set(key, variant);
    return [...plans.keys()].indexOf(key);
  };
  const upTo = (parts: number): number =>
    placeOf(rungs.slice(parts).reduce((left, { without }) => without(left), whole));
  const [kind] = pair.keys();
  const byPlace = [...pair.values()].some(({ accept }) => accept.some(comparesPlaces));
  const same = byPlace ? 'same places and types' : kind === undefined ? undefined : SAME[kind];
  return {
    /** From strict matching to the whole recipe. */
    steps: [
      { path: 'strict', setting: same ?? 'same labels', at: upTo(0) },
      ...rungs.map(({ path, setting }, at) => ({ path, setting, at: upTo(at + 1) })),
    ],
    /** The whole recipe less one part each. */
    without: rungs.map(({ path, setting, without }) => ({ path, setting, at: placeOf(without(whole)) })),
    /** What strict matching keeps because there is nothing to score without it. */
    kept: plan.prepare.filter((step) => ruleOf(step, plan).needed !== null).map(({ name }) => `prepare.${name}`),
    /** Every variant once. */
    plans: [...plans.values()],
  };
}

/** Variants with one key are the same: the last rule taken away is the row before the last. */
function variantKey({ prepare, schemes, attributes, judge }: Plan): string {
  const steps = prepare.map(({ name, params }) => [name, params]);
  return JSON.stringify([steps, [...schemes[0]!.pair], attributes, judge.map(({ name }) => name)]);
}

const SAME: Readonly<Partial<Record<ItemKind, string>>> = {
  object: 'same label and text',
  span: 'same label and boundaries',
  entity: 'same names and types',
  relationship: 'same names and types',
  concept: 'same concepts',
};

/** The rule that a step is of, which may go by another name, and what it runs with. */
function ruleOf({ name, params: given }: Plan['prepare'][number], { definitions }: Plan) {
  const { rule = name, ...params } = isRecord(given) ? given : {};
  const found = findRule(rulesOf(definitions).prepare, String(rule), 'prepare');
  return { ...found, alias: rule === name ? {} : { rule }, given: params };
}

/** A rule that can be done without is taken away; of one that cannot, what it forgives. */
function prepareRungs(step: Plan['prepare'][number], plan: Plan): Rung[] {
  const path = `prepare.${step.name}`;
  const rule = ruleOf(step, plan);
  const { needed, given, alias } = rule;
  const replacedBy =
    (others: Plan['prepare']): Rung['without'] =>
    (whole) => ({
      ...whole,
      prepare: whole.prepare.flatMap((own) => (own.name === step.name ? others : [own])),
    });
  if (needed === null) return [{ path, setting: settingText(step.written), without: replacedBy([]) }];
  const lenient = lenientParts(given, needed);
  if (lenient === null) return [];
  const strict = rule.build({ ...given, ...needed }, step.name);
  const others = [{ ...step, step: strict.step, params: { ...alias, ...strict.params } }];
  return [{ path, setting: settingText(lenient), without: replacedBy(others) }];
}

const { field: _field, labels: _labels, kind: _kind, ...PLAIN } = PLAIN_ATTRIBUTE;

/** What attributes forgive, where a measure counts only hits whose attributes are right. */
function attributeRungs({ attributes, resolved }: Plan): Rung[] {
  const asked = requiredIn(resolved['measure']);
  return attributes.flatMap((attribute): Rung[] => {
    const lenient = asked.has(attribute.name) ? lenientParts(attribute, PLAIN) : null;
    if (lenient === null) return [];
    const without = (plan: Plan): Plan => {
      const others = plan.attributes.map((own) => (own.name === attribute.name ? { ...own, ...PLAIN } : own));
      return { ...plan, attributes: others, judgeAttributes: attributeJudge(others) };
    };
    return [{ path: `attributes.${attribute.name}`, setting: settingText(lenient), without }];
  });
}

/** Attributes that some measure, or a measure inside one, requires to be right. */
function requiredIn(value: unknown): ReadonlySet<string> {
  if (!isRecord(value)) return new Set();
  return Object.entries(value).reduce<ReadonlySet<string>>(
    (found, [key, inner]) =>
      found.union(key === 'require' && Array.isArray(inner) ? new Set(inner.map(String)) : requiredIn(inner)),
    new Set(),
  );
}
