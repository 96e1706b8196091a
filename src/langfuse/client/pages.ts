import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import type { CallOptions } from './calls.ts';
import type { Connection } from './connection.ts';

/** Langfuse refuses more. */
export const PAGE_SIZE = 100;

// A server that never ends a list must not keep us for ever.
const MOST_PAGES = 100_000;

export function numberedPage<T>(row: z.ZodType<T>) {
  return z.object({
    data: z.array(row),
    meta: z.object({ totalItems: z.int().min(0), totalPages: z.int().min(0).max(MOST_PAGES) }),
  });
}

type SendPage<Page> = (page: Page & { readonly limit: number }, options: CallOptions) => PromiseLike<unknown>;

/** The rows of all numbered pages. Null: there is no such list, which with `make` is an error. */
export async function allPages<T>(
  { calls }: Connection,
  what: string,
  row: z.ZodType<T>,
  send: SendPage<{ readonly page: number }>,
  call: 'find' | 'make' = 'find',
): Promise<T[] | null> {
  const answer = numberedPage(row);
  const all: T[] = [];
  for (let page = 1; ; page += 1) {
    const found = await calls[call](what, answer, (options) => send({ page, limit: PAGE_SIZE }, options));
    if (found === null) return page === 1 ? null : all;
    all.push(...found.data);
    if (found.data.length === 0 || page >= found.meta.totalPages) return all;
  }
}

type SendCursor = SendPage<{ readonly cursor?: string }>;

/** All rows of a list that continues from a cursor. Null: there is no such list. */
export async function allByCursor<T>(
  connection: Connection,
  what: string,
  row: z.ZodType<T>,
  send: SendCursor,
): Promise<T[] | null> {
  const all: T[] = [];
  for await (const next of eachByCursor(connection, what, row, send)) {
    if (next === null) return null;
    all.push(next);
  }
  return all;
}

/** The same one by one, so that no page is asked for that is not needed. A single null: there is no such list. */
export async function* eachByCursor<T>(
  { calls }: Connection,
  what: string,
  row: z.ZodType<T>,
  send: SendCursor,
): AsyncGenerator<T | null> {
  const answer = z.object({ data: z.array(row), meta: z.object({ cursor: z.string().nullish() }) });
  const seen = new Set<string>();
  for (let cursor: string | null = null; ;) {
    const from: { readonly cursor?: string } = cursor === null ? {} : { cursor };
    const found = await calls.find(what, answer, (options) => send({ limit: PAGE_SIZE, ...from }, options));
    if (found === null) {
      if (cursor === null) yield null;
      return;
    }
    yield* found.data;
    cursor = found.meta.cursor ?? null;
    if (cursor === null || cursor === '') return;
    if (seen.has(cursor) || seen.size >= MOST_PAGES) throw new UsageError('Langfuse sends the same page over and over');
    seen.add(cursor);
  }
}
