import { randomUUID } from 'node:crypto';

import { shorten, visible } from '../data/visible.ts';
import { jsonCell, number, text } from './cells.ts';
import type { Database } from './database.ts';
import { now } from './iso-time.ts';
import { ReviewDecisions } from './review-decisions.ts';
import { ReviewEvents, type HistoryFilter } from './review-events.ts';
import { ReviewJudgements } from './review-judgements.ts';
import { ReviewPeople, type LinkRenewal, type PersonSave } from './review-people.ts';
import type {
  Decision,
  ItemState,
  Judgement,
  NewDecision,
  NewJudgement,
  NewReviewEvent,
  ReviewAssignment,
  ReviewEvent,
  ReviewItemRecord,
  ReviewPerson,
  ReviewRecord,
  ReviewText,
} from './review-records.ts';
import { readRows } from './where.ts';
import { ITEM_SELECT, itemRecord, reviewRecord } from './review-rows.ts';
import { StoreConflict } from './store-conflict.ts';

export type { HistoryFilter } from './review-events.ts';
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

/** Reviews: frozen when they are made, but for their people. Ids of items and people are told apart across reviews. */
export class Reviews {
  readonly #database: Database;
  readonly #people: ReviewPeople;
  readonly #events: ReviewEvents;
  readonly #decisions: ReviewDecisions;
  readonly #judgements: ReviewJudgements;

  constructor(database: Database) {
    this.#database = database;
    this.#people = new ReviewPeople(database);
    this.#events = new ReviewEvents(database);
    this.#decisions = new ReviewDecisions(database);
    this.#judgements = new ReviewJudgements(database);
  }

