import { z } from 'zod';

import type { Threshold } from '../pair/criterion.ts';

/** The recipe as a manifest holds it. */
type ResolvedRecipe = Readonly<Record<string, unknown>>;

const rules = z.record(z.string(), z.unknown());
const ruleName = z.looseObject({ rule: z.string() });
const pairs = z.record(
  z.string(),
  z.looseObject({
    accept: z
      .array(
        z.looseObject({
          name: z.string(),
          gate: z.array(z.string()),
          similarity: z.string(),
          threshold: z.union([z.number(), z.record(z.string(), z.number())]),
        }),
      )
      .default([]),
    unit: z.string().default('item'),
  }),
);
const each = z.looseObject({ use: z.literal('each') });

export interface PairPart {
  readonly kind: string;
  readonly unit: string;
  readonly accept: readonly {
    readonly name: string;
    readonly gate: readonly string[];
    readonly similarity: string;
    readonly threshold: Threshold;
  }[];
}

/** The entries of a stage that are a certain rule, whatever name they go by. */
export function rulesOf(
  recipe: ResolvedRecipe,
  stage: 'prepare' | 'judge',
  rule: string,
): { name: string; params: unknown }[] {
  return Object.entries(orElse(rules, recipe[stage], {}))
    .filter(([name, params]) => orElse(ruleName, params, { rule: name }).rule === rule)
    .map(([name, params]) => ({ name, params }));
}

/** How each kind of item is paired by the recipe's own pairing. */
export function pairParts(recipe: ResolvedRecipe): PairPart[] {
  return Object.entries(orElse(pairs, recipe['pair'], {})).map(([kind, { accept, unit }]) => ({ kind, unit, accept }));
}

/** Labels that some rules of a stage name in their parameters: `labels`, or another key. */
export function labelsNamed(
  recipe: ResolvedRecipe,
  stage: 'prepare' | 'judge',
  rule: string,
  key = 'labels',
): Set<string> {
  return new Set(rulesOf(recipe, stage, rule).flatMap(({ params }) => stringsAt(params, key)));
}

/** Names of measures that the recipe puts first. */
export function primaryNames(recipe: ResolvedRecipe): string[] {
  return strings(recipe['primary']);
}

/** Labels that may occur; none where any may. */
export function declaredLabels(recipe: ResolvedRecipe): string[] {
  return stringsAt(recipe['data'], 'labels');
}

/** Whether a case is scored once per annotator, its id then being `case@annotator`. */
export function isByAnnotator(recipe: ResolvedRecipe): boolean {
  return rulesOf(recipe, 'prepare', 'annotator').some(({ params }) => each.safeParse(params).success);
}

/** Whether the gold of all annotators counts, what several of them marked once. */
export function mergesAnnotators(recipe: ResolvedRecipe): boolean {
  return rulesOf(recipe, 'prepare', 'annotator').some(({ params }) =>
    ['union', 'majority'].includes(stringAt(params, 'use') ?? ''),
  );
}

export function stringsAt(params: unknown, key: string): string[] {
  return strings(orElse(rules, params, {})[key]);
}

/** A word in a mapping; null where there is none. */
export function stringAt(params: unknown, key: string): string | null {
  const value = orElse(rules, params, {})[key];
  return typeof value === 'string' ? value : null;
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function orElse<T>(schema: z.ZodType<T>, value: unknown, otherwise: T): T {
  const checked = schema.safeParse(value);
  return checked.success ? checked.data : otherwise;
}
