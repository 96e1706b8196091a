import { isDeepStrictEqual } from 'node:util';

import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { planRecipe } from '../../recipe/plan.ts';
import { type JsonSchema, schemaCheck } from './answer-schema.ts';
import { journalForm, type JournalForm, journalSchema } from './journal-form.ts';
import { JOURNAL_RULES_VERSION, journalRules } from './journal-rules.ts';
import { modelTarget } from './model-task.ts';
import { promptBody } from './prompt-body.ts';
import { domainLine, fieldLines, journalPrompt } from './prompts/journal-extraction.ts';
import { readJsonAnswer } from './read-answer.ts';
import { type Outcome, type Target, type TargetCase, TargetError } from './target.ts';
import type { TargetContext } from './target-context.ts';
import type { SpecOf } from './target-schema.ts';

/** What an answer has to be for the rules to look at it: they judge item by item, and say why. */
const READABLE: JsonSchema = {
  type: 'object',
  properties: { items: { type: 'array' } },
  required: ['items'],
};

/** The recipe of experiments that name none. */
const USUAL_RECIPE = 'journal/ashwam';

/** Objects with verbatim quotes from diary entries: a model, then rules. What is looked for comes from the recipe. */
export async function journalExtractor(spec: SpecOf<'journal-extractor'>, context: TargetContext): Promise<Target> {
  const check = schemaCheck(READABLE, 'schema');
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
  return spec.predictions ? { ...target, prediction } : target;
}

/** `{journal_id, items}`, or `{journal_id, error}`; the id is the entry's own, where it has one. */
function prediction({ id, input }: Pick<TargetCase, 'id' | 'input'>, { output, error }: Outcome): object {
  const own = isRecord(input) ? input['journal_id'] : undefined;
  const journal_id = typeof own === 'string' ? own : id;
  return error === undefined ? { journal_id, items: isRecord(output) ? output['items'] : [] } : { journal_id, error };
}

function refuseUncertain({ unsupported }: SpecOf<'journal-extractor'>, { fields }: JournalForm): void {
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
