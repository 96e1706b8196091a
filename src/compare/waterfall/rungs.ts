import { isRecord } from '../../data/record-fields.ts';
import type { Attribute } from '../../judge/attributes.ts';
import { findRule } from '../../prepare/rule.ts';
import { PREPARE_RULES } from '../../prepare/rules.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { Recipe } from '../../recipe/schema.ts';
import type { Mix, PreparedRule, Rung } from './mix.ts';
import { pairRungs } from './pair-rungs.ts';
import { settingText } from './setting-text.ts';

export interface Rungs {
  readonly whole: Mix;
  /** In the order the data flows. */
  readonly rungs: readonly Rung[];
  /** What strict matching keeps because there is nothing to score without it. */
  readonly kept: readonly string[];
}

/** Takes a recipe apart into what can be taken away from it. */
export async function rungsOf(plan: Plan): Promise<Rungs> {
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
