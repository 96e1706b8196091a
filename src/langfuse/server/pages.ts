import type { Page, Paged } from '../../store/store.ts';
import { Refusal } from './refusal.ts';

export interface PageMeta {
  readonly page: number;
  readonly limit: number;
  readonly totalItems: number;
  readonly totalPages: number;
}

export function pageMeta({ page, limit }: Page, total: number): PageMeta {
  return { page, limit, totalItems: total, totalPages: Math.ceil(total / limit) };
}

/** What a list answers, and from where it goes on; null where it is at its end. */
export interface Scanned<T> {
  readonly rows: readonly T[];
  readonly next: number | null;
}

/** Goes through a list from a place on, until it has enough rows that are to be kept. */
export function scan<T>(
  list: (page: Page) => Paged<T>,
  from: number,
  limit: number,
  isKept: ((row: T) => boolean) | null = null,
): Scanned<T> {
  const rows: T[] = [];
  let at = from;
  for (;;) {
    const { rows: found, total } = list({ page: Math.floor(at / limit) + 1, limit });
    for (const row of found.slice(at % limit)) {
      if (isKept === null || isKept(row)) {
        if (rows.length === limit) return { rows, next: at };
        rows.push(row);
      }
      at += 1;
    }
    if (at >= total || found.length === 0) return { rows, next: null };
    if (rows.length === limit && isKept === null) return { rows, next: at };
  }
}

/** A place in a list, for the one who asks to give back as it is. */
export function cursorAt(place: number | null): { cursor?: string } {
  if (place === null) return {};
  return { cursor: Buffer.from(JSON.stringify({ v: 1, at: place })).toString('base64url') };
}

export function placeOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const match = /^\{"v":1,"at":(\d{1,15})\}$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (match === null) throw new Refusal(400, 'cursor: this is not one that was given here');
  return Number(match[1]);
}
