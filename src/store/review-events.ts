import { shorten, visible } from '../data/visible.ts';
import { maybeText, number, text, type Row } from './cells.ts';
import type { Database } from './database.ts';
import { nextIn, noItem, noPerson, refuseOther, type Next } from './review-log.ts';
import {
  COMMIT_FIELD,
  type ItemState,
  type NewReviewEvent,
  type ReviewCell,
  type ReviewEvent,
} from './review-records.ts';
import { EVENT_SELECT, eventRecord } from './review-rows.ts';
import { cellValue, isSameCell, valueColumn } from './review-values.ts';
import { StoreConflict } from './store-conflict.ts';
import { Where } from './where.ts';

export interface HistoryFilter {
  readonly itemId?: string | undefined;
  readonly personId?: string | undefined;
  readonly field?: string | undefined;
}

/** An event that holds; `first` is the number of the first one for its question. */
interface Holding extends ReviewCell {
  readonly first: number;
  readonly seq: number;
  readonly at: string;
}

/** What reviewers answered: events that are only added, and what they come to. */
export class ReviewEvents {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  append(events: readonly NewReviewEvent[]): ReviewEvent[] {
    const next = nextIn(this.#database, 'review_events');
    let { seq } = next;
    return events.map((event) => {
      const value = valueColumn(event);
      const before = this.#database.row(`${EVENT_SELECT} WHERE e.id = ?`, [event.id]);
      if (before !== null) return sameEvent(eventRecord(before), event);
      const added = this.#add(event, value, { seq, at: next.at });
      seq += 1;
      return added;
    });
  }

  state(itemId: string, personId: string): ItemState | null {
    const assignment = this.#assignment(itemId, personId);
    if (assignment === null) return null;
    const rows = this.#database.rows(holding('e.assignment_seq = ?'), [assignment]);
    return rows.length === 0 ? null : stateOf(itemId, personId, rows.map(holdingOf));
  }

  /** In the order of the queue; of what has been begun. */
  statesOf(personId: string): ItemState[] {
    const held = new Map<number, Holding[]>();
    const where = `e.assignment_seq IN (SELECT a.seq FROM review_assignments a
      JOIN review_people p ON p.seq = a.person_seq WHERE p.id = ?)`;
    for (const row of this.#database.rows(holding(where), [personId])) {
      const assignment = number(row, 'assignment_seq');
      const list = held.get(assignment);
      if (list === undefined) held.set(assignment, [holdingOf(row)]);
      else list.push(holdingOf(row));
    }
    // Asked for afterwards: an assignment never goes, so each event's is there.
    const queue = this.#database.rows(
      `SELECT a.seq, i.id FROM review_people p JOIN review_assignments a ON a.person_seq = p.seq
        JOIN review_items i ON i.seq = a.item_seq WHERE p.id = ? ORDER BY a.position`,
      [personId],
    );
    return queue.flatMap((row) => {
      const list = held.get(number(row, 'seq'));
      return list === undefined ? [] : [stateOf(text(row, 'id'), personId, list)];
    });
  }

  history(reviewId: string, { itemId, personId, field }: HistoryFilter): ReviewEvent[] {
    const where = new Where()
      .add('p.review_seq = (SELECT seq FROM reviews WHERE id = ?)', reviewId)
      .equal('i.id', itemId)
      .equal('p.id', personId)
      .equal('e.field', field);
    return this.#database.rows(`${EVENT_SELECT} ${where.sql} ORDER BY e.seq`, where.values).map(eventRecord);
  }

  #add(event: NewReviewEvent, value: string | null, { seq, at }: Next): ReviewEvent {
    const assignment = this.#assignment(event.itemId, event.personId);
    if (assignment === null) throw this.#notAssigned(event);
    const { id, itemId, personId, field, part, origin } = event;
    this.#database.run(
      `INSERT INTO review_events (seq, id, assignment_seq, at, origin, field, part, value)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      [seq, id, assignment, at, origin, field, part, value],
    );
    return { id, itemId, personId, field, part, value: cellValue({ value }), origin, seq, at };
  }

  #assignment(itemId: string, personId: string): number | null {
    const row = this.#database.row(
      `SELECT a.seq FROM review_assignments a WHERE a.person_seq = (SELECT seq FROM review_people WHERE id = ?)
        AND a.item_seq = (SELECT seq FROM review_items WHERE id = ?)`,
      [personId, itemId],
    );
    return row === null ? null : number(row, 'seq');
  }

  #notAssigned({ itemId, personId }: NewReviewEvent): StoreConflict {
    const person = this.#database.row('SELECT review_seq FROM review_people WHERE id = ?', [personId]);
    if (person === null) return noPerson(personId);
    const item = this.#database.row('SELECT review_seq FROM review_items WHERE id = ?', [itemId]);
    if (item === null || number(item, 'review_seq') !== number(person, 'review_seq')) return noItem(itemId);
    return new StoreConflict(`the item ${visible(shorten(itemId))} is not in this person’s queue`);
  }
}

/** The last event for each question: found in the index alone, and only then read. */
function holding(where: string): string {
  return `SELECT e.assignment_seq, e.seq, e.at, e.field, e.part, e.value, held.first
    FROM (SELECT max(e.seq) AS last, min(e.seq) AS first FROM review_events e WHERE ${where}
      GROUP BY e.assignment_seq, e.field, e.part) held
    CROSS JOIN review_events e ON e.seq = held.last`;
}

function holdingOf(row: Row): Holding {
  return {
    field: text(row, 'field'),
    part: maybeText(row, 'part'),
    value: cellValue(row),
    first: number(row, 'first'),
    seq: number(row, 'seq'),
    at: text(row, 'at'),
  };
}

function stateOf(itemId: string, personId: string, held: readonly Holding[]): ItemState {
  const cells: ReviewCell[] = [];
  let committed = false;
  let [version, updatedAt] = [0, ''];
  for (const { field, part, value, seq, at } of held.toSorted((one, other) => one.first - other.first)) {
    if (field === COMMIT_FIELD) committed = value === true;
    else if (value !== null) cells.push({ field, part, value });
    if (seq > version) [version, updatedAt] = [seq, at];
  }
  return { itemId, personId, cells, committed, version, updatedAt };
}

function sameEvent(before: ReviewEvent, event: NewReviewEvent): ReviewEvent {
  const isSame = before.itemId === event.itemId && before.personId === event.personId && isSameCell(before, event);
  refuseOther(isSame, 'the event', event.id);
  return before;
}
