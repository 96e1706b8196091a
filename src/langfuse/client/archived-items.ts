import { isRecord } from '../../data/record-fields.ts';
import type { DatasetItemRecord, DatasetRecord } from '../../store/records.ts';
import { compareText } from '../../text/compare.ts';

/**
 * In a dataset's metadata: the ids of the items that were archived from here. Langfuse lists no archived items and
 * answers only for those whose ids are known.
 */
const ARCHIVED = 'assay_archived_items';

/** The dataset as others see it, and the ids that are noted in it. */
export function withoutNotes(dataset: DatasetRecord): { readonly dataset: DatasetRecord; readonly archived: string[] } {
  const { metadata } = dataset;
  if (!isRecord(metadata) || !(ARCHIVED in metadata)) return { dataset, archived: [] };
  const { [ARCHIVED]: noted, ...rest } = metadata;
  const archived = Array.isArray(noted) ? noted.filter((id) => typeof id === 'string') : [];
  return { dataset: { ...dataset, metadata: Object.keys(rest).length === 0 ? null : rest }, archived };
}

/** Metadata with the ids noted; as they are if they are no object, which has no room for them. */
export function withNotes(metadata: unknown, archived: readonly string[]): unknown {
  const isFull = metadata !== null && metadata !== undefined && !isRecord(metadata);
  if (isFull || archived.length === 0) return metadata;
  return { ...metadata, [ARCHIVED]: [...new Set(archived)].toSorted(compareText) };
}

export function isArchivedOf(item: DatasetItemRecord | null, dataset: string): item is DatasetItemRecord {
  return item?.status === 'ARCHIVED' && item.datasetName === dataset;
}
