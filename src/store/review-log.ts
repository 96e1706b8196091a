import { visible, shorten } from '../data/visible.ts';
import { number, text } from './cells.ts';
import type { Database } from './database.ts';
import { latest, now } from './iso-time.ts';
import { StoreConflict } from './store-conflict.ts';

/** Number and time for what is added to a table that only grows. */
export interface Next {
  readonly seq: number;
  /** Never before what was added earlier, whatever the clock says. */
  readonly at: string;
}

/** Within a transaction, so that nobody else takes the same. */
export function nextIn(database: Database, table: 'review_events' | 'review_decisions' | 'review_judgements'): Next {
  const row = database.row(`SELECT seq, at FROM ${table} ORDER BY seq DESC LIMIT 1`);
  return row === null ? { seq: 1, at: now() } : { seq: number(row, 'seq') + 1, at: latest(now(), text(row, 'at')) };
}

/** The same thing sent twice is there once; another one of the same id would be lost. */
export function refuseOther(isSame: boolean, what: string, id: string): void {
  if (!isSame) throw new StoreConflict(`${what} ${visible(shorten(id))} is there already, and says something else`);
}

export function noPerson(id: string): StoreConflict {
  return new StoreConflict(`there is no person ${visible(shorten(id))} in any review`);
}

export function noItem(id: string): StoreConflict {
  return new StoreConflict(`there is no item ${visible(shorten(id))} in this review`);
}
