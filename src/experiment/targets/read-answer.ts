import type { SchemaCheck } from './answer-schema.ts';
import { parseModelJson } from './json-text.ts';
import type { ModelAnswer, Reading } from './model-task.ts';

/** The answer as JSON that fits, or what is wrong with it. */
export function readJsonAnswer({ text }: ModelAnswer, check: SchemaCheck | null): Reading {
  const { value, fault } = parseModelJson(text);
  if (fault !== undefined) return { fault };
  const violations = check?.(value) ?? [];
  return violations.length === 0 ? { output: value } : { fault: violations.join('; ') };
}

/** The answer as it is. Half an answer would be judged as if the model had meant to stop there. */
export function readTextAnswer({ text, isCut }: ModelAnswer): Reading {
  if (text.trim() === '') return { fault: 'it is empty' };
  return isCut ? { fault: 'it ends in the middle (maxOutputTokens says how long it may be)' } : { output: text };
}
