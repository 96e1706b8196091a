import type { ItemKind } from '../../data/item.ts';
import { isRecord } from '../../data/record-fields.ts';
import { type Attribute, attributeJudge } from '../../judge/attributes.ts';
import { findRule } from '../../prepare/rule.ts';
import { PREPARE_RULES } from '../../prepare/rules.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { Recipe } from '../../recipe/schema.ts';
import { type Mix, pairRungs, type PreparedRule, type Rung, settingText } from './pair-rungs.ts';

/** The plan with this mix in place of its own; other schemes are no part of a waterfall. */
function planWith(plan: Plan, { prepare, pair, attributes, judge }: Mix): Plan {
  return {
    ...plan,
    prepare,
    schemes: [{ name: null, pair }],
    attributes,
    judgeAttributes: attributeJudge(attributes),
    judge,
    resolved: { ...plan.resolved, prepare: Object.fromEntries(prepare.map(({ name, params }) => [name, params])) },
  };
}

/** Mixes with one key are the same: the last rule taken away is the row before the last. */
function mixKey({ prepare, pair, attributes, judge }: Mix): string {
  return JSON.stringify([
    prepare.map(({ name, params }) => [name, params]),
    [...pair],
    attributes,
    judge.map(({ name }) => name),
  ]);
}

/** A row of the waterfall: what it is called, and which variant it is. */
export interface LadderRow {
  readonly path: string;
  readonly setting: string;
  /** Its place among the plans. */
  readonly at: number;
}

export interface Ladder {
  /** Every variant once. */
  readonly plans: readonly Plan[];
  /** From strict matching to the whole recipe. */
  readonly steps: readonly LadderRow[];
  /** The whole recipe less one part each. */
  readonly without: readonly LadderRow[];
  readonly kept: readonly string[];
}

/** The way from strict matching to the recipe, part by part, and the recipe less each part. */
export async function ladderOf(plan: Plan): Promise<Ladder> {
  const { whole, rungs, kept } = await rungsOf(plan);
  const plans: Plan[] = [];
  const known = new Map<string, number>();
  const placeOf = (mix: Mix): number => {
    const key = mixKey(mix);
    let at = known.get(key);
    if (at === undefined) {
      known.set(key, (at = plans.length));
      plans.push(planWith(plan, mix));
    }
    return at;
  };
  const upTo = (count: number): number =>
    placeOf(rungs.slice(count).reduce<Mix>((mix, rung) => rung.without(mix), whole));
  const steps = [
    { path: 'strict', setting: strictText(plan), at: upTo(0) },
    ...rungs.map(({ path, setting }, at) => ({ path, setting, at: upTo(at + 1) })),
  ];
  const without = rungs.map(({ path, setting, without: takenAway }) => ({
    path,
    setting,
    at: placeOf(takenAway(whole)),
  }));
  return { plans, steps, without, kept };
}

const SAME: Readonly<Partial<Record<ItemKind, string>>> = {
  object: 'same label and text',
  span: 'same label and boundaries',
  entity: 'same names and types',
  relationship: 'same names and types',
  concept: 'same concepts',
};

function strictText({ schemes }: Plan): string {
  const [kind] = schemes[0]!.pair.keys();
  return (kind === undefined ? undefined : SAME[kind]) ?? 'same labels';
}

interface Rungs {
  readonly whole: Mix;
  /** In the order the data flows. */
  readonly rungs: readonly Rung[];
  /** What strict matching keeps because there is nothing to score without it. */
  readonly kept: readonly string[];
}

