import { isRecord } from '../../data/record-fields.ts';
import { jsonText } from '../../store/text-like-json.ts';

/** Metadata as Langfuse 4 keeps it for experiments: texts under names with dots, however deep they were. */
export function flatMetadata(metadata: unknown): Record<string, string> {
  if (metadata === null || metadata === undefined) return {};
  const flat: [name: string, text: string][] = [];
  const add = (path: string, value: unknown): void => {
    if (isRecord(value))
      for (const [name, part] of Object.entries(value)) add(path === '' ? name : `${path}.${name}`, part);
    else flat.push([path, typeof value === 'string' ? value : (rawText(value) ?? '')]);
  };
  add('', isRecord(metadata) ? metadata : { metadata });
  return Object.fromEntries(flat);
}

/** Langfuse 4 keeps inputs and outputs as the texts that were sent. */
export function rawText(value: unknown): string | null {
  return value === null || value === undefined ? null : jsonText(value);
}
