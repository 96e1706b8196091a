import type { Page, Paged } from '../../store/store.ts';
import { Refusal } from '../refusal.ts';

export interface PageMeta {
  readonly page: number;
  readonly limit: number;
  readonly totalItems: number;
  readonly totalPages: number;
}

export function pageMeta({ page, limit }: Page, total: number): PageMeta {
  return { page, limit, totalItems: total, totalPages: Math.ceil(total / limit) };
}

/** How far a reader has come in a list that has the newest first. */
export interface Place {
  readonly at: number;
  /** Rows from this time on came after the first page was read; they would push the others on. */
  readonly until?: string;
}

interface Scan<T> {
  readonly list: (page: Page, until: string | undefined) => Paged<T>;
  readonly time: (row: T) => string;
  readonly limit: number;
  readonly cursor: string | undefined;
  /** Of those that the list gives; all of them where it is null. */
  readonly isKept: ((row: T) => boolean) | null;
}

/** What a list answers, and from where it goes on. */
export interface Scanned<T> {
  readonly rows: readonly T[];
  readonly meta: { readonly cursor?: string };
}

/** Goes through a list, newest first, from where a cursor says, until it has enough rows that are to be kept. */
export function scan<T>({ list, time, limit, cursor, isKept }: Scan<T>): Scanned<T> {
  const rows: T[] = [];
  let { at, until } = placeOf(cursor);
  let before = until;
  for (;;) {
    const page = Math.floor(at / limit) + 1;
    const { rows: found, places, total } = list({ page, limit }, before);
    if (until === undefined && found[0] !== undefined) {
      until = justAfter(time(found[0]));
      // Rows that cannot be read were counted, and the next page will not have them: count again without them.
      if (page > 1 || places[0] !== 0) {
        at = 0;
        before = until;
        continue;
      }
    }
    for (const [index, row] of found.entries()) {
      const next = (page - 1) * limit + (places[index] ?? index);
      if (next < at || (isKept !== null && !isKept(row))) continue;
      if (rows.length === limit) return { rows, meta: { cursor: cursorAt(next, until) } };
      rows.push(row);
    }
    at = page * limit;
    if (at >= total) return { rows, meta: {} };
    if (rows.length === limit && isKept === null) return { rows, meta: { cursor: cursorAt(at, until) } };
  }
}

/** The earlier of two ends, of which either may be open. */
export function earlier(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

/** For the one who asks to give back as it is. */
function cursorAt(at: number, until: string | undefined): string {
  return Buffer.from(JSON.stringify({ v: 1, at, until })).toString('base64url');
}

function placeOf(cursor: string | undefined): Place {
  if (cursor === undefined) return { at: 0 };
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const match = /^\{"v":1,"at":(\d{1,15}),"until":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"\}$/.exec(text);
  if (match === null) throw new Refusal(400, 'cursor: this is not one that was given here');
  return { at: Number(match[1]), until: match[2]! };
}

function justAfter(time: string): string {
  return new Date(Date.parse(time) + 1).toISOString();
}
