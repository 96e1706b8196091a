import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { pageAnswer, scan } from '../../../src/server/langfuse/pages.ts';
import type { Page, Paged } from '../../../src/store/store.ts';

interface Row {
  readonly time: string;
  readonly value: number;
}

/** Rows, the newest first; one below 0 cannot be read, one each second. */
function rowsOf(values: readonly number[]): Row[] {
  return values.map((value, at) => ({ time: new Date(Date.UTC(2026, 0, 1) - at * 1000).toISOString(), value }));
}

function listOf(rows: () => readonly Row[]) {
  return ({ page, limit }: Page, until?: string): Paged<Row> => {
    const before = rows().filter(({ time }) => until === undefined || time < until);
    const all = before.slice((page - 1) * limit, page * limit);
    const places = [...all.keys()].filter((at) => all[at]!.value >= 0);
    return { rows: places.map((at) => all[at]!), places, total: before.length };
  };
}

/** All pages, one after the other; `between` happens after the first. */
function read(
  rows: () => readonly Row[],
  limit: number,
  isKept: ((row: Row) => boolean) | null,
  between: () => unknown = () => null,
  to?: string,
) {
  const pages: number[][] = [];
  let cursor: string | undefined;
  do {
    const page = scan({ query: { limit, cursor }, to, list: listOf(rows), time: (row) => row.time, isKept });
    pages.push(page.rows.map(({ value }) => value));
    if (pages.length === 1) between();
    cursor = page.meta.cursor;
  } while (cursor !== undefined);
  return pages;
}

describe('scan', () => {
  it('passes over rows that cannot be read, here those below 0, and loses no other', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -3, max: 9 })), fc.integer({ min: 1, max: 7 }), (values, limit) => {
        for (const isKept of [null, ({ value }: Row) => value % 2 === 0]) {
          const pages = read(() => rowsOf(values), limit, isKept);
          expect(pages.flat()).toEqual(
            values.filter((value) => value >= 0 && (isKept === null || isKept({ time: '', value }))),
          );
        }
      }),
    );
  });

  it('gives every row that is kept once, in order, in pages that are full but for the last', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9)), fc.integer({ min: 1, max: 7 }), fc.nat(9), (values, limit, least) => {
        const rows = rowsOf(values);
        const pages = read(
          () => rows,
          limit,
          ({ value }) => value >= least,
        );
        expect(pages.flat()).toEqual(values.filter((value) => value >= least));
        expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      }),
    );
  });

  it('has no further page after the last row, also where the last page is full', () => {
    expect(read(() => rowsOf([1, 2, 3, 4]), 2, null)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(
      read(
        () => rowsOf([1, 2, 3, 9]),
        3,
        ({ value }) => value < 9,
      ),
    ).toEqual([[1, 2, 3]]);
    expect(read(() => [], 3, null)).toEqual([[]]);
  });

  it('repeats nothing where newer rows come while it is read', () => {
    let rows = rowsOf([1, 2, 3, 4, 5]);
    const newer = { time: new Date(Date.UTC(2026, 0, 2)).toISOString(), value: 0 };
    for (const isKept of [null, ({ value }: Row) => value !== 1]) {
      const seen = read(
        () => rows,
        2,
        isKept,
        () => rows.unshift(newer),
      ).flat();
      expect(new Set(seen).size).toBe(seen.length);
      rows = rowsOf([1, 2, 3, 4, 5]);
    }
  });

  it('ends where rows have gone meanwhile', () => {
    let rows = rowsOf([1, 2, 3, 4]);
    expect(
      read(
        () => rows,
        2,
        null,
        () => (rows = rows.slice(0, 1)),
      ),
    ).toEqual([[1, 2], []]);
  });

  it('takes only a cursor that it gave', () => {
    for (const cursor of ['', 'x', Buffer.from('{"v":1,"at":-1}').toString('base64url')]) {
      const query = { limit: 2, cursor };
      expect(() =>
        scan({ query, to: undefined, list: listOf(() => []), time: (row) => row.time, isKept: null }),
      ).toThrow('not a cursor of this server');
    }
  });
});

it('a list ends where the reader asked, on every page', () => {
  const rows = rowsOf([1, 2, 3, 4, 5]);
  expect(read(() => rows, 2, null, undefined, rows[0]!.time)).toEqual([
    [2, 3],
    [4, 5],
  ]);
  expect(read(() => rows, 2, null, undefined, '2030-01-01T00:00:00.000Z').flat()).toEqual([1, 2, 3, 4, 5]);
});

it('a page has its rows as answered, and counts pages, of which an empty list has none', () => {
  const double = (value: number): number => 2 * value;
  expect(pageAnswer({ page: 1, limit: 50 }, { rows: [1, 2], total: 101 }, double)).toEqual({
    data: [2, 4],
    meta: { page: 1, limit: 50, totalItems: 101, totalPages: 3 },
  });
  for (const [total, pages] of [
    [100, 2],
    [0, 0],
  ] as const)
    expect(pageAnswer({ page: 1, limit: 50 }, { rows: [], total }, double).meta.totalPages).toBe(pages);
});
