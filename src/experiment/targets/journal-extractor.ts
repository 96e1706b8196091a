import { isDeepStrictEqual } from 'node:util';

import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { planRecipe } from '../../recipe/plan.ts';
import type { JsonSchema } from '../json-schema.ts';
import { answerCheck } from './answer-schema.ts';
import { domainLine, fieldLines, journalForm, type JournalForm, journalPrompt, journalSchema } from './journal-form.ts';
import { JOURNAL_RULES_VERSION, journalRules, UNSUPPORTED } from './journal-rules.ts';
import { answerFormatSetting, modelSettings, modelTarget, promptBody, readJsonAnswer } from './model-target.ts';
import { defineTarget, type Target, type TargetContext, TargetError } from './target.ts';

const section = z.strictObject({
  use: z.literal('journal-extractor'),
  ...modelSettings,
  answerFormat: answerFormatSetting.default('schema'),
  unsupported: z.enum(UNSUPPORTED).default('drop').meta({
    description:
      'an item whose quote is not in the entry: drop it, flag it and leave it in, or make its polarity uncertain',
  }),
  predictions: z
    .boolean()
    .default(false)
    .meta({ description: 'also write predictions.jsonl to the run folder: a line {journal_id, items} for each entry' }),
});
type JournalSpec = z.infer<typeof section>;

/** Objects with verbatim quotes from diary entries: a model, then rules. What is looked for comes from the recipe. */
export const journalExtractor = defineTarget(section, open, 'journal-extraction');

/** What an answer has to be for the rules to look at it: they judge item by item, and say why. */
const READABLE: JsonSchema = {
  type: 'object',
  properties: { items: { type: 'array' } },
  required: ['items'],
};

/** The recipe of experiments that name none. */
const USUAL_RECIPE = 'journal/ashwam';

async function open(spec: JournalSpec, context: TargetContext): Promise<Target> {
  const check = answerCheck(READABLE, 'schema');
  const usual = await planRecipe(USUAL_RECIPE);
  const form = journalForm(context.plan ?? usual);
  refuseUncertain(spec, form);
  const schema = journalSchema(form);
  const target = await modelTarget(spec, context, {
    answerFormat: spec.answerFormat,
    schemaName: 'journal_items',
    prompt: await promptBody(spec, context, journalPrompt(form)),
    identity: {
      rules: JOURNAL_RULES_VERSION,
      schema,
      ...(isDeepStrictEqual(form, journalForm(usual)) ? {} : { fields: form.fields }),
      ...(spec.unsupported === 'drop' ? {} : { unsupported: spec.unsupported }),
    },
    question: ({ input }) => {
      const text = entryOf(input);
      const optional = { journal_id: null, created_at: null, lang_hint: null };
      const lines = { domains: domainLine(form), fields: fieldLines(form).join('\n') };
      return {
        known: { ...optional, ...lines, ...(isRecord(input) ? input : {}), text },
        text,
        schema,
        passages: null,
      };
    },
    read(answer, { text }) {
      const { output, fault } = readJsonAnswer(answer, check);
      if (fault !== undefined) return { fault };
      const items = isRecord(output) && Array.isArray(output['items']) ? output['items'] : [];
      return { output: journalRules(text, items, form, spec.unsupported) };
    },
  });
  return spec.predictions ? { ...target, predictions: 'diary-items' } : target;
}

function refuseUncertain({ unsupported }: JournalSpec, { fields }: JournalForm): void {
  const polarity = fields.find(({ name }) => name === 'polarity');
  if (unsupported !== 'uncertain' || polarity?.values.includes('uncertain') === true) return;
  throw new UsageError(
    'target.unsupported is uncertain, but the recipe has no field polarity with the value uncertain',
    'use drop or flag, or add uncertain to data.values.polarity of the recipe',
  );
}

function entryOf(input: unknown): string {
  const text = isRecord(input) ? input['text'] : input;
  if (typeof text === 'string') return text;
  throw new TargetError({ kind: 'request', message: 'the input has no diary entry: expected {text} or a text' });
}
