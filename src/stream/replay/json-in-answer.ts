import { isRecord } from '../../plugin.ts';

/** The object that an answer holds, or why it holds none. `wrapped`: there was more around it than white space. */
export type JsonInAnswer =
  | { readonly value: Readonly<Record<string, unknown>>; readonly wrapped: boolean; readonly error?: undefined }
  | { readonly error: string; readonly value?: undefined };

const LONGEST_ANSWER = 1_000_000;
// From each opening bracket the text may be walked to its end, so a text of nothing else must not be tried at every one.
const MOST_STARTS = 64;

/**
 * The one JSON object of a model's answer. A fence and prose around it are common and do no harm; two objects leave it
 * open which one is meant.
 *
 * @example jsonInAnswer('Here: {"a": 1}') // { value: { a: 1 }, wrapped: true }
 */
export function jsonInAnswer(answer: string): JsonInAnswer {
  if (answer.trim() === '') return { error: 'the answer is empty' };
  if (answer.length > LONGEST_ANSWER) return { error: `not JSON: the answer has ${answer.length} characters` };
  const whole = parsed(answer);
  if (isRecord(whole)) return { value: whole, wrapped: false };
  const found = objectsIn(answer);
  if (found.length === 1) return { value: found[0]!, wrapped: true };
  return { error: found.length === 0 ? 'not JSON' : `${found.length} JSON objects in one answer` };
}

function objectsIn(text: string): Readonly<Record<string, unknown>>[] {
  const found: Readonly<Record<string, unknown>>[] = [];
  let start = text.indexOf('{');
  for (let starts = 0; start >= 0 && starts < MOST_STARTS; starts += 1) {
    const end = closing(text, start);
    const value = end === null ? undefined : parsed(text.slice(start, end));
    if (isRecord(value)) found.push(value);
    start = text.indexOf('{', end ?? start + 1);
  }
  return found;
}

/** Just after the bracket that closes the one at `start`; null if none does. Brackets in strings do not count. */
function closing(text: string, start: number): number | null {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
