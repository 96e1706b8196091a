import { describe, failureOf, isAnnotationList, isRecord } from '../../data/record-fields.ts';
import { type Passage, type TargetAnswer, TargetError } from './target.ts';
import type { Usage } from '../limits/budget.ts';

/** What a user's own program returns for an item, beside the output itself. */
export type ProgramAnswer = Pick<TargetAnswer, 'output' | 'usage' | 'passages'>;

// As Assay, OpenAI and Langfuse call them.
const INPUT = ['inputTokens', 'input_tokens', 'promptTokens', 'prompt_tokens', 'input'];
const OUTPUT = ['outputTokens', 'output_tokens', 'completionTokens', 'completion_tokens', 'output'];
const COST = ['cost', 'totalCost', 'total_cost'];
const PASSAGE_TEXT = ['text', 'content', 'page_content'];

/** `{output, usage?, passages?}` or `{error}`; a failure is thrown, with what it cost. */
export function programAnswer(record: Readonly<Record<string, unknown>>, who: string): ProgramAnswer {
  const usage = usageOf(record['usage'], who);
  const failed = failureOf(record);
  if (failed !== null) throw new TargetError({ kind: 'program', message: failed, usage });
  if (!Object.hasOwn(record, 'output') || record['output'] === undefined)
    throw badAnswer(who, 'an answer has neither output nor error');
  return { output: soundOutput(record['output'], usage), usage, passages: passagesOf(record['passages'], who) };
}

/**
 * The output, unless it is an error object without annotations, such as Hugging Face's `{"error": "Model … is currently
 * loading", "estimated_time": 20}`: that would count as an answer in which nothing was found.
 */
export function soundOutput(output: unknown, usage: Usage | null = null): unknown {
  // A number may be an error rate.
  const mayFail = isRecord(output) && typeof output['error'] !== 'number';
  const failed = mayFail && !Object.values(output).some(isAnnotationList) ? failureOf(output) : null;
  if (failed === null) return output;
  throw new TargetError({ kind: 'program', message: failed, usage });
}

/** Tokens and cost under any of their usual names; what is not said is not known. */
export function usageOf(value: unknown, who: string): Usage | null {
  if (value === undefined || value === null) return null;
  if (!isRecord(value)) throw badAnswer(who, `usage is ${describe(value)}, expected {inputTokens, outputTokens, cost}`);
  const numberAt = (names: readonly string[]): number | null => {
    const name = names.find((one) => Object.hasOwn(value, one) && value[one] !== null && value[one] !== undefined);
    if (name === undefined) return null;
    const found = value[name];
    if (typeof found === 'number' && Number.isFinite(found) && found >= 0) return found;
    throw badAnswer(who, `usage.${name} is ${describe(found)}, expected a number that is not negative`);
  };
  return { inputTokens: numberAt(INPUT), outputTokens: numberAt(OUTPUT), cost: numberAt(COST) };
}

/** Texts, or `{id?, text, score?, source?}`. */
export function passagesOf(value: unknown, who: string): Passage[] | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value)) throw badAnswer(who, `passages is ${describe(value)}, expected a list`);
  return value.map((given: unknown, at) => {
    const fields: Readonly<Record<string, unknown>> = isRecord(given) ? given : { text: given };
    const text = PASSAGE_TEXT.map((name) => fields[name]).find((one) => typeof one === 'string');
    if (typeof text !== 'string') throw badAnswer(who, `passages[${at}] has no text`);
    const { id, score, source } = fields;
    return {
      id: typeof id === 'string' || typeof id === 'number' ? String(id) : String(at + 1),
      text,
      score: typeof score === 'number' && Number.isFinite(score) ? score : null,
      source: typeof source === 'string' ? source : null,
    };
  });
}

export function badAnswer(who: string, what: string): TargetError {
  return new TargetError({ kind: 'program', message: `${who}: ${what}` });
}

/** A value of the user's own code as it is written to a file; what JSON cannot hold is an error, not a null. */
export function answerLine(value: unknown, who: string): string {
  let text: unknown;
  try {
    text = JSON.stringify(value, onlyJson);
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw badAnswer(who, `the output is not JSON (${why})`);
  }
  if (typeof text !== 'string') throw badAnswer(who, 'there is no output (undefined)');
  return text;
}

function onlyJson(key: string, value: unknown): unknown {
  const isNoNumber = typeof value === 'number' && !Number.isFinite(value);
  if (isNoNumber || typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError(`${key === '' ? 'it' : key} is ${isNoNumber ? value : `a ${typeof value}`}`);
  return value;
}
