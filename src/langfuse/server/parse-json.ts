import { Refusal } from './refusal.ts';

/** Far more than data has, far less than what exhausts the stack of those who walk through it. */
export const DEEPEST_JSON = 200;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** JSON from outside: refused where it is none, or where lists and objects are nested too deep. */
export function parseJson(bytes: Uint8Array): unknown {
  if (isTooDeep(bytes)) throw new Refusal(400, `The body is nested deeper than ${DEEPEST_JSON} levels.`);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal(400, 'The body is not JSON in UTF-8.');
  }
}

/** The value that a text of a span stands for, where it is JSON that says exactly this; else the text. */
export function valueOfText(text: string): unknown {
  const first = text.charAt(0);
  if (!'{["-0123456789tfn'.includes(first) || first === '') return text;
  try {
    const value: unknown = JSON.parse(text);
    if (first === '{' || first === '[') return isTooDeep(Buffer.from(text)) ? text : value;
    // A long number would come back as another one, and a text in quotes was meant with them.
    return typeof value !== 'string' && JSON.stringify(value) === text ? value : text;
  } catch {
    return text;
  }
}

function isTooDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (inText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (OPENING.has(byte)) {
      depth += 1;
      if (depth > DEEPEST_JSON) return true;
    } else if (CLOSING.has(byte)) depth -= 1;
  }
  return false;
}
