import { z } from 'zod';

import { isRecord } from '../data/record-fields.ts';
import type { Threshold } from '../pair/criterion.ts';

/** The recipe as a manifest holds it. */
export type ResolvedRecipe = Readonly<Record<string, unknown>>;

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

export interface PairPart {
  readonly kind: string;
  readonly unit: string;
  /** Whether labels are compared when items are paired. */
  readonly comparesLabels: boolean;
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
  return Object.entries(recordAt(recipe, stage))
    .filter(([name, params]) => (stringAt(params, 'rule') ?? name) === rule)
    .map(([name, params]) => ({ name, params }));
}

/** How each kind of item is paired by the recipe's own pairing. */
export function pairParts(recipe: ResolvedRecipe): PairPart[] {
  const read = pairs.safeParse(recipe['pair']).data ?? {};
  return Object.entries(read).map(([kind, { accept, unit }]) => ({
    kind,
    unit,
    comparesLabels: accept.some(({ gate, similarity }) => gate.includes('label') || similarity === 'relation'),
    accept,
  }));
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

/** Whether a case is scored once per annotator. */
export function isByAnnotator(recipe: ResolvedRecipe): boolean {
  return rulesOf(recipe, 'prepare', 'annotator').some(({ params }) => stringAt(params, 'use') === 'each');
}

/** Whether the gold of all annotators counts, what several of them marked once. */
export function mergesAnnotators(recipe: ResolvedRecipe): boolean {
  return rulesOf(recipe, 'prepare', 'annotator').some(({ params }) =>
    ['union', 'majority'].includes(stringAt(params, 'use') ?? ''),
  );
}

/** A section of a mapping; empty where there is none. */
export function recordAt(params: unknown, key: string): Readonly<Record<string, unknown>> {
  const value = isRecord(params) ? params[key] : null;
  return isRecord(value) ? value : {};
}

/**
 * What a measure of the recipe counts, down to what a mean over cases or labels is made of. A name stands for the measure
 * that is called so; `f1` needs no entry.
 */
export function innermostForm(given: unknown, forms: ResolvedRecipe, depth = 0): ResolvedRecipe {
  const named = typeof given === 'string' && !Object.hasOwn(forms, given);
  const form = named ? { of: given.replaceAll('_', '-') } : typeof given === 'string' ? forms[given] : given;
  if (!isRecord(form)) return {};
  const { of, measure } = form;
  return (of !== 'case-mean' && of !== 'macro') || depth > 5 ? form : innermostForm(measure, forms, depth + 1);
}

export function stringsAt(params: unknown, key: string): string[] {
  return strings(isRecord(params) ? params[key] : null);
}

/** A word in a mapping; null where there is none. */
export function stringAt(params: unknown, key: string): string | null {
  const value = isRecord(params) ? params[key] : null;
  return typeof value === 'string' ? value : null;
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
