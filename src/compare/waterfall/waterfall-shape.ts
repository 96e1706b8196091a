import { z } from 'zod';

import { ITEM_KINDS } from '../../data/item.ts';
import { VERDICTS } from '../../judge/verdict.ts';
import type { Waterfall } from './waterfall.ts';

const value = z.number().nullable();
const verdict = z.enum(VERDICTS).nullable();
const side = z.enum(['gold', 'predicted']);
const kind = z.enum(ITEM_KINDS);

const moves = z.object({
  total: z.number(),
  by: z.array(z.object({ side, from: verdict, to: verdict, n: z.number() })),
  shown: z.array(
    z.object({
      case: z.string(),
      kind,
      side,
      index: z.number(),
      label: z.string(),
      text: z.string(),
      from: verdict,
      to: verdict,
      rule: z.string().nullable(),
    }),
  ),
});

const step = z.object({
  path: z.string(),
  setting: z.string(),
  kinds: z.array(
    z.object({
      kind,
      hit: z.number(),
      missed: z.number(),
      spurious: z.number(),
      excused: z.number(),
      precision: value,
      recall: value,
      f1: value,
      hits: z.number().exactOptional(),
      partly: z.number().exactOptional(),
    }),
  ),
  measures: z.record(z.string(), value),
  moves: moves.nullable(),
});

/** A waterfall as it stands in figures.json. */
export const waterfallShape: z.ZodType<Waterfall> = z.object({
  recipe: z.string(),
  cases: z.number(),
  failed: z.number().exactOptional(),
  scored: z.number().exactOptional(),
  asked: z.number().exactOptional(),
  kept: z.array(z.string()),
  measures: z.array(z.object({ name: z.string(), direction: z.enum(['higher', 'lower']) })),
  shown: z.string(),
  steps: z.array(step).min(1),
  without: z.array(step),
});
