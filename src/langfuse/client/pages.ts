import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';

/** Langfuse refuses more. */
export const PAGE_SIZE = 100;

// A server that never ends a list must not keep us for ever.
const MOST_PAGES = 100_000;

export interface NumberedPage<T> {
  readonly data: readonly T[];
  readonly meta: { readonly totalItems: number; readonly totalPages: number };
}

export interface CursorPage<T> {
  readonly data: readonly T[];
  readonly meta: { readonly cursor?: string | null | undefined };
}

export function numberedPage<T>(one: z.ZodType<T>) {
  return z.object({
    data: z.array(one),
    meta: z.object({ totalItems: z.int().min(0), totalPages: z.int().min(0).max(MOST_PAGES) }),
  });
}

export function cursorPage<T>(one: z.ZodType<T>) {
  return z.object({ data: z.array(one), meta: z.object({ cursor: z.string().nullish() }) });
}

/** Null where the first page is: there is no such list. */
export async function allPages<T>(fetchPage: (page: number) => Promise<NumberedPage<T> | null>): Promise<T[] | null> {
  const all: T[] = [];
  for (let page = 1; ; page += 1) {
    const found = await fetchPage(page);
    if (found === null) return page === 1 ? null : all;
    all.push(...found.data);
    if (found.data.length === 0 || page >= found.meta.totalPages) return all;
  }
}

type FetchPage<T> = (cursor: { readonly cursor?: string }) => Promise<CursorPage<T> | null>;

/** Null where the first page is: there is no such list. */
export async function allByCursor<T>(fetchPage: FetchPage<T>): Promise<T[] | null> {
  const all: T[] = [];
  for await (const one of eachByCursor(fetchPage)) {
    if (one === null) return null;
    all.push(one);
  }
  return all;
}

/** The same one by one, so that no page is asked for that is not needed. A single null: there is no such list. */
export async function* eachByCursor<T>(fetchPage: FetchPage<T>): AsyncGenerator<T | null> {
  const seen = new Set<string>();
  for (let cursor: string | null = null; ;) {
    const found = await fetchPage(cursor === null ? {} : { cursor });
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
