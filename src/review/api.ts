import type { Interval } from '../measure/results.ts';
import type { ReviewField } from '../recipe/review-section.ts';
import type { CellValue, ReviewCell, ReviewRole } from '../store/review-records.ts';
import type { ContentPassage, ReviewContent } from './content.ts';

/**
 * What the review app and its server say to each other. Every request carries `Authorization: Bearer TOKEN`; every refusal
 * is `{ error: { message, next } }` with its status. Bodies and answers are JSON.
 *
 *   GET  /api/review/me                      Me                     everybody
 *   GET  /api/review/items/:item             ItemView               reviewers: their own items only, others are 404
 *   POST /api/review/items/:item/events      SaveRequest → Saved    reviewers
 *   POST /api/review/items/:item/commit      CommitRequest → Saved  reviewers; 422 with `missing` where answers are missing
 *   POST /api/review/items/:item/reopen      CommitRequest → Saved  reviewers; 409 where something was revealed
 *   GET  /api/review/texts                   TextsView              reviewers, with ?item= one of their items, and
 *   GET  /api/review/texts/search?q=&skip=   TextHits               adjudicators, who are shown no retrieved passage
 *   GET  /api/review/texts/:text?page=       TextPage               there
 *   GET  /api/review/conflicts               ConflictList           adjudicators
 *   GET  /api/review/conflicts/:id           ConflictView           adjudicators
 *   POST /api/review/conflicts/:id/decision  DecideRequest → ConflictList
 *   GET  /api/review/overview                Overview               owners
 *   GET  /api/review/export.csv, .jsonl      the current answers    owners
 */
export interface Me {
  readonly person: { readonly name: string; readonly role: ReviewRole; readonly groups: readonly string[] };
  /** `texts`: how many there are to look things up in. */
  readonly review: {
    readonly name: string;
    readonly title: string;
    readonly guidance: string;
    readonly texts: number;
  };
  readonly form: Readonly<Record<string, ReviewField>>;
  readonly queue: readonly QueueEntry[];
  readonly expiresAt: string;
}

export interface QueueEntry {
  readonly item: string;
  readonly kind: 'case' | 'answer';
  readonly title: string;
  readonly state: 'open' | 'begun' | 'done';
}

export interface ItemView {
  readonly item: string;
  readonly kind: 'case' | 'answer';
  readonly content: ReviewContent;
  readonly fields: readonly string[];
  readonly cells: readonly ReviewCell[];
  readonly committed: boolean;
  readonly version: number;
  /** Null before committing, and where nothing is to be revealed. */
  readonly revealed: Revealed | null;
}

export interface Revealed {
  readonly system?: string;
  readonly automatic?: Readonly<Record<string, unknown>>;
  readonly judge?: readonly ReviewCell[];
  readonly others?: readonly { readonly reviewer: string; readonly cells: readonly ReviewCell[] }[];
}

export interface SaveRequest {
  readonly events: readonly (ReviewCell & { readonly id: string })[];
}

export interface CommitRequest {
  readonly id: string;
}

export interface Saved {
  readonly version: number;
  readonly committed: boolean;
  readonly revealed: Revealed | null;
}

export interface Refused {
  readonly error: { readonly message: string; readonly next: string | null };
  readonly missing?: readonly Pick<ReviewCell, 'field' | 'part'>[];
}

/** A place in one of the texts, in UTF-16 units, and the page on which it begins. */
export interface TextPlace {
  readonly text: string;
  readonly page: number;
  readonly start: number;
  readonly end: number;
}

export interface TextsView {
  readonly texts: readonly { readonly id: string; readonly name: string; readonly pages: number }[];
  /** All that was retrieved for the item, each with its place in the texts; null if they do not have it. */
  readonly passages: readonly (ContentPassage & { readonly place: TextPlace | null })[];
}

export interface TextHits {
  readonly query: string;
  readonly total: number;
  readonly skip: number;
  readonly hits: readonly TextHit[];
}

export interface TextHit extends TextPlace {
  readonly name: string;
  readonly excerpt: string;
  readonly marks: readonly { readonly start: number; readonly end: number }[];
  readonly isRetrieved: boolean;
}

export interface TextPage {
  readonly id: string;
  readonly name: string;
  readonly page: number;
  readonly pages: number;
  readonly start: number;
  readonly content: string;
  readonly retrieved: readonly { readonly id: string; readonly start: number; readonly end: number }[];
}

export interface ConflictEntry {
  /** Stable: made of item, field and part. */
  readonly id: string;
  readonly item: string;
  readonly title: string;
  readonly field: string;
  readonly part: string | null;
  readonly decided: boolean;
}

export interface ConflictList {
  readonly conflicts: readonly ConflictEntry[];
}

export interface ConflictView extends ConflictEntry {
  readonly content: ReviewContent;
  readonly question: ReviewField;
  /** One for each different answer; people are numbered, not named. */
  readonly answers: readonly {
    readonly value: CellValue;
    readonly said: readonly string[];
    readonly comment: string | null;
  }[];
  readonly decision: NamedDecision | null;
  readonly history: readonly NamedDecision[];
}

interface NamedDecision {
  readonly value: CellValue;
  readonly because: string;
  readonly by: string;
  readonly at: string;
}

export interface DecideRequest {
  readonly id: string;
  readonly value: CellValue;
  readonly because: string;
}

export interface AgreementFigure {
  readonly field: string;
  readonly part: string | null;
  readonly title: string;
  readonly coefficient: string;
  readonly value: number | null;
  readonly undefined: string | null;
  readonly n: number;
  readonly raters: number;
  readonly interval: Interval | null;
  readonly noInterval: string | null;
  readonly target: number | null;
  /** Null if there is no target, or if the figure is inconclusive. */
  readonly met: boolean | null;
  /** What to mind: things that were not compared, why the target is met or not. */
  readonly notes: readonly string[];
  /** How it came to this: the figure over the first so many items that were done. */
  readonly growth: readonly {
    readonly n: number;
    readonly value: number;
    readonly low: number | null;
    readonly high: number | null;
  }[];
}

export interface Overview {
  readonly people: readonly {
    readonly name: string;
    readonly role: ReviewRole;
    readonly groups: readonly string[];
    readonly done: number;
    readonly begun: number;
    readonly total: number;
    readonly lastAt: string | null;
  }[];
  readonly items: { readonly total: number; readonly done: number };
  readonly conflicts: { readonly open: number; readonly decided: number };
  readonly agreement: readonly AgreementFigure[];
  readonly divided: readonly {
    readonly item: string;
    readonly caseId: string;
    readonly title: string;
    readonly field: string;
    readonly part: string | null;
    /** 0: all say the same; 1: as far apart as the question allows. */
    readonly apart: number;
    readonly values: readonly { readonly value: CellValue; readonly count: number }[];
  }[];
  readonly judge: readonly (AgreementFigure & { readonly model: string; readonly expired: string | null })[];
}
