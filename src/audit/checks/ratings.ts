import { z } from 'zod';

import type { CheckContext } from '../check.ts';
import type { AuditCase } from '../totals.ts';

/** One person's rating of one thing: an answer under one question, by one of its dimensions. */
export interface Rating {
  readonly question: string;
  readonly dimension: string;
  readonly person: string;
  readonly value: number;
}

/** What the form of the recipe says of a question. */
export interface ScaleForm {
  /** People who are to rate each answer; 0 where the form does not say. */
  readonly raters: number;
  /** What the lowest and the highest value add up to. */
  readonly ends: number | null;
}

const field = z.object({
  type: z.string(),
  by: z.array(z.string()).default([]),
  from: z.unknown().optional(),
  to: z.unknown().optional(),
});
const form = z.object({
  people: z.record(z.string(), z.object({ raters: z.number() })).default({}),
  fields: z.record(z.string(), field),
});

/** The ratings of a case that say who gave them; a person who rated a thing again counts with what came last. */
export function ratingsOf({ failed, verdicts }: AuditCase): Rating[] {
  const ratings = new Map<string, Rating>();
  if (failed !== null) return [];
  for (const { kind, predicted } of verdicts) {
    if (kind !== 'rating' || predicted === null) continue;
    const { annotator: person, fields, label } = predicted;
    const { question, value } = fields;
    if (person === null || typeof value !== 'number') continue;
    const rating = { question: typeof question === 'string' ? question : label, dimension: label, person, value };
    ratings.set(JSON.stringify([rating.question, label, person]), rating);
  }
  return [...ratings.values()];
}

/** The scales of the recipe's form, by question; none where it has no form. */
export function scalesOf({ recipe }: CheckContext): ReadonlyMap<string, ScaleForm> {
  const { people = {}, fields = {} } = form.safeParse(recipe['review']).data ?? {};
  return new Map(
    Object.entries(fields)
      .filter(([, { type }]) => type === 'scale')
      .map(([name, { by, from, to }]) => [
        name,
        {
          raters: by.reduce((sum, group) => sum + (people[group]?.raters ?? 0), 0),
          ends: typeof from === 'number' && typeof to === 'number' ? from + to : null,
        },
      ]),
  );
}
