import { z } from 'zod';

import { ITEM_KINDS, type ItemKind } from '../../data/item.ts';
import { UsageError } from '../../data/problems.ts';
import type { Attribute } from '../../judge/attributes.ts';
import type { Verdict } from '../../judge/verdict.ts';
import type { Measure } from '../../measure/measure.ts';
import { buildMeasures } from '../../measure/measures.ts';
import { makeCriterion, PAIR_UNITS, type PairSettings } from '../../pair/criterion.ts';
import { isOwnSimilarity } from '../../pair/similarity.ts';
import type { Plan } from '../../recipe/plan.ts';
import { damaged } from '../../score/ledger.ts';
import type { Run } from '../../score/run.ts';
import type { Normaliser } from '../../text/normalise.ts';
import type { OffsetUnit } from '../../text/offsets.ts';

/** One run of a system, whether read from its folder or just scored. */
export interface RepeatedRun {
  /** What the user called it. */
  readonly name: string;
  /** A hash of what was predicted: equal for runs that said the same. */
  readonly predicted: string;
  readonly cases: ReadonlyMap<string, RepeatedCase>;
}

export interface RepeatedCase {
  /** Why the system gave no output; null when it did. */
  readonly failed: string | null;
  readonly answered: boolean;
  /** Those of the recipe's own pairing; places are in the unit of the files. */
  readonly verdicts: readonly Verdict[];
}

/** What all runs were asked, and by which rules they are looked at. */
export interface RepeatedQuestion {
  readonly task: string;
  readonly recipe: string;
  readonly pair: ReadonlyMap<ItemKind, PairSettings>;
  readonly attributes: readonly Attribute[];
  readonly measures: readonly Measure[];
  readonly offsets: OffsetUnit;
  /** Whether a case is scored once per annotator, so that its predictions come several times. */
  readonly eachAnnotator: boolean;
  /** False where only predictions were given: then nothing can be right or wrong. */
  readonly hasGold: boolean;
}

/** What is known of a recipe before the runs have been looked at. */
export type RecipeParts = Omit<RepeatedQuestion, 'hasGold'>;

const normalisers = z.array(
  z.enum(['lower', 'trim', 'collapse', 'nfc', 'punctuation', 'diacritics'] satisfies readonly Normaliser[]),
);
const typeGroups = z.array(z.array(z.string()));

const pairSettings = z.looseObject({
  accept: z.array(
    z.looseObject({
      name: z.string(),
      gate: z.array(z.string()),
      similarity: z.string(),
      threshold: z.union([z.number(), z.record(z.string(), z.number())]),
      tolerance: z.number(),
      words: z.enum(['whitespace', 'unicode']),
      normalise: normalisers,
      inverse: z.array(z.tuple([z.string(), z.string()])),
      symmetric: z.array(z.string()),
      equivalent: typeGroups,
      acceptable: z.string().nullable(),
    }),
  ),
  assign: z.enum(['greedy', 'in-order', 'optimal', 'every']),
  ties: z.enum(['given', 'content']),
  partial: z.number(),
  unit: z.enum(PAIR_UNITS),
});

const attribute = z.looseObject({
  field: z.string(),
  labels: z.array(z.string()),
  kind: z.string().nullable(),
  missing: z.string().nullable(),
  normalise: normalisers,
  equivalent: typeGroups,
  acceptable: z.string().nullable(),
});

const resolvedRecipe = z.looseObject({
  data: z.looseObject({ offsets: z.enum(['utf16', 'codepoint', 'byte']) }),
  prepare: z.record(z.string(), z.unknown()),
  pair: z.record(z.string(), pairSettings),
  attributes: z.record(z.string(), attribute),
  measure: z.record(z.string(), z.unknown()),
  zeroDivision: z.union([z.literal('undefined'), z.number()]),
});

/** The recipe a run was scored by, from its manifest. Code of the user's own is not in there: then the recipe is needed. */
export function recipePartsOf({ folder, manifest }: Run): RecipeParts {
  const parsed = resolvedRecipe.safeParse(manifest.recipe.resolved);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.map(String).join('.') ?? '';
    throw damaged(`${folder}/manifest.json: recipe.resolved.${where}: ${issue?.message ?? 'not a recipe'}`);
  }
  const { data, prepare, pair, attributes, measure, zeroDivision } = parsed.data;
  const kinds = new Map<ItemKind, PairSettings>();
  for (const kind of ITEM_KINDS) {
    const own = Object.hasOwn(pair, kind) ? pair[kind] : undefined;
    if (own === undefined) continue;
    const module = own.accept.find(({ similarity }) => isOwnSimilarity(similarity));
    if (module !== undefined)
      throw new UsageError(
        `${folder} was scored with a similarity of your own (${module.similarity}), whose code is not in the run folder`,
        'name the recipe it belongs to: --recipe FILE',
      );
    kinds.set(kind, { ...own, accept: own.accept.map((criterion) => makeCriterion(criterion.name, criterion)) });
  }
  return {
    task: manifest.task,
    recipe: manifest.recipe.name,
    pair: kinds,
    attributes: Object.entries(attributes).map(([name, own]): Attribute => ({ ...own, name })),
    measures: buildMeasures(measure, zeroDivision === 'undefined' ? null : zeroDivision).measures,
    offsets: data.offsets,
    eachAnnotator: usesEachAnnotator(prepare),
  };
}

export function planParts(plan: Plan): RecipeParts {
  return {
    task: plan.task,
    recipe: plan.name,
    pair: plan.schemes[0]?.pair ?? new Map(),
    attributes: plan.attributes,
    measures: plan.measures,
    offsets: plan.data.offsets,
    eachAnnotator: usesEachAnnotator(plan.resolved['prepare']),
  };
}

const eachRule = z.record(z.string(), z.unknown());

function usesEachAnnotator(prepare: unknown): boolean {
  const rules = eachRule.safeParse(prepare);
  return (
    rules.success &&
    Object.values(rules.data).some((params) => z.looseObject({ use: z.literal('each') }).safeParse(params).success)
  );
}
