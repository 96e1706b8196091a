import { FAILED, parseRecord } from '../../data/json-record.ts';
import { InputError, Problems } from '../../data/problems.ts';

/** What a text is as JSON, or why it is none. */
export type JsonText =
  | { readonly value: unknown; readonly fault?: undefined }
  | { readonly fault: string; readonly value?: undefined };

/** Far more than any answer needs, far less than what ends the stack of whoever walks through it. */
export const DEEPEST = 200;

const FENCED = /^```(?:json|JSON)?[ \t]*\r?\n([\s\S]*?)\r?\n?```$/;

/** One JSON value, whatever white space stands around it. NaN is none, nor is anything nested without end. */
export function parseJson(text: string): JsonText {
  const bare = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (bare.trim() === '') return { fault: 'it is empty' };
  if (isTooDeep(bare)) return { fault: `it is nested more than ${DEEPEST} levels deep` };
  const problems = new Problems();
  const value = parseRecord({ text: bare, line: 1 }, 'answer', problems);
  return value === FAILED ? { fault: faultIn(problems) } : { value };
}

/** The same for a model's answer, which may stand in one fence, as many models have it; prose around it is not taken. */
export function parseModelJson(text: string): JsonText {
  const bare = (text.startsWith('\ufeff') ? text.slice(1) : text).trim();
  const fenced = FENCED.exec(bare)?.[1];
  return parseJson(fenced ?? bare);
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (inString) {
      if (unit === 0x5c) at += 1;
      else if (unit === 0x22) inString = false;
    } else if (unit === 0x22) inString = true;
    else if (unit === 0x7b || unit === 0x5b) {
      depth += 1;
      if (depth > DEEPEST) return true;
    } else if (unit === 0x7d || unit === 0x5d) depth -= 1;
  }
  return false;
}

function faultIn(problems: Problems): string {
  try {
    problems.throwIfAny();
  } catch (error) {
    if (error instanceof InputError) return error.problems[0]?.message ?? error.message;
  }
  return 'not JSON';
}
