import { z } from 'zod';

import { isRecord } from '../data/record-fields.ts';

/** What is special to the streams of a conversation: how its text is made, and where its curves are cut. */
export const streamSection = z.strictObject({
  join: z
    .enum(['concat', 'space'])
    .default('concat')
    .meta({ description: 'how the pieces of a text are joined; space reproduces a program that shredded words' }),
  budgets: z
    .array(z.number().positive())
    .default([250, 500, 1000, 2000])
    .meta({ description: 'CTU of summaries within which a concept is covered; each is a measure coverage_at_N' }),
  redundancy: z
    .array(z.number().min(0).max(1))
    .default([0.85, 0.9, 0.95])
    .meta({ description: 'similarities of neighbouring summaries; each is a measure redundancy_at_X' }),
});
export type StreamSection = z.infer<typeof streamSection>;

export const PLAIN_STREAM: StreamSection = streamSection.parse({});

/**
 * Adds the measures that the two lists stand for: one for every similarity, after `redundancy`, and one for every budget,
 * after `trace_coverage`, with the symbol of these (at the end if the recipe has neither). The recipe's own settings for
 * a measure of that name override these.
 */
export function withStreamMeasures(
  wanted: Readonly<Record<string, unknown>>,
  { budgets, redundancy }: StreamSection,
): Record<string, unknown> {
  const symbolOf = (name: string): object => {
    const setting = wanted[name];
    return isRecord(setting) && typeof setting['symbol'] === 'string' ? { symbol: setting['symbol'] } : {};
  };
  const similar = redundancy.map((atLeast): [string, unknown] => {
    // 0.9 as 0.90, beside 0.85; more decimals where there are more.
    const text = Number(atLeast.toFixed(2)) === atLeast ? atLeast.toFixed(2) : atLeast;
    const form = { of: 'field-share', kind: 'summary', field: 'redundancy', atLeast, direction: 'lower' };
    return [`redundancy_at_${text}`, { ...symbolOf('redundancy'), ...form }];
  });
  const covered = budgets.map((atMost): [string, unknown] => [
    `coverage_at_${atMost}`,
    {
      ...symbolOf('trace_coverage'),
      of: 'case-mean',
      measure: { of: 'recall', kind: 'concept', within: { field: 'ctu', atMost } },
    },
  ]);
  const following = new Map([
    ['redundancy', similar],
    ['trace_coverage', covered],
  ]);
  const all = Object.entries(wanted).flatMap((entry) => [entry, ...(following.get(entry[0]) ?? [])]);
  // A name that is there already keeps its place; the recipe's settings are laid over it.
  return { ...Object.fromEntries([...all, ...similar, ...covered]), ...wanted };
}
