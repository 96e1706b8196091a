import { isRecord } from '../../data/record-fields.ts';
import { modelTarget } from './model-task.ts';
import { promptBody } from './prompt-body.ts';
import { ADVICE } from './prompts/advice.ts';
import { readTextAnswer } from './read-answer.ts';
import { type Target, TargetError } from './target.ts';
import type { TargetContext } from './target-context.ts';
import type { SpecOf } from './target-schema.ts';

const QUESTION_FIELDS = ['question', 'scenario', 'query', 'text', 'prompt', 'message'];

/** A model that is asked a question and given nothing else. */
export async function vanilla(spec: SpecOf<'vanilla'>, context: TargetContext): Promise<Target> {
  return modelTarget(spec, context, {
    answerFormat: 'text',
    schemaName: 'advice',
    prompt: await promptBody(spec, context, ADVICE),
    identity: {},
    question({ input }) {
      const question = questionIn(input);
      return { known: { question }, text: question, schema: null, passages: null };
    },
    read(answer) {
      const { output, fault } = readTextAnswer(answer);
      return fault === undefined ? { output: { response: output } } : { fault };
    },
  });
}

/** What somebody asks: the input itself, or the first of the fields that hold such a thing. */
export function questionIn(input: unknown): string {
  const values = isRecord(input) ? QUESTION_FIELDS.map((name) => input[name]) : [input];
  const question = values.find((value) => typeof value === 'string' && value.trim() !== '');
  if (typeof question === 'string') return question;
  throw new TargetError({
    kind: 'request',
    message: `the input asks nothing: expected a text, or one of the fields ${QUESTION_FIELDS.join(', ')}`,
  });
}
