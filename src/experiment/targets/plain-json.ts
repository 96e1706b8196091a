import { badAnswer } from './program-answer.ts';

/** A value of the user's own code as it is written to a file; what JSON cannot hold is an error, not a null. */
export function jsonText(value: unknown, who: string): string {
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
  return text;
}

function onlyJson(key: string, value: unknown): unknown {
  const isNoNumber = typeof value === 'number' && !Number.isFinite(value);
  if (isNoNumber || typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError(`${key === '' ? 'it' : key} is ${isNoNumber ? value : `a ${typeof value}`}`);
  return value;
}