  create(init: ReviewInit): ReviewRecord {
    const { id = randomUUID(), name, seed, task, form, origin } = init;
    if (name === '') throw new StoreConflict('a review needs a name');
    if (!Number.isSafeInteger(seed)) throw new StoreConflict(`${seed} is no seed: expected a whole number`);
    return this.#database.transaction(() => {
      if (this.find(name) !== null) throw new StoreConflict(`there is a review named ${visible(name)} already`);
      if (this.#seq(id) !== null) throw new StoreConflict(`there is a review of the id ${visible(id)} already`);
      this.#database.run(
        'INSERT INTO reviews (id, name, created_at, seed, task, origin, form) VALUES (?, ?, ?, ?, ?, ?, ?)',
        [id, name, now(), seed, task, jsonCell(origin), jsonCell(form)],
      );
      const seq = this.#numbered(id);
      for (const item of init.items) this.#addItem(seq, item);
      for (const one of init.texts ?? [])
        this.#database.run('INSERT INTO review_texts (review_seq, name, text) VALUES (?, ?, ?)', [
          seq,
          one.name,
          one.text,
        ]);
      this.#people.add(seq, init.people, init.assignments);
      const made = this.find(name);
      if (made === null) throw new Error('a review that was made is not there');
      return made;
    });
  }

  /** In the order in which they were made. */
  list(): ReviewRecord[] {
    const rows = this.#database.rows('SELECT * FROM reviews ORDER BY seq');
    return readRows(this.#database, 'reviews', rows, reviewRecord);
  }

  find(name: string): ReviewRecord | null {
    const row = this.#database.row('SELECT * FROM reviews WHERE name = ?', [name]);
    return row === null ? null : reviewRecord(row);
  }

  people(reviewId: string): ReviewPerson[] {
    return this.#people.of(reviewId);
  }

  /** New people, and more to do for them or for those who are there. */
  addPeople(reviewId: string, people: readonly PersonSave[], assignments: readonly ReviewAssignment[]): void {
    this.#database.transaction(() => this.#people.add(this.#numbered(reviewId), people, assignments));
  }

  /** Also one whose link has expired or was revoked. */
  personByToken(tokenHash: string): ReviewPerson | null {
    return this.#people.byToken(tokenHash);
  }

  /** Also lets in again who was shut out. */
  renew(personId: string, link: LinkRenewal): void {
    this.#database.transaction(() => this.#people.renew(personId, link));
  }

  revoke(personId: string): void {
    this.#database.transaction(() => this.#people.revoke(personId));
  }

  items(reviewId: string): ReviewItemRecord[] {
    return this.#database.rows(`${ITEM_SELECT} WHERE r.id = ? ORDER BY i.seq`, [reviewId]).map(itemRecord);
  }

  item(reviewId: string, itemId: string): ReviewItemRecord | null {
    const row = this.#database.row(`${ITEM_SELECT} WHERE i.id = ? AND r.id = ?`, [itemId, reviewId]);
    return row === null ? null : itemRecord(row);
  }

  /** In the order in which they were given. */
  texts(reviewId: string): ReviewText[] {
    const sql = 'SELECT t.name, t.text FROM review_texts t JOIN reviews r ON r.seq = t.review_seq WHERE r.id = ?';
    return this.#database
      .rows(`${sql} ORDER BY t.seq`, [reviewId])
      .map((row) => ({ name: text(row, 'name'), text: text(row, 'text') }));
  }

  /** How many texts there are, without reading them. */
  textCount(reviewId: string): number {
    const sql = 'SELECT count(*) AS n FROM review_texts t JOIN reviews r ON r.seq = t.review_seq WHERE r.id = ?';
    return number(this.#database.row(sql, [reviewId]) ?? {}, 'n');
  }

  /** Another name for somebody: what they said, their queue and their link stay. */
  rename(personId: string, name: string): void {
    this.#database.transaction(() => this.#people.rename(personId, name));
  }

  /** Person by person, each in the order of their queue. */
  assignments(reviewId: string): ReviewAssignment[] {
    return this.#people.assignments(reviewId);
  }

  queue(personId: string): ReviewAssignment[] {
    return this.#people.queue(personId);
  }

  /** All of them or none, and as they are kept. One that is there already changes nothing. */
  append(events: readonly NewReviewEvent[]): ReviewEvent[] {
    return this.#database.transaction(() => this.#events.append(events));
  }

  /** Null before the first event. */
  state(itemId: string, personId: string): ItemState | null {
    return this.#events.state(itemId, personId);
  }

  /** Of what has been begun, in the order of `assignments`. */
  states(reviewId: string): ItemState[] {
    return this.#people.of(reviewId).flatMap((person) => this.#events.statesOf(person.id));
  }

  /** Of what has been begun, in the order of the queue. */
  statesOf(personId: string): ItemState[] {
    return this.#events.statesOf(personId);
  }

  /** In the order in which they came. */
  history(reviewId: string, filter: HistoryFilter = {}): ReviewEvent[] {
    return this.#events.history(reviewId, filter);
  }

  /** One that is there already changes nothing. */
  decide(decision: NewDecision): Decision {
    return this.#database.transaction(() => this.#decisions.add(decision));
  }

  /** Those that hold, in the order in which they were made. */
  decisions(reviewId: string): Decision[] {
    return this.#decisions.holding(reviewId);
  }

  /** In the order in which they were made, also those that opened a conflict again. */
  decisionHistory(reviewId: string, itemId?: string): Decision[] {
    return this.#decisions.history(reviewId, itemId);
  }

  /** All of them or none. One that is there already changes nothing. */
  addJudgements(judgements: readonly NewJudgement[]): void {
    this.#database.transaction(() => this.#judgements.add(judgements));
  }

  /** All that were ever made, in their order: of every model and prompt. */
  judgements(reviewId: string): Judgement[] {
    return this.#judgements.of(reviewId);
  }

  #addItem(reviewSeq: number, item: Omit<ReviewItemRecord, 'reviewId'>): void {
    const { id, kind, caseId, system, language, content, hidden } = item;
    const added = this.#database.run(
      `INSERT INTO review_items (id, review_seq, kind, case_id, system, language, hidden, content)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      [id, reviewSeq, kind, caseId, system, language, jsonCell(hidden), jsonCell(content)],
    );
    if (added === 0) throw new StoreConflict(`there is an item of the id ${visible(shorten(id))} already`);
  }

  #seq(id: string): number | null {
    const row = this.#database.row('SELECT seq FROM reviews WHERE id = ?', [id]);
    return row === null ? null : number(row, 'seq');
  }

  #numbered(id: string): number {
    const seq = this.#seq(id);
    if (seq === null) throw new StoreConflict(`there is no review of the id ${visible(shorten(id))}`);
    return seq;
  }
}
