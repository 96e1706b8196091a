import type { ReviewCell } from '../../../src/store/review-records.ts';
import { stopKey } from './stops.ts';

/** What a reviewer does that the server is to know. */
export type Act =
  | { readonly kind: 'answer'; readonly cell: ReviewCell }
  | { readonly kind: 'commit' }
  | { readonly kind: 'reopen' };

/** Answers replace each other and go together; committing and reopening stand by themselves. */
export function topicOf(act: Act): string | null {
  return act.kind === 'answer' ? stopKey(act.cell) : null;
}

export function isAct(value: unknown): value is Act {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  return value.kind === 'commit' || value.kind === 'reopen' || (value.kind === 'answer' && 'cell' in value);
}
