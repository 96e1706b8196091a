import { z } from 'zod';

import { ruleSchema } from '../../compare/gate/rules.ts';
import { taskTitle } from '../../recipe/task-title.ts';
import { ITEM_TASKS, itemTaskNamed } from '../datasets/item-schemas.ts';
import { stepFault } from '../datasets/names.ts';
import { parseDuration } from '../limits/duration.ts';
import { targetSchema } from '../targets/target-kinds.ts';

const duration = z
  .union([z.number().positive(), z.string()])
  .superRefine((written, context) => {
    try {
      parseDuration(written, '');
    } catch (error) {
      context.addIssue({ code: 'custom', message: String(error).replace(/^.*?Error: : /, '') });
    }
  })
  .describe('seconds, or a number with s, m or h: 30s, 10m, 2h');

/** What Assay itself writes into the metadata of runs and traces. */
const OWN_METADATA = new Set(
  `model prompt prompt_label prompt_version temperature target dataset_version recipe signature assay_run
  repeat repeats attempts cached batch asked_again_at`.split(/\s+/),
);

/** Langfuse drops what is longer. */
const shortText = z.string().trim().min(1).max(200);

/** What every trace of the run carries, by Langfuse's names. It decides no answer and no score. */
const traceFields = {
  sessionId: shortText.optional().describe('session that the traces belong to'),
  userId: shortText.optional().describe('user that the traces belong to'),
  tags: z.array(shortText).max(50).optional().describe('tags of the traces'),
  release: shortText.optional().describe('release of the system under test'),
  environment: z
    .string()
    .regex(/^(?!langfuse)[a-z0-9_-]{1,40}$/, {
      error: 'expected at most 40 lowercase letters, digits, - and _, not beginning with "langfuse"',
    })
    .optional()
    .describe('environment of the traces and scores (default: sdk-experiment)'),
  metadata: z
    .record(z.string(), z.unknown())
    .superRefine((metadata, context) => {
      const message = 'this key is written by Assay itself: choose another name';
      for (const key of Object.keys(metadata).filter((one) => OWN_METADATA.has(one)))
        context.addIssue({ code: 'custom', path: [key], message });
    })
    .optional()
    .describe('metadata of the run and its traces, beside what Assay writes'),
};

/** An experiment file: what is run over which dataset, how far it may go, and how it is scored. */
export const experimentSchema = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .superRefine((name, context) => {
      const fault = stepFault(name);
      if (fault !== null) context.addIssue({ code: 'custom', message: `choose another name: ${fault}` });
    })
    .describe('name of the run, also in Langfuse'),
  description: z.string().optional(),
  dataset: z.string().min(1).describe('name of a dataset, or a file of items (JSONL, JSON, CSV)'),
  gold: z
    .string()
    .min(1)
    .optional()
    .describe('separate file of expected outputs, joined by id, if the dataset is a file'),
  task: z
    .enum([...new Set(ITEM_TASKS.flatMap((task) => [taskTitle(task), task]))])
    .transform(itemTaskNamed)
    .optional()
    .describe('how a file of items is read, and which recipe scores it unless one is named'),
  target: targetSchema,
  recipe: z.string().optional().describe('preset or recipe file that scores the outputs; none: outputs only'),
  set: z.array(z.string()).default([]).describe('changes to the recipe, as --set takes them'),
  repeats: z.int().min(1).max(1000).default(1).describe('how often every item is asked'),
  limits: z
    .strictObject({
      concurrency: z.int().min(1).max(1000).describe('most calls at once; fewer if a server asks for it'),
      retries: z.int().min(0).max(100).describe('further tries after a failure that may pass'),
      rateRetries: z.int().min(0).max(10_000).describe('further tries after "too many requests"'),
      requestsPerMinute: z.number().positive().describe('most calls a minute for this provider, model and key'),
      tokensPerMinute: z.number().positive().describe('most tokens a minute for this provider, model and key'),
      timeout: duration.describe('longest wait for one answer'),
      longestWait: duration.describe('longest pause that a server may ask for'),
    })
    .partial()
    .default({}),
  budget: z
    .strictObject({
      cost: z.number().positive().describe('in the currency of the prices'),
      tokens: z.int().positive(),
      time: duration,
    })
    .partial()
    .default({})
    .describe('no further item is begun once one of these is spent'),
  prices: z
    .strictObject({
      input: z.number().min(0),
      output: z.number().min(0),
      batch: z.number().min(0).max(1).optional().describe('share of the price that a batch costs (default: 0.5)'),
    })
    .optional()
    .describe('of a million tokens'),
  batch: z
    .union([
      z.boolean(),
      z.literal('only'),
      z.strictObject({ only: z.boolean().default(false), poll: duration.optional() }),
    ])
    .default(false)
    .describe(
      'true: use the batch endpoint of the provider, and single calls for what a batch does not answer; only: that fails instead; poll: time between looks',
    ),
  cache: z.boolean().default(true).describe('false: ask again, also what was answered before'),
  gate: z
    .union([
      z.string(),
      z.strictObject({ rules: z.union([z.string(), z.array(ruleSchema).min(1)]), baseline: z.string().optional() }),
    ])
    .optional()
    .describe('file of rules, or rules and a baseline: a gate that fails makes exit code 1'),
  ...traceFields,
  out: z.string().optional().describe('folder of the run (default: runs/NAME)'),
});

/** The same as it may be written: instead of one target, several systems by name, each with its own run. */
export const experimentFileSchema = experimentSchema.extend({
  target: targetSchema.optional(),
  systems: z.record(z.string(), targetSchema).optional().describe('instead of target: several, by name'),
});

export type ExperimentFile = z.infer<typeof experimentSchema>;
