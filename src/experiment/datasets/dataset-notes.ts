import type { Fields } from '../../data/item.ts';
import { isRecord } from '../../data/record-fields.ts';

/** What we keep of a dataset under a key of ours in its metadata, which Langfuse keeps too: entries by name. */
export function datasetNotes(metadata: unknown, key: string): Fields {
  const found = isRecord(metadata) ? metadata[key] : undefined;
  return isRecord(found) ? found : {};
}

/** The metadata with these entries under the key; without any, as if there had never been some. */
export function withDatasetNotes(metadata: unknown, key: string, entries: Fields): Fields | null {
  const all = isRecord(metadata) ? metadata : {};
  if (Object.keys(entries).length > 0) return { ...all, [key]: entries };
  const { [key]: _, ...own } = all;
  return Object.keys(own).length === 0 ? null : own;
}
