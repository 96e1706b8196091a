import { shorten, visible } from '../data/visible.ts';
import { number, text, type Row } from './cells.ts';
import type { Database } from './database.ts';
import { isoTime, now } from './iso-time.ts';
import { noItem, noPerson } from './review-log.ts';
import type { ReviewAssignment, ReviewPerson } from './review-records.ts';
import { ASSIGNMENT_SELECT, assignmentRecord, PERSON_SELECT, personRecord } from './review-rows.ts';
import { StoreConflict } from './store-conflict.ts';

export type PersonSave = Omit<ReviewPerson, 'reviewId'>;

export interface LinkRenewal {
  readonly tokenHash: string;
  readonly generation: number;
  readonly expiresAt: string;
}

/** Who takes part in reviews, and what each of them is asked to look at. */
export class ReviewPeople {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  of(reviewId: string): ReviewPerson[] {
    return this.#database.rows(`${PERSON_SELECT} WHERE r.id = ? ORDER BY p.seq`, [reviewId]).map(personRecord);
  }

  byToken(tokenHash: string): ReviewPerson | null {
    const row = this.#database.row(`${PERSON_SELECT} WHERE p.token_hash = ?`, [tokenHash]);
    return row === null ? null : personRecord(row);
  }

  add(reviewSeq: number, people: readonly PersonSave[], assignments: readonly ReviewAssignment[]): void {
    for (const person of people) this.#addPerson(reviewSeq, person);
    this.#assign(reviewSeq, assignments);
  }

  renew(personId: string, { tokenHash, generation, expiresAt }: LinkRenewal): void {
    const person = this.#person(personId);
    const before = number(person, 'generation');
    if (!Number.isSafeInteger(generation) || generation < before)
      throw new StoreConflict(`a link of generation ${generation} is no successor of generation ${before}`);
    this.#refuseToken(personId, tokenHash);
    this.#database.run(
      'UPDATE review_people SET token_hash = ?, generation = ?, expires_at = ?, revoked_at = NULL WHERE id = ?',
      [tokenHash, generation, isoTime(expiresAt), personId],
    );
  }

  revoke(personId: string): void {
    this.#person(personId);
    this.#database.run('UPDATE review_people SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', [
      now(),
      personId,
    ]);
  }

  rename(personId: string, name: string): void {
    const person = this.#person(personId);
    const namesake = 'SELECT 1 FROM review_people WHERE review_seq = ? AND role = ? AND name = ? AND id != ?';
    const given = [number(person, 'review_seq'), text(person, 'role'), name, personId];
    if (this.#database.row(namesake, given) !== null)
      throw new StoreConflict(`there is a person named ${visible(shorten(name))} in this review already`);
    this.#database.run('UPDATE review_people SET name = ? WHERE id = ?', [name, personId]);
  }

  assignments(reviewId: string): ReviewAssignment[] {
    const where = 'p.review_seq = (SELECT seq FROM reviews WHERE id = ?)';
    const sql = `${ASSIGNMENT_SELECT} WHERE ${where} ORDER BY p.seq, a.position`;
    return this.#database.rows(sql, [reviewId]).map(assignmentRecord);
  }

  queue(personId: string): ReviewAssignment[] {
    const sql = `${ASSIGNMENT_SELECT} WHERE p.id = ? ORDER BY a.position`;
    return this.#database.rows(sql, [personId]).map(assignmentRecord);
  }

  #person(id: string): Row {
    const row = this.#database.row('SELECT * FROM review_people WHERE id = ?', [id]);
    if (row === null) throw noPerson(id);
    return row;
  }

  #addPerson(reviewSeq: number, person: PersonSave): void {
    const { id, name, role, groups, generation, tokenHash, expiresAt, revokedAt } = person;
    if (this.#database.row('SELECT 1 FROM review_people WHERE id = ?', [id]) !== null)
      throw new StoreConflict(`there is a person of the id ${visible(shorten(id))} already`);
    const namesake = 'SELECT 1 FROM review_people WHERE review_seq = ? AND role = ? AND name = ?';
    if (this.#database.row(namesake, [reviewSeq, role, name]) !== null)
      throw new StoreConflict(`there is a person named ${visible(shorten(name))} (${role}) in this review already`);
    if (!Number.isSafeInteger(generation)) throw new StoreConflict(`${generation} is no generation of a link`);
    this.#refuseToken(id, tokenHash);
    this.#database.run(
      `INSERT INTO review_people (id, review_seq, name, role, generation, token_hash, expires_at, revoked_at, groups)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        id,
        reviewSeq,
        name,
        role,
        generation,
        tokenHash,
        isoTime(expiresAt),
        revokedAt === null ? null : isoTime(revokedAt),
        JSON.stringify(groups),
      ],
    );
  }

  /** Two people with one token would see each other's answers. */
  #refuseToken(personId: string, tokenHash: string): void {
    const holder = this.#database.row('SELECT id FROM review_people WHERE token_hash = ?', [tokenHash]);
    if (holder !== null && text(holder, 'id') !== personId)
      throw new StoreConflict(`the token of ${visible(shorten(personId))} is another person’s already`);
  }

  #assign(reviewSeq: number, assignments: readonly ReviewAssignment[]): void {
    const people = this.#numbers('review_people', reviewSeq);
    const items = this.#numbers('review_items', reviewSeq);
    for (const { personId, itemId, position } of assignments) {
      const [person, item] = [people.get(personId), items.get(itemId)];
      if (person === undefined) throw noPerson(personId);
      if (item === undefined) throw noItem(itemId);
      if (!Number.isSafeInteger(position) || position < 0)
        throw new StoreConflict(`${position} is no place in a queue: the first is 0`);
      const added = this.#database.run(
        'INSERT INTO review_assignments (person_seq, item_seq, position) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
        [person, item, position],
      );
      if (added === 0)
        throw new StoreConflict(
          `the item ${visible(shorten(itemId))} is in this person’s queue already, or another is at place ${position}`,
        );
    }
  }

  /** By id: the numbers by which rows of a review refer to each other. */
  #numbers(table: 'review_people' | 'review_items', reviewSeq: number): ReadonlyMap<string, number> {
    const rows = this.#database.rows(`SELECT id, seq FROM ${table} WHERE review_seq = ?`, [reviewSeq]);
    return new Map(rows.map((row) => [text(row, 'id'), number(row, 'seq')]));
  }
}
