import { isRecord } from '../../data/record-fields.ts';
import type { DatasetRecord } from '../../store/records.ts';

/** In a dataset's metadata while items are saved: the number of items of each import, by a hash of their ids. */
const UNFINISHED = 'assay_unfinished_imports';

/** A sentence for a dataset that has only a part of what was imported; null where every import is whole. */
export function unfinishedNotice({ name, metadata }: Pick<DatasetRecord, 'name' | 'metadata'>): string | null {
  const sizes = Object.values(unfinishedOf(metadata));
  if (sizes.length === 0) return null;
  const items = sizes.map((size) => (typeof size === 'number' ? `${size} items` : 'some items')).join(' and one of ');
  return `${name} is incomplete: an import of ${items} is under way or was interrupted; import the same files again to complete it`;
}

/** Metadata that say that an import has begun; null where they have no room for it, since they are no object. */
export function withUnfinished(metadata: unknown, print: string, items: number): Record<string, unknown> | null {
  if (metadata !== null && metadata !== undefined && !isRecord(metadata)) return null;
  return { ...metadata, [UNFINISHED]: { ...unfinishedOf(metadata), [print]: items } };
}

/** The same metadata once this import is whole: as they were before it, unless another one is still unfinished. */
export function withoutUnfinished(metadata: Readonly<Record<string, unknown>>, print: string): unknown {
  const { [UNFINISHED]: _, ...own } = metadata;
  const { [print]: __, ...others } = unfinishedOf(metadata);
  if (Object.keys(others).length > 0) return { ...own, [UNFINISHED]: others };
  return Object.keys(own).length === 0 ? null : own;
}

function unfinishedOf(metadata: unknown): Readonly<Record<string, unknown>> {
  const found = isRecord(metadata) ? metadata[UNFINISHED] : undefined;
  return isRecord(found) ? found : {};
}
