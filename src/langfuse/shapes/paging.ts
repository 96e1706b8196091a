import { z } from 'zod';

import { wholeNumberText } from './values.ts';

const DEFAULT_LIMIT = 50;
export const MOST_PER_PAGE = 100;

/** Of lists with numbered pages. */
export const pageQuery = {
  page: wholeNumberText(1).default(1),
  limit: wholeNumberText(1, MOST_PER_PAGE).default(DEFAULT_LIMIT),
};

/** Of lists that go on from a cursor. */
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

/** Without a cursor there is no further page. */
export const cursorMeta = z.strictObject({ cursor: z.string().optional() });
