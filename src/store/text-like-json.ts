/**
 * Langfuse keeps inputs, outputs and values of metadata as text, and reads any text that is JSON as the value it stands
 * for: a text "42" comes back as a number, "" as nothing. These two functions are each other's inverse for every value.
 */

/** The text that is read back as this value: JSON, unless the value is a text that nothing takes for JSON. */
export function jsonText(value: unknown): string {
  return typeof value === 'string' && !isJson(value) ? value : JSON.stringify(value);
}

/** What Langfuse makes of a text. Numbers that cannot be kept exactly stay text, wherever they are in it. */
export function jsonTextValue(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text, exactNumbers);
  } catch {
    return text;
  }
}

/** Langfuse takes these out of the texts of items. */
export const CONTROL_CHARACTERS = /[\0-\x08\x0B\x0E-\x1F\x7F-\x9F]/g;

function isJson(text: string): boolean {
  if (text === '') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function exactNumbers(this: unknown, _key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined) return value;
  return significantDigits(source) === significantDigits(String(value)) ? value : source;
}

/** `-0.0120e5` has `12`. */
function significantDigits(number: string): string {
  return number
    .replace(/e.*$/i, '')
    .replace('.', '')
    .replace(/^[-0]+/, '')
    .replace(/0+$/, '');
}
