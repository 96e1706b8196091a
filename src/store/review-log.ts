import { shorten, visible } from '../data/visible.ts';
import { latest, now, number, text, type Value } from './cells.ts';
import { noItem, noPerson, ReviewPeople } from './review-people.ts';
import {
  COMMIT_FIELD,
  type Decision,
  DECISION_SELECT,
  DECISIONS,
  EVENT_SELECT,
  HELD_EVENTS,
  type HeldEvent,
  isSameCell,
  type ItemState,
  type Judgement,
  JUDGEMENT_SELECT,
  JUDGEMENTS,
  type NewDecision,
  type NewJudgement,
  type NewReviewEvent,
  REVIEW_EVENTS,
  type ReviewCell,
  type ReviewEvent,
  valueColumn,
} from './review-records.ts';
import { StoreConflict } from './store-conflict.ts';
import type { Changes, StoreTable } from './table.ts';
import { Where } from './store-part.ts';

export type HistoryFilter = Changes<Pick<ReviewEvent, 'itemId' | 'personId' | 'field'>>;

/** A table that only grows. */
interface Log<R> {
  readonly name: 'review_events' | 'review_decisions' | 'review_judgements';
  /** What messages call one of it. */
  readonly what: string;
  readonly select: string;
  readonly rows: StoreTable<R>;
  /** What has to be the same, beside the answer, in one that is sent again. */
  readonly same: readonly (keyof R)[];
}

const EVENTS: Log<ReviewEvent> = {
  name: 'review_events',
  what: 'the event',
  select: `${EVENT_SELECT} WHERE e.id = ?`,
  rows: REVIEW_EVENTS,
  same: ['itemId', 'personId'],
};
const SETTLED: Log<Decision> = {
  name: 'review_decisions',
  what: 'the decision',
  select: `${DECISION_SELECT} WHERE d.id = ?`,
  rows: DECISIONS,
  same: ['itemId', 'personId', 'because'],
};
const JUDGED: Log<Judgement> = {
  name: 'review_judgements',
  what: 'the judgement',
  select: `${JUDGEMENT_SELECT} WHERE j.id = ?`,
  rows: JUDGEMENTS,
  same: ['itemId', 'reason', 'judge', 'model', 'promptHash'],
};

/**
 * What reviewers answered, what adjudicators settled, with who and why, and what models said, in a separate table that
 * no question about people's answers reads: all of it only added, and what it comes to.
 */
