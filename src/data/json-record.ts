import type { TextRecord } from './lines.ts';
import type { Problems } from './problems.ts';

export const FAILED = Symbol('not JSON');

/** One record parsed, or FAILED with the problem noted. */
export function parseRecord(record: TextRecord, file: string, problems: Problems): unknown {
  let value: unknown;
  try {
    value = JSON.parse(record.text);
  } catch (error) {
    problems.add({ file, line: record.line, ...explainSyntax(record.text, error) });
    return FAILED;
  }
  // The plain search costs next to nothing; only a record that has the word at all is walked.
  if (record.text.includes('__proto__') && hasKey(value, '__proto__')) {
    problems.add({
      file,
      line: record.line,
      field: '__proto__',
      message: 'this key is not allowed in data',
      next: 'rename or remove it',
    });
    return FAILED;
  }
  return value;
}

function hasKey(value: unknown, key: string): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (Object.hasOwn(next, key)) return true;
    for (const inner of Object.values(next)) open.push(inner);
  }
  return false;
}

function explainSyntax(text: string, error: unknown): { message: string; next?: string } {
  const reason = error instanceof Error ? error.message : String(error);
  const at = /position (\d+)/.exec(reason)?.[1];
  if (/Unexpected end of JSON input|Unterminated string/.test(reason)) {
    return {
      message: `the JSON is cut off after ${text.length} characters (…${visible(text.slice(-30))})`,
      next: 'check that the file was written to its end',
    };
  }
  if (at !== undefined && /^-?(NaN|Infinity)/.test(text.slice(Number(at)))) {
    return {
      message: `found ${/^-?[A-Za-z]+/.exec(text.slice(Number(at)))?.[0] ?? 'NaN'} at column ${Number(at) + 1}, which is not JSON`,
      next: 'write null, or leave the field out',
    };
  }
  if (at !== undefined) {
    const position = Number(at);
    return {
      message: `not JSON at column ${position + 1}, near ${visible(text.slice(Math.max(0, position - 15), position + 15))}`,
    };
  }
  return { message: `not JSON (${visible(reason)})` };
}

/** Text of hostile files goes to a terminal: control characters are shown, not sent. */
export function visible(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
