import { hash } from 'node:crypto';

import { sortedJson } from '../../data/sorted-json.ts';
import {
  type CellValue,
  COMMIT_FIELD,
  type ItemAnswer,
  type NewReviewEvent,
  type ReviewEvent,
} from '../../store/review-records.ts';
import { isAnswerList } from '../questions.ts';
import { isSameText, comparableText } from './spreadsheet-cells.ts';

const CHARACTERS = 7;
const VERSION = /(?:^|\s)v(\d{1,15})(?=\s|$)/i;

/**
 * Marks for the answers that stood in a row when the sheet was written, and the version of the item then. A cell that
 * is still the same was left alone, and must not undo what the person has changed in the app since.
 */
export function marksFor(version: number, answers: Iterable<readonly [column: string, value: CellValue]>): string {
  const marks = [...answers].flatMap(([column, value]) => (value === null ? [] : [markOf(column, value)]));
  return [...marks, `v${version}`].join(' ');
}

function isAsWritten(marks: string, column: string, value: CellValue): boolean {
  return value !== null && marks.split(/\s+/).includes(markOf(column, value));
}

/** The version of the item when the row was written; null if nobody can tell. */
export function versionIn(marks: string): number | null {
  const found = VERSION.exec(marks);
  return found === null ? null : Number(found[1]);
}

/** A letter first, that no spreadsheet takes it for a number. */
function markOf(column: string, value: CellValue): string {
  const plain = typeof value === 'string' ? comparableText(value) : value;
  return `m${hash('sha256', JSON.stringify([column, plain])).slice(0, CHARACTERS)}`;
}

/** All events of a person on an item, in their order: `store.reviews.history(reviewId, { itemId, personId })`. */
export type HistoryOf = (itemId: string, personId: string) => readonly ReviewEvent[];

/**
 * What a person has answered about an item so far. A file may be imported again long after the person has changed their mind in
 * the app: an answer that was given already, and changed since, must not come back by it.
 */
export class PastAnswers {
  readonly #events: readonly ReviewEvent[];
  readonly #isKnown: boolean;

  constructor(events: readonly ReviewEvent[] | null) {
    this.#events = events ?? [];
    this.#isKnown = events !== null;
  }

  /**
   * The answers that a question has had since the sheet was written, the one that held then first. With null, if
   * nobody knows when that was: all that were ever given.
   */
  values(field: string, part: string | null, since: number | null): CellValue[] {
    const own = this.#events.filter((event) => event.field === field && event.part === part);
    if (since === null) return own.map(({ value }) => value);
    const before = own.findLast(({ seq }) => seq <= since);
    return [before?.value ?? null, ...own.filter(({ seq }) => seq > since).map(({ value }) => value)];
  }

  had(field: string, part: string | null, value: CellValue, since: number | null): boolean {
    return this.values(field, part, since).some((one) => isSameAnswer(one, value));
  }

  /** How often an answer was given, or else the version of the item, which rises too: the next time is another event. */
  times(field: string, part: string | null, value: CellValue, version: number): number {
    if (!this.#isKnown) return version;
    return this.values(field, part, null).filter((one) => isSameAnswer(one, value)).length;
  }

  /** Whether the person has opened the item again after it was done, since then or at all. */
  wasReopened(since: number): boolean {
    return this.#events.some(({ field, value, seq }) => field === COMMIT_FIELD && value === false && seq > since);
  }
}

/** Of texts, what a spreadsheet changes by saving does not count. */
export function isSameAnswer(one: CellValue, other: CellValue): boolean {
  if (typeof one === 'string' && typeof other === 'string') return isSameText(one, other);
  return sortedJson(one) === sortedJson(other);
}

export interface CellSettling {
  readonly column: string;
  /** Of the row: what was in it when the sheet was written. */
  readonly marks: string;
  readonly same: readonly CellValue[];
  readonly had: (value: CellValue) => boolean;
}

/** `kept`: the answer was given before and changed since, so that the one that holds is kept. */
export type Standing = 'as-before' | 'kept' | 'new';

export function standingOf({ column, marks, same, had }: CellSettling, value: CellValue): Standing {
  if (same.some((one) => isSameAnswer(one, value)) || isAsWritten(marks, column, value)) return 'as-before';
  return had(value) ? 'kept' : 'new';
}

/**
 * The same answer from a sheet is the same event: two imports at once make one. `times` is how often it was given before,
 * because an answer may change to and fro, and the way back is another event.
 */
export function sheetEventId(event: Omit<NewReviewEvent, 'id'>, times: number): string {
  const { itemId, personId, field, part, value } = event;
  return `sheet-${hash('sha256', sortedJson([itemId, personId, field, part, value, times])).slice(0, 32)}`;
}

export type ClaimPart = 'text' | 'label' | 'note';
type Claims = readonly ItemAnswer[];

/** How the claims of an item have been since a sheet was written: what a row gives may have been given and changed since. */
export class ClaimPast {
  readonly #past: PastAnswers;
  readonly #field: string;
  readonly #proposed: Claims;

  constructor(past: PastAnswers, field: string, proposed: Claims) {
    this.#past = past;
    this.#field = field;
    this.#proposed = proposed;
  }

  /** The state when the sheet was written first, which was the proposed one if nobody knows. */
  #states(since: number | null): Claims[] {
    const values = this.#past.values(this.#field, null, since);
    const states = values.map((value) => (isAnswerList(value) ? value : this.#proposed));
    return since === null ? [this.#proposed, ...states] : states;
  }

  had(id: string, part: ClaimPart, value: CellValue, since: number | null): boolean {
    const states = this.#states(since);
    // That it had none to begin with is no answer, unless the sheet was written then.
    const own = since === null && value === null ? states.slice(1) : states;
    return claimsIn(own, id).some((claim) => isSameAnswer(claim[part] ?? null, value));
  }

  /** The words of a claim that the sheet was written with. */
  firstWords(id: string, since: number | null): string[] {
    return claimsIn(this.#states(since).slice(0, 1), id).map(({ text }) => text);
  }

  wasThere(id: string, since: number | null): boolean {
    return claimsIn(this.#states(since), id).length > 0;
  }

  wasTakenOut(id: string, since: number | null): boolean {
    const isThere = this.#states(since).map((claims) => claims.some((claim) => claim.id === id));
    return isThere.includes(false, isThere.indexOf(true) + 1) && isThere.includes(true);
  }
}

function claimsIn(states: readonly Claims[], id: string): ItemAnswer[] {
  return states.flatMap((claims) => claims.find((claim) => claim.id === id) ?? []);
}
