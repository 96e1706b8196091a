import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

import { builtViewer } from '../../../src/report/html/build-report.ts';
import { recipeYaml } from '../../../src/report/recipe-yaml.ts';
import { readRun } from '../../../src/score/run-file.ts';
import { useBrowser } from '../../review/browser/browser.ts';
import { buildApp } from '../../review/browser/built-app.ts';
import { openReport } from '../html/open-report.ts';
import { comparedReport, ledgerOf, linkOf, MAKING_MS, scoreJournal, scorePii, useFolder } from './reports.ts';
import { openRow, openWatched, showView } from './watched.ts';

const browser = useBrowser();
const folder = useFolder();
const HOW = ['redacted', 'none'] as const;
const place = (task: string, how: string): string => join(folder, `${task}-${how}`);

beforeAll(async () => {
  await buildApp();
  for (const how of [...HOW, 'full'] as const) {
    await scorePii(place('pii', how), how);
    await scoreJournal(place('journal', how), undefined, how);
  }
}, MAKING_MS);

/** Words of documents and answers that neither the viewer nor the recipe has of its own. */
async function wordsOf(task: 'pii' | 'journal'): Promise<string[]> {
  const run = place(task, 'full');
  const { manifest } = await readRun(run);
  const own =
    `${recipeYaml(manifest.recipe.resolved)} ${JSON.stringify(manifest)} ${builtViewer().script}`.toLowerCase();
  const lines = ledgerOf(run);
  const quotes = lines.flatMap(({ gold, predicted }) => [gold?.text ?? '', predicted?.text ?? '']);
  const labels = new Set(lines.map(({ label }) => label.toLowerCase()));
  const words = quotes.join(' ').match(/\p{L}{6,}/gu) ?? [];
  return [...new Set(words)].filter((word) => !own.includes(word.toLowerCase()) && !labels.has(word.toLowerCase()));
}

/** Words that a text has, as words of their own. */
function found(words: readonly string[], text: string): string[] {
  const said = new Set((text.match(/\p{L}+/gu) ?? []).map((word) => word.toLowerCase()));
  return words.filter((word) => said.has(word.toLowerCase()));
}

/** All that a page says: also paragraphs that the browser leaves undrawn until somebody scrolls to them. */
async function saidBy(page: Page): Promise<string> {
  const undrawn = await page.locator('main p, main li, main td, main .paragraph').allTextContents();
  return [await page.locator('body').innerText(), ...undrawn].join('\n');
}

describe.each(HOW)('a report whose texts are %s', (how) => {
  it.each(['pii', 'journal'] as const)('has no word of a document or an answer in its file: %s', async (task) => {
    const words = await wordsOf(task);
    expect(words.length).toBeGreaterThan(15);
    const read = (run: string) => {
      const html = readFileSync(join(run, 'report.html'), 'utf8');
      return `${openReport(html).everything}\n${html.slice(html.indexOf('<noscript>'), html.indexOf('</noscript>'))}`;
    };
    // They would be found.
    expect(found(words, read(place(task, 'full')))).toEqual(words);
    expect(found(words, read(place(task, how)))).toEqual([]);
  });

  it.each(['pii', 'journal'] as const)('shows none on any view: %s', async (task) => {
    const words = await wordsOf(task);
    const { page, faults } = await openWatched(browser, linkOf(place(task, how)));
    for (const view of ['Cases', 'Figures', 'Audit', 'Recipe', 'Summary', 'Cases']) {
      await showView(page, view);
      expect(found(words, await saidBy(page)), view).toEqual([]);
    }
    const rows = await page.locator('.open-case').count();
    for (let at = 0; at < rows; at += 1) {
      await openRow(page, at);
      const picks = page.locator('.case-view').locator('.tag, .items-table .row-button');
      for (let pick = 0; pick < Math.min(3, await picks.count()); pick += 1) {
        await picks.nth(pick).dispatchEvent('click');
        await page.locator('.details .verdict-line').first().waitFor();
        expect(found(words, await saidBy(page)), `case ${at}`).toEqual([]);
      }
      expect(found(words, await saidBy(page)), `case ${at}`).toEqual([]);
      const instead = how === 'none' ? 'texts were left out of this report' : '▒▒▒';
      await expect.poll(() => page.locator('.case-view').innerText()).toContain(instead);
    }
    expect(await faults()).toEqual([]);
  });

  it('is so of several runs as well', async () => {
    const file = join(folder, `${how}.html`);
    await comparedReport([place('journal', 'full'), place('journal', how)], file, { texts: how });
    expect(found(await wordsOf('journal'), openReport(readFileSync(file, 'utf8')).everything)).toEqual([]);
    const { page } = await openWatched(browser, linkOf(file, '#view=cases&case=D06'));
    await page.locator('.case-view').waitFor();
    expect(found(await wordsOf('journal'), await saidBy(page))).toEqual([]);
  });
});
