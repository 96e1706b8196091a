import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { makeItem } from '../../../src/data/item.ts';
import { makeVerdict } from '../../../src/judge/verdict.ts';
import { builtViewer } from '../../../src/report/html/build-report.ts';
import type { ReportCase } from '../../../src/report/html/report-data.ts';
import { ReportWriter } from '../../../src/report/html/report-writer.ts';
import { runView } from '../../../src/report/html/run-view.ts';
import { useBrowser } from '../../review/browser/browser.ts';
import { buildApp } from '../../review/browser/built-app.ts';
import { takePicture } from '../../review/browser/pictures.ts';
import { madeUpRun, measure } from '../made-up-run.ts';
import { linkOf, MAKING_MS, useFolder } from './reports.ts';
import { listed, openWatched, shownCount } from './watched.ts';

const browser = useBrowser();
const folder = useFolder();
const CASES = 100_000;
const file = join(folder, 'large.html');
const PATIENCE_MS = 20_000;

beforeAll(async () => {
  await buildApp();
  const place = openSync(file, 'w');
  try {
    await writeReport((piece) => void writeSync(place, piece));
  } finally {
    closeSync(place);
  }
}, MAKING_MS);

async function writeReport(write: (piece: string) => void): Promise<void> {
  const writer = new ReportWriter({
    viewer: builtViewer(),
    title: 'many cases · assay',
    texts: 'full',
    columns: [['f1']],
    write,
  });
  for (let at = 0; at < CASES; at += 1) {
    writer.add(detail(at));
    await writer.ready();
  }
  const run = madeUpRun({
    measures: {
      cases: { total: CASES, failed: 0, unanswered: 0 },
      measures: [
        measure('f1', 0.9, { n: 2 * CASES, interval: { level: 0.95, low: 0.89, high: 0.91, method: 'percentile' } }),
      ],
    },
  });
  await writer.finish({ runs: [runView('many cases', run, null, null)], comparison: null });
}

const idOf = (at: number): string => `case-${String(at).padStart(6, '0')}`;
const isWrong = (at: number): boolean => at % 10 === 3;

/** A name in a sentence; every tenth prediction is beside it. */
function detail(at: number): ReportCase {
  const [id, name] = [idOf(at), `Person ${at}`];
  const text = `On day ${at % 365} ${name} came to the counter and asked for form ${at * 7}.`;
  const start = text.indexOf(name);
  const place = { kind: 'span', index: 0, label: 'PERSON' } as const;
  const item = makeItem({ ...place, text: name, start, end: start + name.length });
  const predicted = makeItem({ ...place, text: 'On', start: 0, end: 2 });
  const line = { case: id, scheme: null, kind: 'span', label: 'PERSON' } as const;
  const verdicts = isWrong(at)
    ? [
        makeVerdict({ ...line, verdict: 'missed', rule: 'no-match', gold: item }),
        makeVerdict({ ...line, verdict: 'spurious', rule: 'no-match', predicted }),
      ]
    : [makeVerdict({ ...line, verdict: 'hit', rule: 'pair', similarity: 1, gold: item, predicted: item })];
  const wrong = isWrong(at) ? 1 : 0;
  const counts = { hit: 1 - wrong, missed: wrong, spurious: wrong, excused: 0 };
  const result = { case: id, counts, measures: { f1: 1 - wrong } };
  return { case: id, text, noText: null, runs: [{ result, verdicts }] };
}

describe('a report of 100,000 cases', () => {
  it('opens, scrolls, filters and shows any case', { timeout: 120_000 }, async () => {
    const began = performance.now();
    const { page, faults } = await openWatched(browser, linkOf(file, '#view=cases'));
    await page.locator('.case-rows .open-case').first().waitFor();
    const opened = performance.now() - began;
    console.info(
      `100,000 cases in ${(statSync(file).size / 1e6).toFixed(1)} MB: the list is there after ${Math.round(opened)} ms`,
    );
    expect(opened).toBeLessThan(PATIENCE_MS);
    await expect.poll(() => shownCount(page)).toBe(CASES);
    await expect.poll(async () => (await listed(page)).slice(0, 3)).toEqual([idOf(0), idOf(1), idOf(2)]);
    // Few of them are in the page at a time.
    expect(await page.locator('.case-rows [role=row]').count()).toBeLessThan(80);

    const scrollTo = (share: number) =>
      page.locator('.case-grid').evaluate((grid, part) => {
        grid.scrollTop = part * (grid.scrollHeight - grid.clientHeight);
      }, share);
    await scrollTo(1);
    await expect.poll(async () => (await listed(page)).at(-1)).toBe(idOf(CASES - 1));
    await scrollTo(0.5);
    await expect
      .poll(async () => (await listed(page)).some((id) => Math.abs(Number(id.slice(5)) - CASES / 2) < 30))
      .toBe(true);
    await takePicture(page, 'report-large');

    await page.getByRole('link', { name: /^wrong/ }).click();
    await expect.poll(() => shownCount(page), { timeout: PATIENCE_MS }).toBe(CASES / 10);
    await expect.poll(async () => (await listed(page)).slice(0, 2)).toEqual([idOf(3), idOf(13)]);
    await page.getByRole('link', { name: 'Show all' }).click();
    await expect.poll(() => shownCount(page)).toBe(CASES);
    // The words are in texts alone; the first search decompresses them all.
    const search = async (words: string, found: readonly string[]): Promise<number> => {
      const from = performance.now();
      await page.getByRole('searchbox').fill(words);
      await expect.poll(() => listed(page), { timeout: PATIENCE_MS, interval: 10 }).toEqual(found);
      return Math.round(performance.now() - from);
    };
    const [first, next] = [
      await search('"person 77777 "', [idOf(77_777)]),
      await search('"person 4242 "', [idOf(4242)]),
    ];
    console.info(`the first search of 100,000 texts takes ${first} ms, the next ${next} ms`);
    expect(first).toBeLessThan(PATIENCE_MS);
    expect(next).toBeLessThan(2000);
    await expect.poll(() => page.locator('.preview mark').innerText()).toBe('Person 4242 ');
    await search('"person 77777 "', [idOf(77_777)]);
    await page.locator('.open-case').click();
    await page.locator('.case-view').waitFor();
    await expect.poll(() => page.locator('.case-view').innerText()).toContain('Person 77777');
    expect(await faults()).toEqual([]);
  });

  it('opens at a case deep in it, by its link', { timeout: 120_000 }, async () => {
    const { page } = await openWatched(browser, linkOf(file, `#view=cases&case=${idOf(99_993)}&item=0.gold.span.0`));
    await page.locator('.case-view').waitFor({ timeout: PATIENCE_MS });
    await expect.poll(() => page.locator('.details').innerText()).toContain('missed');
    await expect.poll(() => page.locator('.position').innerText()).toBe('99,994 of 100,000');
    await expect.poll(() => listed(page)).toContain(idOf(99_993));
    await page.keyboard.press('j');
    await expect.poll(() => page.locator('#case-title').innerText()).toBe(idOf(99_994));
    await page.getByRole('link', { name: 'Close' }).click();
    await page.locator('.case-heads').getByText('f1').click();
    // The worst first, and among equals the order of the file; the case that was open is in sight.
    await expect.poll(async () => (await listed(page)).includes(idOf(99_994))).toBe(true);
    await page.locator('.case-grid').press('Home');
    await expect.poll(async () => (await listed(page)).slice(0, 2)).toEqual([idOf(3), idOf(13)]);
  });
});
