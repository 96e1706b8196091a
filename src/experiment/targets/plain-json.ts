import { parseJson } from './json-text.ts';
import { badAnswer } from './program-answer.ts';

/** A value of the user's own code as it will be read back from a file; what JSON cannot hold is an error, not a null. */
export function plainJson(value: unknown, who: string): { readonly text: string; readonly value: unknown } {
  let text: unknown;
  try {
    text = JSON.stringify(value, onlyJson);
  } catch (error) {
    throw badAnswer(
      who,
      `the output is not JSON (${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)})`,
    );
  }
  if (typeof text !== 'string') throw badAnswer(who, 'there is no output (undefined)');
  const parsed = parseJson(text);
  if (parsed.fault !== undefined) throw badAnswer(who, `the output is not JSON: ${parsed.fault}`);
  return { text, value: parsed.value };
}

function onlyJson(key: string, value: unknown): unknown {
  const isNoNumber = typeof value === 'number' && !Number.isFinite(value);
  if (isNoNumber || typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError(`${key === '' ? 'it' : key} is ${isNoNumber ? value : `a ${typeof value}`}`);
  return value;
}
