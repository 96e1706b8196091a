import { hash } from 'node:crypto';

import { sortedJson } from '../../data/sorted-json.ts';
import type { NewReviewEvent } from '../../store/review-records.ts';

/**
 * The same answer from a sheet is the same event: two imports at once make one. `times` is how often it was given before,
 * because an answer may change to and fro, and the way back is an event of its own.
 */
export function sheetEventId(event: Omit<NewReviewEvent, 'id'>, times: number): string {
  const { itemId, personId, field, part, value } = event;
  return `sheet-${hash('sha256', sortedJson([itemId, personId, field, part, value, times])).slice(0, 32)}`;
}
