import { shorten, visible } from '../data/visible.ts';
import { isoTime, now, number, type StoreRow, text } from './cells.ts';
import {
  ASSIGNMENT_SELECT,
  ASSIGNMENTS,
  PERSON_SELECT,
  REVIEW_PEOPLE,
  type ReviewAssignment,
  type ReviewPerson,
} from './review-records.ts';
import { StoreConflict } from './store-conflict.ts';
import { StorePart } from './store-part.ts';

export type PersonSave = Omit<ReviewPerson, 'reviewId'>;

export interface LinkRenewal {
  readonly tokenHash: string;
  readonly generation: number;
  readonly expiresAt: string;
}

/** Who takes part in reviews, and what each of them is asked to look at. */
export class ReviewPeople extends StorePart {
  people(reviewId: string): ReviewPerson[] {
    const sql = `${PERSON_SELECT} WHERE r.id = ? ORDER BY p.seq`;
    return this.all(REVIEW_PEOPLE, sql, [reviewId]);
  }

  /** Also one whose link has expired or was revoked. */
  personByToken(tokenHash: string): ReviewPerson | null {
    return this.one(REVIEW_PEOPLE, `${PERSON_SELECT} WHERE p.token_hash = ?`, [tokenHash]);
  }

  /** New people, and more to do for them or for those who are there. */
  addPeople(reviewId: string, people: readonly PersonSave[], assignments: readonly ReviewAssignment[]): void {
    this.database.transaction(() => {
      const review = this.seqOf(reviewId);
      if (review === null) throw new StoreConflict(`there is no review of the id ${visible(shorten(reviewId))}`);
      for (const person of people) this.#addPerson(review, person);
      this.#assign(review, assignments);
    });
  }

  /** Also lets in again who was shut out. */
  renew(personId: string, { tokenHash, generation, expiresAt }: LinkRenewal): void {
    const sql =
      'UPDATE review_people SET token_hash = ?, generation = ?, expires_at = ?, revoked_at = NULL WHERE id = ?';
    this.#change(personId, (person) => {
      const before = number(person, 'generation');
      if (!Number.isSafeInteger(generation) || generation < before)
        throw new StoreConflict(`a link of generation ${generation} is no successor of generation ${before}`);
      this.#refuseToken(personId, tokenHash);
      this.database.run(sql, [tokenHash, generation, isoTime(expiresAt), personId]);
    });
  }

  revoke(personId: string): void {
    const sql = 'UPDATE review_people SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL';
    this.#change(personId, () => this.database.run(sql, [now(), personId]));
  }

  /** Another name for somebody: what they said, their queue and their link stay. */
  rename(personId: string, name: string): void {
    const namesake = 'SELECT 1 FROM review_people WHERE review_seq = ? AND role = ? AND name = ? AND id != ?';
    this.#change(personId, (person) => {
      const given = [number(person, 'review_seq'), text(person, 'role'), name, personId];
      if (this.database.row(namesake, given) !== null)
        throw new StoreConflict(`there is a person named ${visible(shorten(name))} in this review already`);
      this.database.run('UPDATE review_people SET name = ? WHERE id = ?', [name, personId]);
    });
  }

  /** Person by person, each in the order of their queue. */
  assignments(reviewId: string): ReviewAssignment[] {
    const where = 'p.review_seq = (SELECT seq FROM reviews WHERE id = ?)';
    const sql = `${ASSIGNMENT_SELECT} WHERE ${where} ORDER BY p.seq, a.position`;
    return this.all(ASSIGNMENTS, sql, [reviewId]);
  }

  queue(personId: string): ReviewAssignment[] {
    return this.all(ASSIGNMENTS, `${ASSIGNMENT_SELECT} WHERE p.id = ? ORDER BY a.position`, [personId]);
  }

  protected seqOf(reviewId: string): number | null {
    const row = this.database.row('SELECT seq FROM reviews WHERE id = ?', [reviewId]);
    return row === null ? null : number(row, 'seq');
  }

  #change(personId: string, change: (person: StoreRow) => void): void {
    this.database.transaction(() => {
      const row = this.database.row('SELECT * FROM review_people WHERE id = ?', [personId]);
      if (row === null) throw noPerson(personId);
      change(row);
    });
  }

  #addPerson(reviewSeq: number, person: PersonSave): void {
    const { id, name, role, groups, generation, tokenHash, expiresAt, revokedAt } = person;
    if (this.database.row('SELECT 1 FROM review_people WHERE id = ?', [id]) !== null)
      throw new StoreConflict(`there is a person of the id ${visible(shorten(id))} already`);
    const namesake = 'SELECT 1 FROM review_people WHERE review_seq = ? AND role = ? AND name = ?';
    if (this.database.row(namesake, [reviewSeq, role, name]) !== null)
      throw new StoreConflict(`there is a person named ${visible(shorten(name))} (${role}) in this review already`);
    if (!Number.isSafeInteger(generation)) throw new StoreConflict(`${generation} is no generation of a link`);
    this.#refuseToken(id, tokenHash);
    const cells = { id, review_seq: reviewSeq, name, role, generation, token_hash: tokenHash };
    this.database.insert('review_people', {
      ...cells,
      expires_at: isoTime(expiresAt),
      revoked_at: revokedAt === null ? null : isoTime(revokedAt),
      groups: JSON.stringify(groups),
    });
  }

  /** Two people with one token would see each other's answers. */
  #refuseToken(personId: string, tokenHash: string): void {
    const holder = this.database.row('SELECT id FROM review_people WHERE token_hash = ?', [tokenHash]);
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
      const cells = { person_seq: person, item_seq: item, position };
      if (this.database.insert('review_assignments', cells, 'ON CONFLICT DO NOTHING') === 0)
        throw new StoreConflict(
          `the item ${visible(shorten(itemId))} is in this person’s queue already, or another is at place ${position}`,
        );
    }
  }

  /** By id: the numbers by which rows of a review refer to each other. */
  #numbers(table: 'review_people' | 'review_items', reviewSeq: number): ReadonlyMap<string, number> {
    const rows = this.database.rows(`SELECT id, seq FROM ${table} WHERE review_seq = ?`, [reviewSeq]);
    return new Map(rows.map((row) => [text(row, 'id'), number(row, 'seq')]));
  }
}

export function noPerson(id: string): StoreConflict {
  return new StoreConflict(`there is no person ${visible(shorten(id))} in any review`);
}

export function noItem(id: string): StoreConflict {
  return new StoreConflict(`there is no item ${visible(shorten(id))} in this review`);
}
