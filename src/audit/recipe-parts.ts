import { z } from 'zod';

import type { Side } from '../data/item.ts';
import { isRecord } from '../data/record-fields.ts';
import type { OffsetUnit } from '../text/offsets.ts';

/** The recipe as a manifest holds it. */
export type ResolvedRecipe = Readonly<Record<string, unknown>>;

const criterion = z.object({
  name: z.string(),
  gate: z.array(z.string()),
  similarity: z.string(),
  threshold: z.union([z.number(), z.record(z.string(), z.number())]),
});
const pairs = z.record(
  z.string(),
  z.object({ accept: z.array(criterion).default([]), unit: z.string().default('item') }),
);

/** `comparesLabels`: whether labels are compared when items are paired. */
export type PairPart = Readonly<z.infer<typeof pairs>[string] & { kind: string; comparesLabels: boolean }>;

/** The entries of a stage that are a certain rule, whatever name they go by. */
export function namedRules(
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

/** Whose gold counts, as rules say it: `each`, `union`, a name. */
export function annotatorUses(recipe: ResolvedRecipe): string[] {
  return namedRules(recipe, 'prepare', 'annotator').flatMap(({ params }) => stringAt(params, 'use') ?? []);
}

/** Whether the gold of all annotators counts, what several of them marked once. */
export function mergesAnnotators(recipe: ResolvedRecipe): boolean {
  return annotatorUses(recipe).some((use) => use === 'union' || use === 'majority');
}

/** What one side's places are counted in. */
export function offsetUnit({ data }: ResolvedRecipe, side: Side): OffsetUnit {
  const named = stringAt(data, 'offsets') ?? stringAt(recordAt(data, 'offsets'), side) ?? '';
  return (['utf16', 'byte'] as const).find((unit) => named.split(' ').includes(unit)) ?? 'codepoint';
}

/** A section of a mapping; empty if absent. */
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

/** The words of a list in a mapping. */
export function stringsAt(params: unknown, key: string): string[] {
  const value = isRecord(params) ? params[key] : null;
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** A word in a mapping; null if absent. */
export function stringAt(params: unknown, key: string): string | null {
  const value = isRecord(params) ? params[key] : null;
  return typeof value === 'string' ? value : null;
}
