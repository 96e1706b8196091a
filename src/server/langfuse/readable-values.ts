import { isRecord } from '../../data/record-fields.ts';
import { jsonText, jsonTextValue } from '../../store/text-like-json.ts';
import { isDeeper } from '../../store/cells.ts';
import { DEEPEST_BODY } from '../request-body.ts';

/** The value that Langfuse reads a text as; one that is nested too deep stays a text. */
export function valueOfText(text: string): unknown {
  return isDeeper(text, DEEPEST_BODY) ? text : jsonTextValue(text);
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

/** Metadata as names with values: other metadata is under one name. */
export function metadataRecord(metadata: unknown): Record<string, unknown> {
  if (metadata === null || metadata === undefined) return {};
  return isRecord(metadata) ? { ...metadata } : { metadata };
}

/** Metadata as Langfuse 4 keeps it for experiments: texts under names with dots, however deep they were. */
export function flatMetadata(metadata: unknown): Record<string, string> {
  const flat: [name: string, text: string][] = [];
  const add = (path: string, value: unknown): void => {
    if (isRecord(value))
      for (const [name, part] of Object.entries(value)) add(path === '' ? name : `${path}.${name}`, part);
    else flat.push([path, typeof value === 'string' ? value : (rawText(value) ?? '')]);
  };
  add('', metadataRecord(metadata));
  return Object.fromEntries(flat);
}

/** Langfuse 4 keeps inputs and outputs as the texts that were sent. */
export function rawText(value: unknown): string | null {
  return value === null || value === undefined ? null : jsonText(value);
}
