import { z } from 'zod';

import { sortedJson } from '../data/sorted-json.ts';
import {
  damagedCell,
  json,
  jsonCell,
  maybeText,
  maybeTimeText,
  number,
  enumCell,
  type StoreRow,
  text,
  texts,
  timeText,
} from './cells.ts';
import { StoreConflict } from './store-conflict.ts';
import { type Kept, table } from './table.ts';

/** What reviews consist of in the store. Answers are events that are only ever added; what holds now is the last of them. */

export const REVIEWS = table({
  id: text,
  name: text,
  createdAt: timeText,
  seed: number,
  /** The task and the resolved `review` section: the form as it was when the review was made. */
  task: text,
  form: json,
  /** Recipe name, input files with their hashes, and anything else about where the items come from. */
  origin: json,
});
export type ReviewRecord = Kept<typeof REVIEWS>;

/** This and the following selections add the ids that a row has only the numbers of. */
export const PERSON_SELECT = `SELECT p.*, r.id AS review_id FROM review_people p JOIN reviews r ON r.seq = p.review_seq`;

export const REVIEW_PEOPLE = table({
  id: text,
  reviewId: text,
  name: text,
  role: enumCell('reviewer', 'adjudicator', 'owner'),
  /** Which questions are theirs; none means all. */
  groups: texts,
  /** Raised when a link is renewed: earlier links are then worth nothing. */
  generation: number,
  /** sha256 of the token, in hex. */
  tokenHash: text,
  expiresAt: timeText,
  revokedAt: maybeTimeText,
});
export type ReviewPerson = Kept<typeof REVIEW_PEOPLE>;
export type ReviewRole = ReviewPerson['role'];

export const ITEM_SELECT = `SELECT i.*, r.id AS review_id FROM review_items i JOIN reviews r ON r.seq = i.review_seq`;

/** Things under review: a case by itself, or one system's answer to it. */
export const REVIEW_ITEMS = table({
  /** Reveals neither case nor system. */
  id: text,
  reviewId: text,
  kind: enumCell('case', 'answer'),
  caseId: text,
  system: maybeText,
  language: maybeText,
  /** What reviewers see: a ReviewContent. */
  content: json,
  /** What nobody sees before committing: gold, predicted class, automatic verdicts. */
  hidden: json,
});
export type ReviewItemRecord = Kept<typeof REVIEW_ITEMS>;

/** Texts that reviewers may look things up in. */
export const REVIEW_TEXTS = table({ name: text, text });
export type ReviewText = Kept<typeof REVIEW_TEXTS>;

export const ASSIGNMENT_SELECT = `SELECT a.seq, a.position, p.id AS person_id, i.id AS item_id FROM review_people p
  JOIN review_assignments a ON a.person_seq = p.seq JOIN review_items i ON i.seq = a.item_seq`;

/** `position` is the order in this person's queue, from 0. */
export const ASSIGNMENTS = table({ personId: text, itemId: text, position: number });
export type ReviewAssignment = Kept<typeof ASSIGNMENTS>;

const itemAnswer = z.object({
  /** Within the item; kept when the text is edited. */
  id: z.string(),
  /** UTF-16 place in the text under review; -1 where it has none. */
  start: z.int(),
  end: z.int(),
  text: z.string(),
  label: z.string().nullable(),
  note: z.string().exactOptional(),
  /** What the data should call it, where a reviewer corrected that or added the thing. */
  kind: z.string().exactOptional(),
  /** The proposed items that it was made of, where it was split, merged or edited; empty where it was added. */
  from: z.array(z.string()).readonly(),
});
/** One claim, span or object with the label that a reviewer gave it. */
export type ItemAnswer = Readonly<z.infer<typeof itemAnswer>>;

/** Null takes an answer back. */
export type CellValue = string | number | boolean | readonly ItemAnswer[] | null;

/** One answer to one question: `part` is the dimension of a scale or the item of a checklist, null for a whole. */
export interface ReviewCell {
  readonly field: string;
  readonly part: string | null;
  readonly value: CellValue;
}

/** Of the column `value`. */
function cellValue(row: StoreRow): CellValue {
  const value = json(row, 'value');
  return isCellValue(value) ? value : damagedCell('value');
}

const CELL = { field: text, part: maybeText, value: cellValue };
/** When it was added, and as which of all. */
const ADDED = { seq: number, at: timeText };
type New<T> = Omit<T, keyof typeof ADDED>;

/** `field` is `#commit` (value true, or false when it is opened again) for the act of committing. */
export const COMMIT_FIELD = '#commit';

export const EVENT_SELECT = `SELECT e.*, i.id AS item_id, p.id AS person_id FROM review_events e
  JOIN review_assignments a ON a.seq = e.assignment_seq JOIN review_items i ON i.seq = a.item_seq
  JOIN review_people p ON p.seq = a.person_seq`;

/** The sender makes the id: the same event twice is one. */
export const REVIEW_EVENTS = table({
  id: text,
  itemId: text,
  personId: text,
  ...CELL,
  origin: enumCell('app', 'sheet', 'library'),
  ...ADDED,
});
export type ReviewEvent = Kept<typeof REVIEW_EVENTS>;
export type NewReviewEvent = New<ReviewEvent>;
/** Events that hold; `first` is the number of the first one for its question. */
export const HELD_EVENTS = table({ ...CELL, first: number, seq: number, at: text });
export type HeldEvent = Kept<typeof HELD_EVENTS>;
export type ReviewOrigin = ReviewEvent['origin'];

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

export const DECISION_SELECT = `SELECT d.*, i.id AS item_id, p.id AS person_id FROM review_decisions d
  JOIN review_items i ON i.seq = d.item_seq JOIN review_people p ON p.seq = d.person_seq`;

/** What adjudicators settled; the last one for an item, field and part holds, and null opens the conflict again. */
export const DECISIONS = table({ id: text, itemId: text, ...CELL, personId: text, because: text, ...ADDED });
export type Decision = Kept<typeof DECISIONS>;
export type NewDecision = New<Decision>;

export const JUDGEMENT_SELECT = `SELECT j.*, i.id AS item_id FROM review_judgements j
  JOIN review_items i ON i.seq = j.item_seq`;

/** What models said, apart from what people say. */
export const JUDGEMENTS = table({
  id: text,
  itemId: text,
  ...CELL,
  reason: maybeText,
  /** Model and prompt: a hash of both; labels of another one say nothing about this one. */
  judge: text,
  model: text,
  promptHash: text,
  ...ADDED,
});
export type Judgement = Kept<typeof JUDGEMENTS>;
export type NewJudgement = New<Judgement>;

/** An answer for its column. JSON would make null of a number that is none, and null takes an answer back. */
export function valueColumn({ field, part, value }: ReviewCell): string | null {
  if (!isCellValue(value)) throw new StoreConflict('what was given is no answer: a text, a number, a tick or a list');
  if (field === COMMIT_FIELD && (part !== null || typeof value !== 'boolean'))
    throw new StoreConflict(`${COMMIT_FIELD} is true or false, and has no parts`);
  return jsonCell(value);
}

/** The order of keys is nobody's answer. */
export function isSameCell(one: ReviewCell, other: ReviewCell): boolean {
  return one.field === other.field && one.part === other.part && sortedJson(one.value) === sortedJson(other.value);
}

const cellShape = z.union([z.null(), z.string(), z.boolean(), z.number(), z.array(itemAnswer)]);

function isCellValue(value: unknown): value is CellValue {
  return cellShape.safeParse(value).success;
}
