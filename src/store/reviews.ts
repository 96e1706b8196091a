import { randomUUID } from 'node:crypto';

import { shorten, visible } from '../data/visible.ts';
import { damagedCell, jsonCell, now, number } from './cells.ts';
import { ReviewLog } from './review-log.ts';
import type { PersonSave } from './review-people.ts';
import {
  ITEM_SELECT,
  REVIEW_ITEMS,
  REVIEW_TEXTS,
  type ReviewAssignment,
  type ReviewItemRecord,
  type ReviewRecord,
  REVIEWS,
  type ReviewText,
} from './review-records.ts';
import { StoreConflict } from './store-conflict.ts';

export type { HistoryFilter } from './review-log.ts';
export type { LinkRenewal, PersonSave } from './review-people.ts';

export interface ReviewInit {
  /** For those who need it beforehand, as tokens do; made where it is not given. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly seed: number;
  readonly task: string;
  readonly form: unknown;
  readonly origin: unknown;
  readonly items: readonly Omit<ReviewItemRecord, 'reviewId'>[];
  readonly people: readonly PersonSave[];
  readonly assignments: readonly ReviewAssignment[];
  /** None unless given. */
  readonly texts?: readonly ReviewText[];
}

/** Reviews: frozen when they are made, but for their people, and for items of reviews that grow. Ids of items and people are unique across reviews. */
export class Reviews extends ReviewLog {
  create(init: ReviewInit): ReviewRecord {
    const { id = randomUUID(), name, seed, task, form, origin } = init;
    if (name === '') throw new StoreConflict('a review needs a name');
    if (!Number.isSafeInteger(seed)) throw new StoreConflict(`${seed} is no seed: expected a whole number`);
    return this.database.transaction(() => {
      if (this.find(name) !== null) throw new StoreConflict(`there is a review named ${visible(name)} already`);
      if (this.seqOf(id) !== null) throw new StoreConflict(`there is a review of the id ${visible(id)} already`);
      const cells = { id, name, created_at: now(), seed, task, origin: jsonCell(origin), form: jsonCell(form) };
      this.database.insert('reviews', cells);
      const seq = this.seqOf(id)!;
      for (const item of init.items) this.#addItem(seq, item);
      for (const one of init.texts ?? [])
        this.database.insert('review_texts', { review_seq: seq, name: one.name, text: one.text });
      this.addPeople(id, init.people, init.assignments);
      return this.find(name) ?? damagedCell('name');
    });
  }

  addItem(reviewId: string, item: Omit<ReviewItemRecord, 'reviewId'>): void {
    const review = this.seqOf(reviewId);
    if (review === null) throw new StoreConflict(`there is no review of the id ${visible(shorten(reviewId))}`);
    this.#addItem(review, item);
  }

  /** In the order in which they were made. */
  list(): ReviewRecord[] {
    return this.readable(REVIEWS, 'reviews', 'SELECT * FROM reviews ORDER BY seq');
  }

  find(name: string): ReviewRecord | null {
    return this.one(REVIEWS, 'SELECT * FROM reviews WHERE name = ?', [name]);
  }

  items(reviewId: string): ReviewItemRecord[] {
    return this.all(REVIEW_ITEMS, `${ITEM_SELECT} WHERE r.id = ? ORDER BY i.seq`, [reviewId]);
  }

  item(reviewId: string, itemId: string): ReviewItemRecord | null {
    return this.one(REVIEW_ITEMS, `${ITEM_SELECT} WHERE i.id = ? AND r.id = ?`, [itemId, reviewId]);
  }

  /** In the order in which they were given. */
  texts(reviewId: string): ReviewText[] {
    const sql = 'SELECT t.name, t.text FROM review_texts t JOIN reviews r ON r.seq = t.review_seq WHERE r.id = ?';
    return this.all(REVIEW_TEXTS, `${sql} ORDER BY t.seq`, [reviewId]);
  }

  /** How many texts there are, without reading them. */
  textCount(reviewId: string): number {
    const sql = 'SELECT count(*) AS n FROM review_texts t JOIN reviews r ON r.seq = t.review_seq WHERE r.id = ?';
    return number(this.database.row(sql, [reviewId]) ?? {}, 'n');
  }

  #addItem(reviewSeq: number, item: Omit<ReviewItemRecord, 'reviewId'>): void {
    const { id, kind, caseId: case_id, system, language } = item;
    const cells = { id, review_seq: reviewSeq, kind, case_id, system, language };
    const long = { hidden: jsonCell(item.hidden), content: jsonCell(item.content) };
    if (this.database.insert('review_items', { ...cells, ...long }, 'ON CONFLICT DO NOTHING') === 0)
      throw new StoreConflict(`there is an item of the id ${visible(shorten(id))} already`);
  }
}
