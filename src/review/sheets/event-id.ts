import { hash } from 'node:crypto';

import { sortedJson } from '../../data/sorted-json.ts';
import type { NewReviewEvent } from '../../store/review-records.ts';

/**
 * The same answer from a sheet, given upon the same state of the item, is the same event: two imports at once make one.
 * The version is part of it because an answer may change to and fro, and the way back is an event of its own.
 */
export function sheetEventId(event: Omit<NewReviewEvent, 'id'>, version: number): string {
  const { itemId, personId, field, part, value } = event;
  return `sheet-${hash('sha256', sortedJson([itemId, personId, field, part, value, version])).slice(0, 32)}`;
}
