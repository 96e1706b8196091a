import { damaged, json, maybeText, maybeTimeText, number, type Row, text, texts, timeText } from './cells.ts';
import type {
  Decision,
  Judgement,
  ReviewAssignment,
  ReviewEvent,
  ReviewItemRecord,
  ReviewOrigin,
  ReviewPerson,
  ReviewRecord,
  ReviewRole,
} from './review-records.ts';
import { cellValue } from './review-values.ts';

export function reviewRecord(row: Row): ReviewRecord {
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
    createdAt: timeText(row, 'created_at'),
    seed: number(row, 'seed'),
    task: text(row, 'task'),
    form: json(row, 'form'),
    origin: json(row, 'origin'),
  };
}

/** Each of the following comes with the ids that its row has only the numbers of. */
export const PERSON_SELECT = `SELECT p.*, r.id AS review_id FROM review_people p JOIN reviews r ON r.seq = p.review_seq`;

export function personRecord(row: Row): ReviewPerson {
  return {
    id: text(row, 'id'),
    reviewId: text(row, 'review_id'),
    name: text(row, 'name'),
    role: role(row),
    groups: texts(row, 'groups'),
    generation: number(row, 'generation'),
    tokenHash: text(row, 'token_hash'),
    expiresAt: timeText(row, 'expires_at'),
    revokedAt: maybeTimeText(row, 'revoked_at'),
  };
}

export const ITEM_SELECT = `SELECT i.*, r.id AS review_id FROM review_items i JOIN reviews r ON r.seq = i.review_seq`;

export function itemRecord(row: Row): ReviewItemRecord {
  return {
    id: text(row, 'id'),
    reviewId: text(row, 'review_id'),
    kind: kind(row),
    caseId: text(row, 'case_id'),
    system: maybeText(row, 'system'),
    language: maybeText(row, 'language'),
    content: json(row, 'content'),
    hidden: json(row, 'hidden'),
  };
}

export const ASSIGNMENT_SELECT = `SELECT a.seq, a.position, p.id AS person_id, i.id AS item_id FROM review_people p
  JOIN review_assignments a ON a.person_seq = p.seq JOIN review_items i ON i.seq = a.item_seq`;

export function assignmentRecord(row: Row): ReviewAssignment {
  return { personId: text(row, 'person_id'), itemId: text(row, 'item_id'), position: number(row, 'position') };
}

export const EVENT_SELECT = `SELECT e.*, i.id AS item_id, p.id AS person_id FROM review_events e
  JOIN review_assignments a ON a.seq = e.assignment_seq JOIN review_items i ON i.seq = a.item_seq
  JOIN review_people p ON p.seq = a.person_seq`;

export function eventRecord(row: Row): ReviewEvent {
  return {
    id: text(row, 'id'),
    itemId: text(row, 'item_id'),
    personId: text(row, 'person_id'),
    field: text(row, 'field'),
    part: maybeText(row, 'part'),
    value: cellValue(row),
    origin: origin(row),
    seq: number(row, 'seq'),
    at: timeText(row, 'at'),
  };
}

export const DECISION_SELECT = `SELECT d.*, i.id AS item_id, p.id AS person_id FROM review_decisions d
  JOIN review_items i ON i.seq = d.item_seq JOIN review_people p ON p.seq = d.person_seq`;

export function decisionRecord(row: Row): Decision {
  return {
    id: text(row, 'id'),
    itemId: text(row, 'item_id'),
    field: text(row, 'field'),
    part: maybeText(row, 'part'),
    value: cellValue(row),
    personId: text(row, 'person_id'),
    because: text(row, 'because'),
    seq: number(row, 'seq'),
    at: timeText(row, 'at'),
  };
}

export const JUDGEMENT_SELECT = `SELECT j.*, i.id AS item_id FROM review_judgements j
  JOIN review_items i ON i.seq = j.item_seq`;

export function judgementRecord(row: Row): Judgement {
  return {
    id: text(row, 'id'),
    itemId: text(row, 'item_id'),
    field: text(row, 'field'),
    part: maybeText(row, 'part'),
    value: cellValue(row),
    reason: maybeText(row, 'reason'),
    judge: text(row, 'judge'),
    model: text(row, 'model'),
    promptHash: text(row, 'prompt_hash'),
    seq: number(row, 'seq'),
    at: timeText(row, 'at'),
  };
}

function role(row: Row): ReviewRole {
  const found = text(row, 'role');
  return found === 'reviewer' || found === 'adjudicator' || found === 'owner' ? found : damaged('role');
}

function kind(row: Row): ReviewItemRecord['kind'] {
  const found = text(row, 'kind');
  return found === 'case' || found === 'answer' ? found : damaged('kind');
}

function origin(row: Row): ReviewOrigin {
  const found = text(row, 'origin');
  return found === 'app' || found === 'sheet' || found === 'library' ? found : damaged('origin');
}
