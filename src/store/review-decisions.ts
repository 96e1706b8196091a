import { number } from './cells.ts';
import type { Database } from './database.ts';
import { nextIn, noItem, noPerson, refuseOther } from './review-log.ts';
import type { Decision, NewDecision } from './review-records.ts';
import { DECISION_SELECT, decisionRecord } from './review-rows.ts';
import { cellValue, isSameCell, valueColumn } from './review-values.ts';
import type { StoreConflict } from './store-conflict.ts';
import { Where } from './where.ts';

/** What adjudicators settled: only added, with who and why; the last one for a question holds. */
export class ReviewDecisions {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add(decision: NewDecision): Decision {
    const value = valueColumn(decision);
    const row = this.#database.row(`${DECISION_SELECT} WHERE d.id = ?`, [decision.id]);
    if (row !== null) return sameDecision(decisionRecord(row), decision);
    const { id, itemId, field, part, personId, because } = decision;
    const found = this.#database.row(
      `SELECT i.seq AS item_seq, p.seq AS person_seq FROM review_people p
        JOIN review_items i ON i.review_seq = p.review_seq WHERE p.id = ? AND i.id = ?`,
      [personId, itemId],
    );
    if (found === null) throw this.#missing(decision);
    const { seq, at } = nextIn(this.#database, 'review_decisions');
    this.#database.run(
      `INSERT INTO review_decisions (seq, id, item_seq, person_seq, at, field, part, because, value)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [seq, id, number(found, 'item_seq'), number(found, 'person_seq'), at, field, part, because, value],
    );
    return { id, itemId, field, part, value: cellValue({ value }), personId, because, seq, at };
  }

  /** In the order in which they were made; a conflict that was opened again has none. */
  holding(reviewId: string): Decision[] {
    const last = `SELECT max(d.seq) FROM review_items i JOIN review_decisions d ON d.item_seq = i.seq
      WHERE i.review_seq = (SELECT seq FROM reviews WHERE id = ?) GROUP BY d.item_seq, d.field, d.part`;
    return this.#database
      .rows(`${DECISION_SELECT} WHERE d.seq IN (${last}) AND d.value IS NOT NULL ORDER BY d.seq`, [reviewId])
      .map(decisionRecord);
  }

  history(reviewId: string, itemId: string | undefined): Decision[] {
    const where = new Where()
      .add('i.review_seq = (SELECT seq FROM reviews WHERE id = ?)', reviewId)
      .equal('i.id', itemId);
    return this.#database.rows(`${DECISION_SELECT} ${where.sql} ORDER BY d.seq`, where.values).map(decisionRecord);
  }

  #missing({ itemId, personId }: NewDecision): StoreConflict {
    const person = this.#database.row('SELECT seq FROM review_people WHERE id = ?', [personId]);
    return person === null ? noPerson(personId) : noItem(itemId);
  }
}

function sameDecision(before: Decision, decision: NewDecision): Decision {
  const isSame =
    before.itemId === decision.itemId &&
    before.personId === decision.personId &&
    before.because === decision.because &&
    isSameCell(before, decision);
  refuseOther(isSame, 'the decision', decision.id);
  return before;
}
