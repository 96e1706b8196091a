import { setTimeout as pause } from 'node:timers/promises';

import { expect, test } from 'vitest';

import type { CaseDetail, ReportHead } from '../../../../src/report/html/report-data.ts';
import { TextSearch } from '../../../../web/src/report/list/text-search.ts';
import { detail, item, record } from '../case/case-detail.ts';

/** A report with so many cases on a page, and how often each page was read. */
function report(texts: readonly (string | null)[], each: number, pauseMs = 0) {
  const read: number[] = [];
  const cases = texts.map((text, at): CaseDetail => {
    const person = record({ label: 'PERSON', predicted: item(0, { text: `Person ${at}`, label: 'PERSON' }) });
    return { ...detail(text, [person]), case: `c${at}` };
  });
  const pages = texts.flatMap((_, at) => (at % each === 0 ? [at] : []));
  // What the search does not look at.
  const rest = { format: 2, runs: [], comparison: null, texts: 'full', detailsUntil: null, indexParts: 1 } as const;
  const head: ReportHead = { ...rest, cases: texts.length, pages };
  const source = {
    head,
    index: () => Promise.reject(new Error('not asked for')),
    detail: () => Promise.resolve(null),
    async page(number: number) {
      read.push(number);
      if (pauseMs > 0) await pause(pauseMs);
      return cases.slice(pages[number], pages[number + 1]);
    },
  };
  const search = new TextSearch(source);
  return {
    read,
    async rows(...words: string[]): Promise<number[]> {
      const found = new Uint8Array(texts.length);
      const shares: number[] = [];
      await search.search(words, found, (share) => shares.push(share) > 0);
      expect(shares.at(-1)).toBe(1);
      return [...found].flatMap((is, row) => (is === 1 ? [row] : []));
    },
    search,
  };
}

const TEXTS = ['Anna in Aarhus', 'Bo', null, 'AARHUS again, Anna', 'Anna', 'x'];

test.each([1, 2, 4, 6])('finds the cases that have all words, with %i on a page', async (each) => {
  const { rows } = report(TEXTS, each);
  expect(await rows('aarhus')).toEqual([0, 3]);
  expect(await rows('anna', 'again')).toEqual([3]);
  expect(await rows('c2')).toEqual([2]);
  expect(await rows('person 5')).toEqual([5]);
  expect(await rows('person')).toEqual([0, 1, 2, 3, 4, 5]);
  // Not across the end of a case.
  expect(await rows('aarhus bo')).toEqual([]);
  expect(await rows('bo', 'aarhus')).toEqual([]);
});

test('reads every page once, also when it was made ready before', async () => {
  const { rows, read, search } = report(TEXTS, 2);
  const ready = search.search([], new Uint8Array(), () => true);
  await Promise.all([ready, rows('anna'), rows('bo')]);
  await rows('x');
  expect(read).toEqual([0, 1, 2]);
});

test('ends when nobody wants the answer any more, and a report without pages has nothing to search', async () => {
  // Longer than a page may stand still: it asks after each.
  const many = report(TEXTS, 1, 30);
  const found = new Uint8Array(TEXTS.length);
  await many.search.search(['anna'], found, () => false);
  expect(many.read).toEqual([0]);
  expect([...found]).toEqual([1, 0, 0, 0, 0, 0]);
  expect(await report([], 1).rows('anna')).toEqual([]);
});
