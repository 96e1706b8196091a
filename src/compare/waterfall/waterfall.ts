import { z } from 'zod';

import { ITEM_KINDS } from '../../data/item.ts';
import { VERDICTS } from '../../judge/verdict.ts';
import type { DataOf } from '../../measure/results.ts';

const value = z.number().nullable();
const verdict = z.enum(VERDICTS).nullable();
const side = z.enum(['gold', 'predicted']);
const kind = z.enum(ITEM_KINDS);

/** An item whose verdict a step changed. Holds text from data: escape it. */
const move = z.object({
  case: z.string(),
  kind,
  side,
  index: z.number(),
  label: z.string(),
  text: z.string(),
  /** null: it was not there, or is no more. */
  from: verdict,
  to: verdict,
  /** The rule that decides now. */
  rule: z.string().nullable(),
});

/** What a step did to the items, by what they were and became. */
const moves = z.object({
  total: z.number(),
  by: z.array(z.object({ side, from: verdict, to: verdict, n: z.number() })),
  /** The first of them, in the order of the cases. */
  shown: z.array(move),
});

/** The counts of one kind of item, and what they make. */
const kindCounts = z.object({
  kind,
  /** Hits by their credit, weights included: TP, FN and FP. */
  hit: z.number(),
  missed: z.number(),
  spurious: z.number(),
  excused: z.number(),
  precision: value,
  recall: value,
  f1: value,
  /** How many hits there are and how many of them lack credit; left out where every hit counts in full. */
  hits: z.number().exactOptional(),
  partly: z.number().exactOptional(),
});

/** The recipe up to here. */
const step = z.object({
  /** Its path in the recipe: `prepare.merge`, `pair.tolerance`; `strict` for the start. */
  path: z.string(),
  /** Its setting, in short: `{ gap: 1 }`, `iou ≥ 0.5`. */
  setting: z.string(),
  kinds: z.array(kindCounts),
  /** Every overall measure of the recipe; null where undefined. */
  measures: z.record(z.string(), value),
  /** Against the row before, or the full recipe where a rule is taken away; null at the start, and where no items count. */
  moves: moves.nullable(),
});

/** From strict matching to the score, rule by rule, as figures.json has it. */
export const waterfallShape = z.object({
  recipe: z.string(),
  /** Cases that were scored; failed ones are in no row. */
  cases: z.number(),
  /** Cases that failed; left out where none did. */
  failed: z.number().exactOptional(),
  /** What was scored, where rules make several of one case; left out where it is as many. */
  scored: z.number().exactOptional(),
  /** How many were asked about, where cases are answers and several are to one; left out where it is as many. */
  asked: z.number().exactOptional(),
  /** What the strict start keeps of the recipe because there is nothing to score without it. */
  kept: z.array(z.string()),
  measures: z.array(z.object({ name: z.string(), direction: z.enum(['higher', 'lower']) })),
  /** The measure that the figure shows: the first F1 of the recipe, or its first measure. */
  shown: z.string(),
  /** The first is strict matching, the last the whole recipe: the score. */
  steps: z.array(step).min(1),
  /** The whole recipe less one rule each, in the same order. */
  without: z.array(step),
});

export type Waterfall = DataOf<typeof waterfallShape>;
export type WaterfallStep = DataOf<typeof step>;
export type KindCounts = DataOf<typeof kindCounts>;
export type Moves = DataOf<typeof moves>;
export type Move = DataOf<typeof move>;
