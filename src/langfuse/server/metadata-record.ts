import { isRecord } from '../../data/record-fields.ts';

/** Where Langfuse answers metadata as names with values, other metadata stands under one name. */
export function metadataRecord(metadata: unknown): Record<string, unknown> | null {
  if (metadata === null || metadata === undefined) return null;
  return isRecord(metadata) ? { ...metadata } : { metadata };
}
