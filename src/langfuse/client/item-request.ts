import { UsageError } from '../../data/problems.ts';
import { shorten } from '../../data/visible.ts';
import { defined } from '../../experiment/defined.ts';
import type { ItemRefusal } from '../../experiment/backend.ts';
import type { DatasetItemInit } from '../../store/records.ts';
import { CONTROL_CHARACTERS, jsonText } from '../../store/text-like-json.ts';
import { count } from '../../text/figures.ts';
import { MOST_REQUEST_MIB } from '../shapes/endpoint.ts';

const LONGEST_ID = 255;
const MOST_BYTES = MOST_REQUEST_MIB * 2 ** 20;

export const VALUES = ['input', 'expectedOutput', 'metadata'] as const;
export type ItemValues = Pick<DatasetItemInit, (typeof VALUES)[number]>;

/** The values that are not undefined. */
export function eachValue(values: ItemValues, of: (value: unknown, field: keyof ItemValues) => unknown): ItemValues {
  return defined(
    Object.fromEntries(
      VALUES.map((field) => [field, values[field] === undefined ? undefined : of(values[field], field)]),
    ),
  );
}

/** The request that makes or changes an item; texts as newer servers read them. */
export function itemRequest(
  datasetName: string,
  { id, status, sourceTraceId, sourceObservationId, ...values }: DatasetItemInit & { readonly id: string },
) {
  return {
    datasetName,
    id,
    ...defined({
      status,
      sourceTraceId: sourceTraceId ?? undefined,
      sourceObservationId: sourceObservationId ?? undefined,
    }),
    ...eachValue(values, (value) => (typeof value === 'string' ? jsonText(value) : value)),
  };
}

/** Why Langfuse would refuse an item, or keep another one in its place; null if it takes the item as it is. */
export function itemRefusal(dataset: string, { id = '', ...item }: DatasetItemInit): ItemRefusal | null {
  if (id.length > LONGEST_ID)
    return {
      field: 'id',
      message: `the id has ${id.length} characters, and Langfuse takes at most ${LONGEST_ID}`,
      next: 'choose a shorter id',
    };
  for (const field of VALUES) {
    const refusal = textRefusal(item[field], field === 'expectedOutput' ? 'expected_output' : field, controlCharacter);
    if (refusal !== null) return refusal;
  }
  const bytes = Buffer.byteLength(JSON.stringify(itemRequest(dataset, { ...item, id })));
  if (bytes <= MOST_BYTES) return null;
  return {
    message: `the item takes ${count(bytes)} bytes, and Langfuse accepts at most ${count(MOST_BYTES)} (${MOST_REQUEST_MIB} MB)`,
    next: 'shorten the item or split it',
  };
}

/** Throws if a request holds a text that Langfuse refuses; `what` is what the request saves. */
export function refuseTexts(what: string, request: Readonly<Record<string, unknown>>): void {
  for (const [field, value] of Object.entries(request)) {
    const refusal = textRefusal(value, field, () => null);
    if (refusal !== null) throw new UsageError(refusalText(what, refusal), refusal.next);
  }
}

export function refusalText(what: string, { field, message }: ItemRefusal): string {
  return field === undefined ? `${what}: ${message}` : `${what}: ${field}: ${message}`;
}

/** Looks through a value with all its keys; `lossIn` finds what would be lost of a text. */
function textRefusal(
  value: unknown,
  path: string,
  lossIn: (text: string, path: string) => ItemRefusal | null,
): ItemRefusal | null {
  if (typeof value === 'string') return value.isWellFormed() ? lossIn(value, path) : loneSurrogate(path, 'the text');
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    if (!key.isWellFormed()) return loneSurrogate(path, 'a key');
    if (key.includes('\0'))
      return { field: path, message: 'a key has U+0000, which Langfuse refuses', next: 'rename the key' };
    const step = Array.isArray(value) ? `[${key}]` : `.${shorten(key)}`;
    const refusal = textRefusal(inner, `${path}${step}`, lossIn);
    if (refusal !== null) return refusal;
  }
  return null;
}

/** Langfuse takes control characters out of the values of items, not out of their keys. */
function controlCharacter(text: string, field: string): ItemRefusal | null {
  const control = text.match(CONTROL_CHARACTERS)?.[0];
  if (control === undefined) return null;
  const code = control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return {
    field,
    message: `Langfuse takes control characters out of texts, and this one has U+${code}`,
    next: 'remove them from the item',
  };
}

function loneSurrogate(field: string, where: string): ItemRefusal {
  return {
    field,
    message: `${where} has half of a character (a lone surrogate), which Langfuse refuses`,
    next: 'remove it: the text was probably cut within a character',
  };
}
