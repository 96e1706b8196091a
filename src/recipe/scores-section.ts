import { z } from 'zod';

const loggedScore = z.strictObject({
  direction: z.enum(['higher', 'lower']).default('higher').meta({ description: 'which way is better' }),
  range: z
    .tuple([z.number().nullable(), z.number().nullable()])
    .default([null, null])
    .meta({ description: 'lowest and highest value there can be; null: no such end' }),
  settings: z
    .record(z.string(), z.unknown())
    .default({})
    .meta({ description: 'what the tool scored it with: scorer, threshold, judging model' }),
});

const reportedValue = z.strictObject({
  score: z.string().meta({ description: 'name of the score' }),
  metric: z.string().meta({ description: 'what the tool calls it' }),
  value: z.number().meta({ description: 'the mean that the log states' }),
  n: z.number().nullable().default(null).meta({ description: 'samples it is over, as the tool counts them' }),
  slice: z.record(z.string(), z.string()).optional().meta({ description: 'of a part of the cases only' }),
});
/** A mean that the log itself states. */
export type ReportedValue = Readonly<z.infer<typeof reportedValue>>;

/** The scores of another tool's log. `assay import` fills it in; each score is a measure. */
export const scoresSection = z.strictObject({
  tool: z.string().meta({ description: 'tool that wrote the log' }),
  task: z.string().nullable().default(null).meta({ description: 'what the tool calls the task or dataset' }),
  scores: z.record(z.string(), loggedScore).meta({ description: 'scores by name; each is a measure' }),
  version: z.string().nullable().default(null).meta({ description: 'version of the tool' }),
  model: z.string().nullable().default(null).meta({ description: 'model or system whose output was scored' }),
  config: z.string().nullable().default(null).meta({ description: 'hash of how the model was run' }),
  reported: z.array(reportedValue).default([]).meta({ description: 'means that the log states, to compare with' }),
});
export type ScoresSection = z.infer<typeof scoresSection>;

/** The part that a value means the same by; the rest is who made it. */
export function scoresMeaning({ tool, task, scores }: Partial<ScoresSection>): Partial<ScoresSection> {
  return { ...(tool === undefined ? {} : { tool }), task: task ?? null, scores: scores ?? {} };
}

/**
 * The recipe's measures with one for each score: the mean over cases, each case counting the same. The recipe's own
 * settings for a measure of that name override these.
 */
export function withScoreMeasures(
  wanted: Readonly<Record<string, unknown>>,
  { scores }: ScoresSection,
): Record<string, unknown> {
  const made = Object.entries(scores).map(([name, { direction, range }]): [string, unknown] => [
    name,
    {
      of: 'case-mean',
      measure: { of: 'field-mean', kind: 'score', where: { score: [name] }, field: 'value', direction, range },
      about: `mean over cases of the logged score ${name}`,
      by: 'none',
    },
  ]);
  return { ...Object.fromEntries(made), ...wanted };
}
