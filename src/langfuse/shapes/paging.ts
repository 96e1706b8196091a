import { z } from 'zod';

import { deprecation, wholeNumberText } from './values.ts';

const DEFAULT_LIMIT = 50;
export const MOST_PER_PAGE = 100;

/** Of lists with numbered pages. */
export const pageQuery = {
  page: wholeNumberText(1).default(1),
  limit: wholeNumberText(1, MOST_PER_PAGE).default(DEFAULT_LIMIT),
};

/** Of lists that continue from a cursor. */
export function cursorQuery(most = MOST_PER_PAGE) {
  return { limit: wholeNumberText(1, most).default(DEFAULT_LIMIT), cursor: z.string().optional() };
}

export const pageMeta = z.strictObject({
  page: z.int().min(1),
  limit: z.int().min(1),
  totalItems: z.int().min(0),
  totalPages: z.int().min(0),
});

/** One page of a list. */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.strictObject({ data: z.array(row), meta: pageMeta });
}

/** Of an endpoint that newer versions of Langfuse replace. */
export function deprecatedPageOf<Row extends z.ZodType>(row: Row) {
  return z.strictObject({ data: z.array(row), meta: pageMeta, _deprecation: deprecation });
}

/** Rows from a cursor on; without a cursor in the answer there are no more. */
export function cursorPageOf<Row extends z.ZodType>(row: Row) {
  return z.strictObject({ data: z.array(row), meta: z.strictObject({ cursor: z.string().optional() }) });
}