/** Takes a recipe apart into what can be taken away from it. */
async function rungsOf(plan: Plan): Promise<Rungs> {
  const recipe = await recipeOf(plan);
  const params = isRecord(plan.resolved['prepare']) ? plan.resolved['prepare'] : {};
  const whole: Mix = {
    prepare: plan.prepare.map((step): PreparedRule => ({ ...step, params: params[step.name] })),
    pair: plan.schemes[0]!.pair,
    attributes: plan.attributes,
    judge: plan.judge,
  };
  const prepare = whole.prepare.map((rule) => prepareRung(rule, recipe.prepare[rule.name]));
  return {
    whole,
    rungs: [
      ...prepare.flatMap(({ rung }) => (rung === null ? [] : [rung])),
      ...pairRungs(whole.pair),
      ...attributeRungs(plan),
      ...whole.judge.map(({ name }): Rung => ({
        path: `judge.${name}`,
        setting: settingText(recipe.judge[name]),
        without: (mix) => ({ ...mix, judge: mix.judge.filter((rule) => rule.name !== name) }),
      })),
    ],
    kept: prepare.flatMap(({ kept }) => (kept === null ? [] : [kept])),
  };
}

/** The recipe as it is written, so that each part can be shown in its own words. */
async function recipeOf(plan: Plan): Promise<Recipe> {
  const found: Recipe[] = [];
  await plan.variant((recipe) => {
    found.push(recipe);
    return recipe;
  });
  return found[0]!;
}

function prepareRung(
  own: PreparedRule,
  written: unknown,
): { readonly rung: Rung | null; readonly kept: string | null } {
  const path = `prepare.${own.name}`;
  const { rule: ruleName = own.name, ...params } = isRecord(own.params) ? own.params : {};
  const rule = findRule(PREPARE_RULES, String(ruleName), 'prepare');
  const { needed } = rule;
  if (needed === null) {
    const without = (mix: Mix): Mix => ({ ...mix, prepare: mix.prepare.filter(({ name }) => name !== own.name) });
    return { rung: { path, setting: settingText(written), without }, kept: null };
  }
  const lenient = Object.entries(needed).filter(
    ([key, strict]) => JSON.stringify(params[key]) !== JSON.stringify(strict),
  );
  if (lenient.length === 0) return { rung: null, kept: path };
  const { params: strictParams, step } = rule.build({ ...params, ...needed }, own.name);
  const strict: PreparedRule = {
    ...own,
    step,
    params: { ...(ruleName === own.name ? {} : { rule: ruleName }), ...strictParams },
  };
  const setting = settingText(Object.fromEntries(lenient.map(([key]) => [key, params[key]])));
  const without = (mix: Mix): Mix => ({
    ...mix,
    prepare: mix.prepare.map((other) => (other.name === own.name ? strict : other)),
  });
  return { rung: { path, setting, without }, kept: path };
}

const PLAIN: Pick<Attribute, 'missing' | 'normalise' | 'equivalent' | 'acceptable'> = {
  missing: null,
  normalise: [],
  equivalent: [],
  acceptable: null,
};

/** What attributes forgive, where a measure counts only hits whose attributes are right. */
function attributeRungs({ attributes, resolved }: Plan): Rung[] {
  const asked = requiredIn(resolved['measure']);
  return attributes.flatMap((attribute): Rung[] => {
    if (!asked.has(attribute.name)) return [];
    const said = Object.entries(PLAIN).filter(
      ([key, plain]) => JSON.stringify(Reflect.get(attribute, key)) !== JSON.stringify(plain),
    );
    if (said.length === 0) return [];
    return [
      {
        path: `attributes.${attribute.name}`,
        setting: settingText(Object.fromEntries(said.map(([key]) => [key, Reflect.get(attribute, key)]))),
        without: (mix) => ({
          ...mix,
          attributes: mix.attributes.map((own) => (own.name === attribute.name ? { ...own, ...PLAIN } : own)),
        }),
      },
    ];
  });
}

/** Attributes that some measure, or a measure inside one, requires to be right. */
function requiredIn(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (!isRecord(value)) return found;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'require' && Array.isArray(inner)) for (const name of inner) found.add(String(name));
    else requiredIn(inner, found);
  }
  return found;
}