export class ReviewLog extends ReviewPeople {
  /** All of them or none, and as they are kept. One that is there already changes nothing. */
  append(events: readonly NewReviewEvent[]): ReviewEvent[] {
    return this.#add(EVENTS, events, (event) => {
      const assignment = this.#assignment(event.itemId, event.personId);
      if (assignment === null) throw this.#notAssigned(event);
      return { assignment_seq: assignment, origin: event.origin };
    });
  }

  /** Null before the first event. */
  state(itemId: string, personId: string): ItemState | null {
    const assignment = this.#assignment(itemId, personId);
    if (assignment === null) return null;
    const rows = this.database.rows(holding('e.assignment_seq = ?'), [assignment]);
    return rows.length === 0 ? null : stateOf(itemId, personId, rows.map(HELD_EVENTS.record));
  }

  /** Of what has been begun, in the order of `assignments`. */
  states(reviewId: string): ItemState[] {
    return this.people(reviewId).flatMap((person) => this.statesOf(person.id));
  }

  /** Of what has been begun, in the order of the queue. */
  statesOf(personId: string): ItemState[] {
    const where = `e.assignment_seq IN (SELECT a.seq FROM review_assignments a
      JOIN review_people p ON p.seq = a.person_seq WHERE p.id = ?)`;
    const rows = this.database.rows(holding(where), [personId]);
    const held = Map.groupBy(rows, (row) => number(row, 'assignment_seq'));
    // Asked for afterwards: an assignment never goes, so each event's is there.
    const queue = this.database.rows(
      `SELECT a.seq, i.id FROM review_people p JOIN review_assignments a ON a.person_seq = p.seq
        JOIN review_items i ON i.seq = a.item_seq WHERE p.id = ? ORDER BY a.position`,
      [personId],
    );
    return queue.flatMap((row) => {
      const list = held.get(number(row, 'seq'));
      return list === undefined ? [] : [stateOf(text(row, 'id'), personId, list.map(HELD_EVENTS.record))];
    });
  }

  /** In the order in which they came. */
  history(reviewId: string, { itemId, personId, field }: HistoryFilter = {}): ReviewEvent[] {
    const where = new Where()
      .add('p.review_seq = (SELECT seq FROM reviews WHERE id = ?)', reviewId)
      .equal('i.id', itemId)
      .equal('p.id', personId)
      .equal('e.field', field);
    return this.all(REVIEW_EVENTS, `${EVENT_SELECT} ${where.sql} ORDER BY e.seq`, where.values);
  }

  /** One that is there already changes nothing. */
  decide(decision: NewDecision): Decision {
    const [added] = this.#add(SETTLED, [decision], ({ itemId, personId, because }) => {
      const found = this.database.row(
        `SELECT i.seq AS item_seq, p.seq AS person_seq FROM review_people p
          JOIN review_items i ON i.review_seq = p.review_seq WHERE p.id = ? AND i.id = ?`,
        [personId, itemId],
      );
      if (found === null) throw this.#seqIn('review_people', personId) === null ? noPerson(personId) : noItem(itemId);
      return { item_seq: number(found, 'item_seq'), person_seq: number(found, 'person_seq'), because };
    });
    return added!;
  }

  /** Those that hold, in the order in which they were made; a conflict that was opened again has none. */
  decisions(reviewId: string): Decision[] {
    const last = `SELECT max(d.seq) FROM review_items i JOIN review_decisions d ON d.item_seq = i.seq
      WHERE i.review_seq = (SELECT seq FROM reviews WHERE id = ?) GROUP BY d.item_seq, d.field, d.part`;
    const sql = `${DECISION_SELECT} WHERE d.seq IN (${last}) AND d.value IS NOT NULL ORDER BY d.seq`;
    return this.all(DECISIONS, sql, [reviewId]);
  }

  /** In the order in which they were made, also those that opened a conflict again. */
  decisionHistory(reviewId: string, itemId?: string): Decision[] {
    const where = new Where()
      .add('i.review_seq = (SELECT seq FROM reviews WHERE id = ?)', reviewId)
      .equal('i.id', itemId);
    return this.all(DECISIONS, `${DECISION_SELECT} ${where.sql} ORDER BY d.seq`, where.values);
  }

  /** All of them or none. One that is there already changes nothing. */
  addJudgements(judgements: readonly NewJudgement[]): void {
    this.#add(JUDGED, judgements, ({ itemId, reason, judge, model, promptHash }) => {
      const item = this.#seqIn('review_items', itemId);
      if (item === null) throw noItem(itemId);
      return { item_seq: item, reason, judge, model, prompt_hash: promptHash };
    });
  }

  /** All that were ever made, in their order: of every model and prompt. */
  judgements(reviewId: string): Judgement[] {
    const where = 'i.review_seq = (SELECT seq FROM reviews WHERE id = ?)';
    return this.all(JUDGEMENTS, `${JUDGEMENT_SELECT} WHERE ${where} ORDER BY j.seq`, [reviewId]);
  }

  /** The same thing sent twice is there once; another one of the same id would be lost. */
  #add<R extends ReviewCell, N extends ReviewCell & Partial<R> & { readonly id: string }>(
    { name, what, select, rows, same }: Log<R>,
    given: readonly N[],
    cellsOf: (one: N) => Readonly<Record<string, Value>>,
  ): R[] {
    return this.database.transaction(() => {
      const last = this.database.row(`SELECT seq, at FROM ${name} ORDER BY seq DESC LIMIT 1`);
      let seq = last === null ? 0 : number(last, 'seq');
      // Never before what was added earlier, whatever the clock shows.
      const at = last === null ? now() : latest(now(), text(last, 'at'));
      const kept = (id: string): R | null => this.one(rows, select, [id]);
      return given.map((one) => {
        const { id, field, part } = one;
        const value = valueColumn(one);
        const before = kept(id);
        if (before !== null) {
          if (!same.every((column) => Object.is(before[column], one[column])) || !isSameCell(before, one))
            throw new StoreConflict(`${what} ${visible(shorten(id))} is there already, with other content`);
          return before;
        }
        seq += 1;
        this.database.insert(name, { seq, id, at, field, part, value, ...cellsOf(one) });
        return kept(id)!;
      });
    });
  }

  #seqIn(table: 'review_people' | 'review_items', id: string): number | null {
    const row = this.database.row(`SELECT seq FROM ${table} WHERE id = ?`, [id]);
    return row === null ? null : number(row, 'seq');
  }

  #assignment(itemId: string, personId: string): number | null {
    const row = this.database.row(
      `SELECT a.seq FROM review_assignments a WHERE a.person_seq = (SELECT seq FROM review_people WHERE id = ?)
        AND a.item_seq = (SELECT seq FROM review_items WHERE id = ?)`,
      [personId, itemId],
    );
    return row === null ? null : number(row, 'seq');
  }

  #notAssigned({ itemId, personId }: NewReviewEvent): StoreConflict {
    const person = this.database.row('SELECT review_seq FROM review_people WHERE id = ?', [personId]);
    if (person === null) return noPerson(personId);
    const item = this.database.row('SELECT review_seq FROM review_items WHERE id = ?', [itemId]);
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

function stateOf(itemId: string, personId: string, held: readonly HeldEvent[]): ItemState {
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
