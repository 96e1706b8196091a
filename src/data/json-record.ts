import type { TextRecord } from './lines.ts';
import type { Problem, Problems } from './problems.ts';
import { visible } from './visible.ts';

export const FAILED = Symbol('not JSON');

/** One record parsed, or FAILED with the problem noted. */
export function parseRecord(record: TextRecord, file: string, problems: Problems): unknown {
  try {
    return JSON.parse(record.text);
  } catch (error) {
    problems.add({ file, ...explainSyntax(record, error) });
    return FAILED;
  }
}

/** The place at which a text stops being JSON and nothing of its content: that may be a key. */
export function notJson(error: unknown): string {
  const at = error instanceof Error ? / at position (\d+)/.exec(error.message)?.[1] : undefined;
  return at === undefined ? 'not JSON' : `not JSON at character ${Number(at) + 1}`;
}

/** V8's message in the user's terms: the line within the record, the place, and what usually goes wrong there. */
function explainSyntax({ text, line }: TextRecord, error: unknown): Omit<Problem, 'file'> {
  const reason = error instanceof Error ? error.message : String(error);
  const [, what = reason, position] = /^(.*?)(?: in JSON)? at position (\d+)/s.exec(reason) ?? [];
  const at = position === undefined ? null : Number(position);
  if (at === text.length || /^Unexpected end|^Unterminated string/.test(reason))
    return {
      line,
      message: `the JSON is cut off after ${text.length} characters, at ${visible(text.slice(-30))}`,
      next: 'check that the file was written to its end',
    };
  // For a stray token V8 names no position but shows its surroundings.
  const [, token = '', around = ''] =
    /^Unexpected token '(.)', (?:\.\.\.)?"(.*)"(?:\.\.\.)? is not valid/su.exec(reason) ?? [];
  const near = at === null ? around : text.slice(Math.max(0, at - 15), at + 15);
  const place = at === null ? '' : ` at character ${at + 1}`;
  const lineOfFault = at === null ? line : line + (text.slice(0, at).match(/\n/g)?.length ?? 0);
  const noNumber =
    at === null
      ? /^[NI]$/.test(token) && /-?\b(?:NaN|Infinity)\b/.exec(around)?.[0]
      : /^-Infinity\b/.exec(text.slice(at - 1, at + 9))?.[0];
  if (typeof noNumber === 'string')
    return {
      line: lineOfFault,
      message: `found ${noNumber} near ${visible(near)}, which is not JSON`,
      next: 'write null, or leave the field out',
    };
  const why = token === '' ? what.charAt(0).toLowerCase() + what.slice(1) : `unexpected ${visible(token)}`;
  return { line: lineOfFault, message: `not JSON${place}: ${why}${near === '' ? '' : `, near ${visible(near)}`}` };
}
