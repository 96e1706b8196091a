import { gzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { CasePageWriter } from '../../../src/report/html/case-page-writer.ts';
import { embeddedSource, pageOf } from '../../../web/src/report/source.ts';

const HEAD = {
  format: 2,
  runs: [{ name: 'a', manifest: {}, measures: {}, notices: [] }],
  comparison: null,
  texts: 'full',
  cases: 5,
  pages: [0, 2],
  detailsUntil: 4,
  indexParts: 1,
};

function packed(value: unknown): string {
  return gzipSync(JSON.stringify(value)).toString('base64');
}

function page(...ids: readonly string[]): string {
  const writer = new CasePageWriter(null);
  for (const id of ids) writer.add({ case: id, text: 'नमस्ते \u2028', noText: null, runs: [null] }, []);
  return gzipSync(writer.take()).toString('base64');
}

/** A document that holds texts by id and notes which were asked for. */
function holding(texts: Readonly<Record<string, string>>): {
  readonly asked: string[];
  getElementById(id: string): { textContent: string } | null;
} {
  const asked: string[] = [];
  return {
    asked,
    getElementById(id) {
      asked.push(id);
      const text = texts[id];
      return text === undefined ? null : { textContent: text };
    },
  };
}

const PAGES = { 'assay-page-0': page('c0', 'c1'), 'assay-page-1': page('c2', 'c3') };

test('pages are decompressed when one of their cases is asked for, once', async () => {
  const holder = holding({ 'assay-head': JSON.stringify(HEAD), ...PAGES });
  const source = embeddedSource(holder);
  expect(holder.asked).toEqual(['assay-head']);
  expect((await source.detail(3))?.case).toBe('c3');
  expect((await source.detail(2))?.text).toBe('नमस्ते \u2028');
  expect((await source.detail(1))?.case).toBe('c1');
  expect(holder.asked).toEqual(['assay-head', 'assay-page-1', 'assay-page-0']);
});

test('a case beyond what the file holds in full has no detail', async () => {
  const source = embeddedSource(holding({ 'assay-head': JSON.stringify(HEAD), ...PAGES }));
  expect(await source.detail(4)).toBeNull();
});

test('the index is decompressed once', async () => {
  const index = { ids: ['c0'], labels: [], rules: [], slices: {}, runs: [{}] };
  const holder = holding({ 'assay-head': JSON.stringify(HEAD), 'assay-index-0': packed(index) });
  const source = embeddedSource(holder);
  expect(await source.index()).toEqual(index);
  await source.index();
  expect(holder.asked.filter((id) => id === 'assay-index-0')).toHaveLength(1);
});

test.each([
  ['no report', {}],
  ['cannot be read', { 'assay-head': '{"format":' }],
  ['format 9', { 'assay-head': '{"format":9}' }],
  ['format unknown', { 'assay-head': '[]' }],
  ['cannot be read', { 'assay-head': '{"format":2,"runs":[]}' }],
])('a file that holds no report is refused in a sentence: %s', (words, texts: Record<string, string>) => {
  expect(() => embeddedSource(holding(texts))).toThrow(words);
});

test.each([
  ['lacks the list of cases', {}],
  ['cannot be read', { 'assay-index-0': '%%%' }],
  ['cannot be read', { 'assay-index-0': packed({ ids: 3 }) }],
  ['cannot be read', { 'assay-index-0': packed('x').slice(0, 12) }],
])('a list that was cut off or changed is refused in a sentence: %s', async (words, texts: Record<string, string>) => {
  const source = embeddedSource(holding({ 'assay-head': JSON.stringify(HEAD), ...texts }));
  await expect(source.index()).rejects.toThrow(words);
});

test.each([
  ['lacks a page of cases', {}],
  ['cannot be read', { 'assay-page-0': PAGES['assay-page-0'].slice(0, 60) }],
  ['cannot be read', { 'assay-page-0': packed({ cases: [] }) }],
  ['cannot be read', { 'assay-page-0': gzipSync(Buffer.alloc(20)).toString('base64') }],
])('a page that was cut off or changed is refused in a sentence: %s', async (words, texts: Record<string, string>) => {
  const source = embeddedSource(holding({ 'assay-head': JSON.stringify(HEAD), ...texts }));
  await expect(source.detail(0)).rejects.toThrow(words);
});

test('a row is on the last page that begins at or before it', () => {
  expect([0, 1, 2, 9, 10, 99].map((row) => pageOf([0, 2, 10], row))).toEqual([0, 0, 1, 1, 2, 2]);
  expect(pageOf([], 0)).toBeNull();
  expect(pageOf([5], 4)).toBeNull();
});
