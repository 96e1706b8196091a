import { resolve } from 'node:path';

import { InputError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { readText } from '../../data/read-text.ts';
import { type JsonSchema, schemaCheck } from './answer-schema.ts';
import { parseJson } from './json-text.ts';
import { modelTarget } from './model-task.ts';
import { promptBody } from './prompt-body.ts';
import { EXTRACTION } from './prompts/extraction.ts';
import { readJsonAnswer, readTextAnswer } from './read-answer.ts';
import type { Target } from './target.ts';
import type { TargetContext } from './target-context.ts';
import type { SpecOf } from './target-schema.ts';
import { asText } from './template.ts';

const MOST_SCHEMA_BYTES = 1 << 20;

/** A prompt, a schema, a model: the answer is the output. */
export async function plainModel(spec: SpecOf<'model'>, context: TargetContext): Promise<Target> {
  const schema = await schemaOf(spec, context.folder);
  const isJson = outputOf(spec) === 'json';
  const check = schema === null ? null : schemaCheck(schema, 'schema');
  return modelTarget(spec, context, {
    answerFormat: spec.answerFormat ?? (isJson ? (schema === null ? 'json' : 'schema') : 'text'),
    schemaName: 'answer',
    prompt: await promptBody(spec, context, EXTRACTION),
    identity: { output: isJson ? 'json' : 'text', schema },
    question: ({ input }) => ({ known: {}, text: asText(input), schema, passages: null }),
    read: (answer) => (isJson ? readJsonAnswer(answer, check) : readTextAnswer(answer)),
  });
}

/** JSON where anything speaks for it: a schema, a format of the answer, or the prompt that comes with Assay. */
function outputOf({ output, schema, answerFormat, prompt }: SpecOf<'model'>): 'json' | 'text' {
  if (output !== undefined) return output;
  const wantsJson = schema !== undefined || answerFormat === 'json' || answerFormat === 'schema';
  return wantsJson || prompt === undefined ? 'json' : 'text';
}

async function schemaOf({ schema }: SpecOf<'model'>, folder: string): Promise<JsonSchema | null> {
  if (typeof schema !== 'string') return schema ?? null;
  const file = resolve(folder, schema);
  const { value, fault } = parseJson((await readText(file, MOST_SCHEMA_BYTES)).text);
  if (isRecord(value)) return value;
  throw new InputError([
    { file, line: null, message: fault ?? 'expected a JSON Schema (an object)', next: 'target.schema names this file' },
  ]);
}
