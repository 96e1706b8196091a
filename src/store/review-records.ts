/** What reviews consist of in the store. Answers are events that are only ever added; what holds now is the last of them. */

export type ReviewRole = 'reviewer' | 'adjudicator' | 'owner';

export interface ReviewRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly seed: number;
  /** The task and the resolved `review` section: the form as it was when the review was made. */
  readonly task: string;
  readonly form: unknown;
  /** Recipe name, input files with their hashes, and whatever else says where the items come from. */
  readonly origin: unknown;
}

export interface ReviewPerson {
  readonly id: string;
  readonly reviewId: string;
  readonly name: string;
  readonly role: ReviewRole;
  /** Which questions are theirs; none means all. */
  readonly groups: readonly string[];
  /** Raised when a link is renewed: earlier links are then worth nothing. */
  readonly generation: number;
  /** sha256 of the token, in hex. */
  readonly tokenHash: string;
  readonly expiresAt: string;
  readonly revokedAt: string | null;
}

/** A thing under review: a case by itself, or one system's answer to it. */
export interface ReviewItemRecord {
  /** Says nothing of case or system. */
  readonly id: string;
  readonly reviewId: string;
  readonly kind: 'case' | 'answer';
  readonly caseId: string;
  readonly system: string | null;
  readonly language: string | null;
  /** What reviewers see: a ReviewContent. */
  readonly content: unknown;
  /** What nobody sees before committing: gold, predicted class, automatic verdicts. */
  readonly hidden: unknown;
}

/** A text that reviewers may look things up in. */
export interface ReviewText {
  readonly name: string;
  readonly text: string;
}

export interface ReviewAssignment {
  readonly personId: string;
  readonly itemId: string;
  /** Order in this person's queue, from 0. */
  readonly position: number;
}

/** One claim, span or object with the label that a reviewer gave it. */
export interface ItemAnswer {
  /** Within the item; kept when the text is edited. */
  readonly id: string;
  /** UTF-16 place in the text under review; -1 where it has none. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly label: string | null;
  readonly note?: string;
  /** The proposed items that it was made of, where it was split, merged or edited; empty where it was added. */
  readonly from: readonly string[];
}

/** Null takes an answer back. */
export type CellValue = string | number | boolean | readonly ItemAnswer[] | null;

/** One answer to one question: `part` is the dimension of a scale or the item of a checklist, null for a whole. */
export interface ReviewCell {
  readonly field: string;
  readonly part: string | null;
  readonly value: CellValue;
}

export type ReviewOrigin = 'app' | 'sheet' | 'library';

export interface NewReviewEvent extends ReviewCell {
  /** Made by whoever sends it: the same event twice is one. */
  readonly id: string;
  readonly itemId: string;
  readonly personId: string;
  readonly origin: ReviewOrigin;
}

/** `field` is `#commit` (value true, or false when it is opened again) for the act of committing. */
export interface ReviewEvent extends NewReviewEvent {
  readonly seq: number;
  readonly at: string;
}
export const COMMIT_FIELD = '#commit';

/** What holds now of one person's work on one item. */
export interface ItemState {
  readonly itemId: string;
  readonly personId: string;
  readonly cells: readonly ReviewCell[];
  readonly committed: boolean;
  /** The last event's number: rises with every change. */
  readonly version: number;
  readonly updatedAt: string;
}

export interface NewDecision {
  readonly id: string;
  readonly itemId: string;
  readonly field: string;
  readonly part: string | null;
  /** Null opens the conflict again. */
  readonly value: CellValue;
  readonly personId: string;
  readonly because: string;
}

/** What an adjudicator settled; the last one for an item, field and part holds. */
export interface Decision extends NewDecision {
  readonly seq: number;
  readonly at: string;
}

/** What a model said, apart from what people say. */
export interface NewJudgement {
  readonly id: string;
  readonly itemId: string;
  readonly field: string;
  readonly part: string | null;
  readonly value: CellValue;
  readonly reason: string | null;
  /** Model and prompt: a hash of both; labels of another one say nothing about this one. */
  readonly judge: string;
  readonly model: string;
  readonly promptHash: string;
}
export interface Judgement extends NewJudgement {
  readonly seq: number;
  readonly at: string;
}
