import { z } from 'zod';

import { isRecord } from '../data/record-fields.ts';
import { damagedCell, json, type StoreRow } from './cells.ts';
import type { ScoreRecord } from './records.ts';
import type { Changes } from './table.ts';

/** One sending of a score. */
export interface ScoreSending {
  readonly id: string;
  readonly sentAt: string;
}

/** Event of a score that was saved directly; sorts before every event that was sent. */
export const SAVED_BEFORE: ScoreSending = { id: '', sentAt: '' };

/** Sorts events as Langfuse merges them: of two with one time, the one with the smaller id comes last and wins. */
export const MERGE_ORDER = 'sent_at, id DESC';

const text = z.string();
const maybeText = z.string().nullable();
const scoreFields = z
  .object({
    id: text,
    name: text,
    dataType: z.enum(['NUMERIC', 'CATEGORICAL', 'BOOLEAN', 'TEXT', 'CORRECTION']),
    value: z.number().nullable(),
    stringValue: maybeText,
    traceId: maybeText,
    observationId: maybeText,
    sessionId: maybeText,
    datasetRunId: maybeText,
    source: text,
    comment: maybeText,
    metadata: z.unknown(),
    configId: maybeText,
    authorUserId: maybeText,
    environment: text,
    timestamp: text,
  })
  .partial();

type ScoreFields = Changes<ScoreRecord>;

export function readFields(row: StoreRow): ScoreFields {
  const { success, data } = scoreFields.safeParse(json(row, 'fields'));
  return success ? data : damagedCell('fields');
}

/**
 * Merges the fields of events in their order. Trace, time and environment stay those of the first event; later events
 * change the other fields that they name, null included, and add to the metadata.
 */
export function mergeFields([first = {}, ...later]: readonly ScoreFields[]): ScoreFields {
  const merged = { ...first };
  for (const change of later) {
    const { traceId = change.traceId, timestamp, environment } = merged;
    const metadata = mergeMetadata(merged.metadata, change.metadata);
    Object.assign(merged, change, { metadata, traceId, timestamp, environment });
  }
  return merged;
}

function mergeMetadata(before: unknown, change: unknown): unknown {
  return isRecord(before) && isRecord(change) ? { ...before, ...change } : (change ?? before);
}
