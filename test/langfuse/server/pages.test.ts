import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { cursorAt, pageMeta, placeOf, type Scanned, scan } from '../../../src/langfuse/server/pages.ts';
import type { Page, Paged } from '../../../src/store/store.ts';

function listOf<T>(rows: readonly T[]) {
  return ({ page, limit }: Page): Paged<T> => ({
    rows: rows.slice((page - 1) * limit, page * limit),
    total: rows.length,
  });
}

describe('scan', () => {
  it('gives every row that is kept once, in order, in pages that are full but for the last', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9)), fc.integer({ min: 1, max: 7 }), fc.nat(9), (rows, limit, least) => {
        const isKept = (row: number) => row >= least;
        const seen: number[] = [];
        const sizes: number[] = [];
        for (let from: number | null = 0; from !== null;) {
          const page: Scanned<number> = scan(listOf(rows), from, limit, isKept);
          seen.push(...page.rows);
          sizes.push(page.rows.length);
          from = page.next === null ? null : placeOf(cursorAt(page.next).cursor);
        }
        expect(sizes.slice(0, -1).every((size) => size === limit)).toBe(true);
        expect(seen).toEqual(rows.filter(isKept));
      }),
    );
  });

  it('has no further page after the last row, also where the last page is full', () => {
    expect(scan(listOf([1, 2, 3, 4]), 2, 2)).toEqual({ rows: [3, 4], next: null });
    expect(scan(listOf([1, 2, 3, 4, 5]), 2, 2)).toEqual({ rows: [3, 4], next: 4 });
    expect(scan(listOf([1, 2, 3, 9]), 0, 3, (row) => row < 9)).toEqual({ rows: [1, 2, 3], next: null });
    expect(scan(listOf<number>([]), 0, 3)).toEqual({ rows: [], next: null });
  });

  it('ends where rows have gone meanwhile', () => {
    expect(scan(listOf([1]), 40, 10)).toEqual({ rows: [], next: null });
  });
});

describe('a cursor', () => {
  it('is taken back as it was given, and nothing else is', () => {
    expect(placeOf(cursorAt(150).cursor)).toBe(150);
    expect(placeOf(undefined)).toBe(0);
    for (const made of [
      '',
      'x',
      Buffer.from('{"v":2,"at":1}').toString('base64url'),
      Buffer.from('{"v":1,"at":-1}').toString('base64url'),
    ]) {
      expect(() => placeOf(made)).toThrow('not one that was given here');
    }
  });
});

describe('pageMeta', () => {
  it('counts pages, of which an empty list has none', () => {
    expect(pageMeta({ page: 1, limit: 50 }, 101)).toEqual({ page: 1, limit: 50, totalItems: 101, totalPages: 3 });
    expect(pageMeta({ page: 1, limit: 50 }, 100).totalPages).toBe(2);
    expect(pageMeta({ page: 1, limit: 50 }, 0).totalPages).toBe(0);
  });
});
