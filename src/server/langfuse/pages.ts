import type { Page, Paged } from '../../store/store.ts';
import { Refusal } from '../refusal.ts';

/** One page of a list, with each row as it is answered. */
export function pageAnswer<Row, Answer>(
  { page, limit }: Page,
  { rows, total }: Pick<Paged<Row>, 'rows' | 'total'>,
  answer: (row: Row) => Answer,
) {
  return {
    data: rows.map((row) => answer(row)),
    meta: { page, limit, totalItems: total, totalPages: Math.ceil(total / limit) },
  };
}

interface Scan<Row> {
  readonly query: { readonly limit: number; readonly cursor?: string | undefined };
  /** Rows before this time only. */
  readonly to: string | undefined;
  readonly list: (page: Page, to: string | undefined) => Paged<Row>;
  readonly time: (row: Row) => string;
  /** Which of the rows of the list are answered; null for all. */
  readonly isKept: ((row: Row) => boolean) | null;
}

/** Rows of a list, and where it continues. */
export interface Scanned<Row> {
  readonly rows: readonly Row[];
  readonly meta: { readonly cursor?: string };
}

/** Goes through a list, newest first, from the place of a cursor until it has enough rows that are to be kept. */
export function scan<Row>({ query: { limit, cursor }, to, list, time, isKept }: Scan<Row>): Scanned<Row> {
  const kept: Row[] = [];
  let { at, until } = placeOf(cursor);
  let before = earlier(to, until);
  for (;;) {
    const page = Math.floor(at / limit) + 1;
    const { rows, places, total } = list({ page, limit }, before);
    if (until === undefined && rows[0] !== undefined) {
      until = new Date(Date.parse(time(rows[0])) + 1).toISOString();
      // Rows that cannot be read were counted, and the next page will not have them: count again without them.
      if (page > 1 || places[0] !== 0) {
        at = 0;
        before = earlier(to, until);
        continue;
      }
    }
    for (const [index, row] of rows.entries()) {
      const next = (page - 1) * limit + (places[index] ?? index);
      if (next < at || (isKept !== null && !isKept(row))) continue;
      if (kept.length === limit) return { rows: kept, meta: { cursor: cursorAt(next, until) } };
      kept.push(row);
    }
    at = page * limit;
    if (at >= total) return { rows: kept, meta: {} };
    if (kept.length === limit && isKept === null) return { rows: kept, meta: { cursor: cursorAt(at, until) } };
  }
}

/** The earlier of two ends, either of which may be open. */
function earlier(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

/**
 * How far a reader has come in a list, for the reader to send back. Rows from the time `until` on came after the first
 * page was read; they would push the others on.
 */
function cursorAt(at: number, until: string | undefined): string {
  return Buffer.from(JSON.stringify({ v: 1, at, until })).toString('base64url');
}

function placeOf(cursor: string | undefined): { readonly at: number; readonly until?: string } {
  if (cursor === undefined) return { at: 0 };
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const match = /^\{"v":1,"at":(\d{1,15}),"until":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"\}$/.exec(text);
  if (match === null) throw new Refusal(400, 'cursor: not a cursor of this server');
  return { at: Number(match[1]), until: match[2]! };
}

/** The fields of the groups that were asked for, by group; nothing of the others is worked out. */
export function groupFields<Fields extends object>(
  groups: ReadonlySet<string>,
  table: Readonly<Record<string, () => Partial<Fields>>>,
): Partial<Fields> {
  const fields: Partial<Fields> = {};
  for (const [group, make] of Object.entries(table)) if (groups.has(group)) Object.assign(fields, make());
  return fields;
}
