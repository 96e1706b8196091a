import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { useBrowser } from '../../review/browser/browser.ts';
import { buildApp } from '../../review/browser/built-app.ts';
import { takePicture } from '../../review/browser/pictures.ts';
import { casesOf, linkOf, MAKING_MS, scorePii, useFolder } from './reports.ts';
import { openWatched } from './watched.ts';

const browser = useBrowser();
const folder = useFolder();
const run = join(folder, 'pii');

beforeAll(async () => {
  await buildApp();
  await scorePii(run);
}, MAKING_MS);

/** Pages of a PDF that is not packed so that they cannot be counted. */
function pagesOf(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

describe('a report on paper', () => {
  it('is whole: summary, figures, audit, cases and recipe, and nothing to press', async () => {
    const { page, faults } = await openWatched(browser, linkOf(run));
    await page.emulateMedia({ media: 'print' });
    await page.locator('.paper-pages h1').waitFor();
    const headings = await page.locator('.paper-pages h2:visible').allInnerTexts();
    for (const title of [
      'Measures',
      'By label and slice',
      'What keeps F1 from 1',
      'From strict matching to the score',
      'Audit',
      'Cases',
    ])
      expect(headings.map((text) => text.trim())).toContain(title);
    await expect.poll(() => page.locator('.paper-pages .finding:visible').count()).toBeGreaterThan(0);
    await expect
      .poll(() => page.locator('.paper-pages svg[role=img]:visible, .paper-pages figure svg:visible').count())
      .toBeGreaterThan(2);
    const text = await page.locator('body').innerText();
    for (const given of casesOf(run)) expect(text).toContain(given.case);
    const controls = page.locator('select:visible, input:visible, nav:visible');
    await expect
      .poll(() => controls.evaluateAll((found) => found.map((one) => one.outerHTML.slice(0, 120))))
      .toEqual([]);
    // What says something stays, but looks like nothing to press.
    const pressable = await page.locator('button:visible').evaluateAll((found) =>
      found
        .filter((one) => {
          const { borderTopWidth, backgroundColor } = getComputedStyle(one);
          return borderTopWidth !== '0px' || backgroundColor !== 'rgba(0, 0, 0, 0)';
        })
        .map((one) => one.outerHTML.slice(0, 120)),
    );
    expect(pressable).toEqual([]);
    // The screen is not printed beside it.
    await expect.poll(() => page.locator('#app').isVisible()).toBe(false);
    await takePicture(page, 'report-paper', { whole: true });
    expect(await faults()).toEqual([]);
  });

  it('can be made a PDF, and the screen is as it was', async () => {
    const { page } = await openWatched(browser, linkOf(run, '#view=figures'));
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pagesOf(pdf)).toBeGreaterThan(3);
    await expect.poll(() => page.locator('#app').isVisible()).toBe(true);
    await expect.poll(() => page.locator('.paper-pages').innerText()).toBe('');
  });

  it('is the case where one is open', async () => {
    const { page } = await openWatched(browser, linkOf(run, '#view=cases&case=EX-002'));
    await page.locator('.case-view').waitFor();
    await page.emulateMedia({ media: 'print' });
    const text = await page.locator('body').innerText();
    expect(text).toContain('EX-002');
    expect(text).not.toContain('EX-004');
    await expect.poll(() => page.locator('.marked .tag:visible').count()).toBeGreaterThan(5);
    await expect.poll(() => page.locator('.items-table:visible').count()).toBe(1);
    await takePicture(page, 'report-paper-case', { whole: true });
    expect(pagesOf(await page.pdf({ format: 'A4' }))).toBeGreaterThan(0);
  });
});
