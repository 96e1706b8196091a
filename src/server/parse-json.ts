import { isRecord } from '../data/record-fields.ts';
import { jsonTextValue } from '../store/text-like-json.ts';
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

/** The value that Langfuse reads a text as; one that is nested too deep stays a text. */
export function valueOfText(text: string): unknown {
  return /[[{]/.test(text) && isTooDeep(Buffer.from(text)) ? text : jsonTextValue(text);
}

/** What was sent about a trace or an observation, as it will be read: metadata value by value. */
export function readableTexts<Fields extends { input?: unknown; output?: unknown; metadata?: unknown }>(
  fields: Fields,
): Fields {
  const { input, output, metadata } = fields;
  return {
    ...fields,
    ...(typeof input === 'string' ? { input: valueOfText(input) } : {}),
    ...(typeof output === 'string' ? { output: valueOfText(output) } : {}),
    ...(isRecord(metadata) ? { metadata: readableMetadata(metadata) } : {}),
  };
}

export function readableMetadata(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [key, typeof value === 'string' ? valueOfText(value) : value]),
  );
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
