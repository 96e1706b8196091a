import { isRecord } from '../data/record-fields.ts';
import type { ReviewItemRecord } from '../store/review-records.ts';

/** What logic needs to know of the content of an item, whatever else may be in it. */

/** A thing that was proposed for labelling, with its place in the text under review (-1 where it has none). */
export interface Proposed {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function titleOf({ content }: ReviewItemRecord): string {
  return isRecord(content) && typeof content['title'] === 'string' ? content['title'] : '';
}

export function proposedFor({ content }: ReviewItemRecord, field: string): Proposed[] {
  const all = isRecord(content) ? content['proposed'] : null;
  const own = isRecord(all) && Object.hasOwn(all, field) ? all[field] : null;
  if (!Array.isArray(own)) return [];
  return own.flatMap((one: unknown) => {
    if (!isRecord(one)) return [];
    const { id, start, end, text } = one;
    if (typeof id !== 'string' || typeof text !== 'string') return [];
    const hasPlace = typeof start === 'number' && typeof end === 'number' && start >= 0 && end > start;
    return [hasPlace ? { id, start, end, text } : { id, start: -1, end: -1, text }];
  });
}

/** The text that places are in; null where there is none. */
export function textUnderReview({ content }: ReviewItemRecord): string | null {
  if (!isRecord(content) || !Array.isArray(content['blocks'])) return null;
  for (const block of content['blocks'])
    if (isRecord(block) && block['name'] === content['under'] && typeof block['text'] === 'string')
      return block['text'];
  return null;
}
