import { hash } from 'node:crypto';

import { isRecord } from '../../data/record-fields.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import type { DatasetItemInit, DatasetItemRecord } from '../../store/records.ts';

/** What is kept of an item to tell whether another is the same: a hash for each part. */
export interface ItemPrint {
  readonly parts: Readonly<Record<Part, string>>;
  readonly archived: boolean;
}

const PARTS = ['input', 'expectedOutput', 'metadata', 'sourceTraceId', 'sourceObservationId'] as const;
type Part = (typeof PARTS)[number];

export function itemPrint(item: DatasetItemRecord): ItemPrint {
  return {
    parts: {
      input: print(item.input),
      expectedOutput: print(item.expectedOutput),
      metadata: print(item.metadata),
      sourceTraceId: print(item.sourceTraceId),
      sourceObservationId: print(item.sourceObservationId),
    },
    archived: item.status === 'ARCHIVED',
  };
}

/** Whether saving an item would change the one that is there: what it does not say stays as it was. */
export function wouldChange(item: DatasetItemInit, before: ItemPrint): boolean {
  if (item.status !== undefined && (item.status === 'ARCHIVED') !== before.archived) return true;
  return PARTS.some((part) => isSaid(item[part]) && print(item[part]) !== before.parts[part]);
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && !isEmpty(value);
}

/** Servers do not tell an empty object of metadata from none. */
function isEmpty(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}

function print(value: unknown): string {
  return isSaid(value) ? hash('sha256', sortedJson(value), 'base64').slice(0, 22) : '';
}
