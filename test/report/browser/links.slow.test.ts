import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

import { useBrowser } from '../../review/browser/browser.ts';
import { buildApp } from '../../review/browser/built-app.ts';
import { ledgerOf, linkOf, MAKING_MS, scoreJournal, useFolder } from './reports.ts';
import { listed, openWatched, ready, stateOf } from './watched.ts';

const browser = useBrowser();
const folder = useFolder();
const run = join(folder, 'journal');

beforeAll(async () => {
  await buildApp();
  await scoreJournal(run);
}, MAKING_MS);

/** A missed item of D06. */
function missed() {
  const found = ledgerOf(run).find((line) => line.case === 'D06' && line.verdict === 'missed');
  if (found?.gold === undefined) throw new Error('D06 has nothing missed');
  return { line: found, gold: found.gold, key: `0.gold.${found.kind}.${found.gold.index}` };
}

async function detailsOf(page: Page): Promise<string> {
  return (await page.locator('.details').innerText()).replaceAll(/\s+/g, ' ');
}

describe('a link with a state', () => {
  it('opens the view, the filter, the case and the item', async () => {
    const { key, gold } = missed();
    const state = `#view=cases&filter=wrong&error=type&sort=errors&case=D06&item=${key}`;
    const { page, faults } = await openWatched(browser, linkOf(run, state));
    await page.locator('.case-view').waitFor();
    await expect.poll(() => page.title()).toBe('D06 · journal/ashwam · Assay');
    await expect.poll(() => page.locator('#case-title').innerText()).toBe('D06');
    expect(await page.getByLabel('Error type').inputValue()).not.toBe('');
    await expect.poll(() => page.getByLabel('Order').inputValue()).toBe('errors');
    await expect.poll(() => page.getByRole('link', { name: /^wrong/ }).getAttribute('aria-current')).toBe('true');
    await expect.poll(() => detailsOf(page)).toContain(gold.text);
    await expect.poll(() => page.locator('[data-key][aria-pressed=true]').first().getAttribute('data-key')).toBe(key);
    // Nothing was changed by looking.
    await expect
      .poll(() => stateOf(page))
      .toEqual({
        view: 'cases',
        filter: 'wrong',
        error: 'type',
        sort: 'errors',
        case: 'D06',
        item: key,
      });
    expect(await faults()).toEqual([]);
  });

  it('is what the address is after every step, and what back and forward go through', async () => {
    const { page } = await openWatched(browser, linkOf(run));
    const views = page.getByRole('navigation', { name: 'Views' });
    await views.getByRole('link', { name: 'Figures' }).click();
    await views.getByRole('link', { name: 'Cases' }).click();
    await page.getByRole('link', { name: /^wrong/ }).click();
    await page.getByRole('link', { name: 'D03', exact: true }).click();
    await page.locator('#case-title').waitFor();
    await expect.poll(() => stateOf(page)).toEqual({ view: 'cases', filter: 'wrong', case: 'D03' });
    await page.goBack();
    await page.locator('#case-title').waitFor({ state: 'detached' });
    await expect.poll(() => stateOf(page)).toEqual({ view: 'cases', filter: 'wrong' });
    expect(await listed(page)).not.toContain('D05');
    await page.goBack();
    await expect.poll(() => listed(page)).toContain('D05');
    await page.goBack();
    await expect.poll(() => views.locator('[aria-current]').innerText()).toBe('Figures');
    await page.goForward();
    await page.goForward();
    await page.goForward();
    await page.locator('#case-title').waitFor();
    await expect.poll(() => page.locator('#case-title').innerText()).toBe('D03');
    // Through the case with j, and back past all of it: steps from case to case are no places to go back to.
    await page.keyboard.press('j');
    await expect.poll(() => page.locator('#case-title').innerText()).toBe('D04');
    await page.waitForTimeout(400);
    await page.goBack();
    await page.locator('#case-title').waitFor({ state: 'detached' });
    await expect.poll(() => stateOf(page)).toEqual({ view: 'cases', filter: 'wrong' });
  });

  it('is copied from an item and opens it elsewhere', async () => {
    const { line, gold, key } = missed();
    const { page } = await openWatched(browser, linkOf(run, '#view=cases&case=D06'));
    await page.locator(`.tag[data-key="${key}"]`).click();
    await page.locator('.details-link').waitFor();
    const link = (await page.locator('.details-link').getAttribute('href')) ?? '';
    const { page: other } = await openWatched(browser, linkOf(run, link));
    await other.locator('.details-link').waitFor();
    await expect.poll(() => detailsOf(other)).toBe(await detailsOf(page));
    await expect.poll(() => detailsOf(other)).toContain(gold.text);
    await expect.poll(() => other.locator('.details .reasons code').first().innerText()).toBe(line.rule);
  });

  it('that means nothing here says so', async () => {
    const { page } = await openWatched(browser, linkOf(run, '#view=cases&case=Nobody&item=0.gold.object.99'));
    await expect.poll(() => page.locator('.case-pane').innerText()).toContain('no case of this name');
    await page.goto(linkOf(run, '#view=cases&case=D06&item=0.gold.object.99'));
    await ready(page);
    await expect.poll(() => page.locator('.details').innerText()).toContain('has no item');
    const odd = '#view=nowhere&filter=%00&sort=__proto__&run=99&slice=constructor&value=x';
    const { page: last, faults } = await openWatched(browser, linkOf(run, odd));
    await last.getByRole('heading', { name: 'Measures' }).waitFor();
    expect(await faults()).toEqual([]);
  });
});
