import { number } from './cells.ts';
import type { Database } from './database.ts';
import { nextIn, noItem, refuseOther, type Next } from './review-log.ts';
import type { Judgement, NewJudgement } from './review-records.ts';
import { JUDGEMENT_SELECT, judgementRecord } from './review-rows.ts';
import { isSameCell, valueColumn } from './review-values.ts';

/** What models said, in a table of its own: no question about people's answers reads it. */
export class ReviewJudgements {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add(judgements: readonly NewJudgement[]): void {
    const next = nextIn(this.#database, 'review_judgements');
    let { seq } = next;
    for (const judgement of judgements) if (this.#add(judgement, { seq, at: next.at })) seq += 1;
  }

  of(reviewId: string): Judgement[] {
    const where = 'i.review_seq = (SELECT seq FROM reviews WHERE id = ?)';
    return this.#database.rows(`${JUDGEMENT_SELECT} WHERE ${where} ORDER BY j.seq`, [reviewId]).map(judgementRecord);
  }

  /** Whether it was not there yet. */
  #add(judgement: NewJudgement, { seq, at }: Next): boolean {
    const { id, itemId, field, part, reason, judge, model, promptHash } = judgement;
    const value = valueColumn(judgement);
    const before = this.#database.row(`${JUDGEMENT_SELECT} WHERE j.id = ?`, [id]);
    if (before !== null) {
      refuseOther(isSameJudgement(judgementRecord(before), judgement), 'the judgement', id);
      return false;
    }
    const item = this.#database.row('SELECT seq FROM review_items WHERE id = ?', [itemId]);
    if (item === null) throw noItem(itemId);
    this.#database.run(
      `INSERT INTO review_judgements (seq, id, item_seq, at, judge, model, prompt_hash, field, part, reason, value)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [seq, id, number(item, 'seq'), at, judge, model, promptHash, field, part, reason, value],
    );
    return true;
  }
}

function isSameJudgement(before: Judgement, judgement: NewJudgement): boolean {
  const columns = ['itemId', 'reason', 'judge', 'model', 'promptHash'] as const;
  return columns.every((column) => before[column] === judgement[column]) && isSameCell(before, judgement);
}
