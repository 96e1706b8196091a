import { damaged, flag, json, maybeText, number, type Row, text, timeText } from './cells.ts';
import type { DatasetItemRecord, DatasetRecord, DatasetVersionRecord, ItemStatus } from './records.ts';

export function datasetRecord(row: Row): DatasetRecord {
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
    description: maybeText(row, 'description'),
    metadata: json(row, 'metadata'),
    inputSchema: json(row, 'input_schema'),
    expectedOutputSchema: json(row, 'expected_output_schema'),
    archived: flag(row, 'archived'),
    createdAt: timeText(row, 'created_at'),
    updatedAt: timeText(row, 'updated_at'),
  };
}

/** An item in one of its states. */
export const ITEM_COLUMNS = `i.seq, i.id, i.dataset_id, d.name AS dataset_name, i.created_at, s.seq AS state_seq,
  s.valid_from, s.status, s.hash, s.source_trace_id, s.source_observation_id, s.metadata, s.input, s.expected_output`;

export const ITEM_TABLES = `dataset_items i JOIN datasets d ON d.id = i.dataset_id
  JOIN dataset_item_states s ON s.item_seq = i.seq`;

export function itemRecord(row: Row): DatasetItemRecord {
  return {
    id: text(row, 'id'),
    datasetId: text(row, 'dataset_id'),
    datasetName: text(row, 'dataset_name'),
    input: json(row, 'input'),
    expectedOutput: json(row, 'expected_output'),
    metadata: json(row, 'metadata'),
    sourceTraceId: maybeText(row, 'source_trace_id'),
    sourceObservationId: maybeText(row, 'source_observation_id'),
    status: itemStatus(row),
    createdAt: timeText(row, 'created_at'),
    updatedAt: timeText(row, 'valid_from'),
  };
}

function itemStatus(row: Row): ItemStatus {
  const status = text(row, 'status');
  return status === 'ACTIVE' || status === 'ARCHIVED' ? status : damaged('status');
}

export function versionRecord(row: Row): DatasetVersionRecord {
  return { hash: text(row, 'hash'), items: number(row, 'items'), at: timeText(row, 'at') };
}
