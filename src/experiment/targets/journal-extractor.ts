import { isRecord } from '../../data/record-fields.ts';
import { type JsonSchema, schemaCheck } from './answer-schema.ts';
import { DEGREES, DOMAINS, JOURNAL_RULES_VERSION, journalRules, POLARITIES, TIMES } from './journal-rules.ts';
import { modelTarget } from './model-task.ts';
import { promptBody } from './prompt-body.ts';
import { JOURNAL_EXTRACTION } from './prompts/journal-extraction.ts';
import { readJsonAnswer } from './read-answer.ts';
import { type Target, TargetError } from './target.ts';
import type { TargetContext } from './target-context.ts';
import type { SpecOf } from './target-schema.ts';

/** What the model is held to: each domain with the bucket it has. */
const ASKED: JsonSchema = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: {
        anyOf: [
          itemSchema(
            DOMAINS.filter((domain) => domain !== 'emotion'),
            'intensity_bucket',
          ),
          itemSchema(['emotion'], 'arousal_bucket'),
        ],
      },
    },
  },
  required: ['items'],
  additionalProperties: false,
};

/** What an answer has to be for the rules to look at it: they judge item by item, and say why. */
const READABLE: JsonSchema = {
  type: 'object',
  properties: { items: { type: 'array' } },
  required: ['items'],
};

/** Objects with verbatim quotes from diary entries: a model, then rules. */
export async function journalExtractor(spec: SpecOf<'journal-extractor'>, context: TargetContext): Promise<Target> {
  const check = schemaCheck(READABLE, 'schema');
  return modelTarget(spec, context, {
    answerFormat: spec.answerFormat,
    schemaName: 'journal_items',
    prompt: await promptBody(spec, context, JOURNAL_EXTRACTION),
    identity: {
      rules: JOURNAL_RULES_VERSION,
      schema: ASKED,
      ...(spec.unsupported === 'drop' ? {} : { unsupported: spec.unsupported }),
    },
    question: ({ input }) => {
      const text = entryOf(input);
      const known = { journal_id: null, created_at: null, lang_hint: null, ...(isRecord(input) ? input : {}), text };
      return { known, text, schema: ASKED, passages: null };
    },
    read(answer, { text }) {
      const { output, fault } = readJsonAnswer(answer, check);
      if (fault !== undefined) return { fault };
      const items = isRecord(output) && Array.isArray(output['items']) ? output['items'] : [];
      return { output: journalRules(text, items, spec.unsupported) };
    },
  });
}

function entryOf(input: unknown): string {
  const text = isRecord(input) ? input['text'] : input;
  if (typeof text === 'string') return text;
  throw new TargetError({ kind: 'request', message: 'the input has no diary entry: expected {text} or a text' });
}

function itemSchema(domains: readonly string[], bucket: string): JsonSchema {
  const properties = {
    domain: { type: 'string', enum: domains },
    evidence_span: { type: 'string', description: 'copied from the entry, character for character' },
    polarity: { type: 'string', enum: POLARITIES },
    [bucket]: { type: 'string', enum: DEGREES },
    time_bucket: { type: 'string', enum: TIMES },
  };
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
