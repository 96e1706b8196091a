import type { Page } from 'playwright-core';

import type { Look } from '../../review/browser/browser.ts';

interface Opener {
  open(link: string, look?: Look): Promise<Page>;
}

/** A page, and whatever it did that it should not. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors, warnings, requests and what the policy held up, in the order in which they came. */
  readonly faults: () => Promise<readonly string[]>;
}

/** Opens a report and takes note of all that goes on beside it. */
export async function openWatched(browser: Opener, link: string, look: Look = {}): Promise<WatchedPage> {
  const page = await browser.open('about:blank', look);
  const noted: string[] = [];
  const own = link.replace(/#.*$/, '');
  page.on('request', (request) => {
    if (request.url().replace(/#.*$/, '') !== own) noted.push(`asked for ${request.url().slice(0, 100)}`);
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) noted.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => void noted.push(`threw ${error.message}`));
  await page.addInitScript(`
    window.__blocked = [];
    addEventListener('securitypolicyviolation', (event) => {
      window.__blocked.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample);
    });
  `);
  await page.goto(link);
  await ready(page);
  return {
    page,
    faults: async () => [
      ...noted,
      ...(await page.evaluate<string[]>('window.__blocked')).map((one) => `held up ${one}`),
    ],
  };
}

/** Until the report is on the screen, with its list or its case where it has one. */
export async function ready(page: Page): Promise<void> {
  await page.locator('main').waitFor();
  await page.locator('main .loading, main .lone').waitFor({ state: 'detached' });
}

/** The ids in the list, from the top, as far as it is drawn. */
export async function listed(page: Page): Promise<string[]> {
  await page.locator('.case-grid').waitFor();
  return page.evaluate<string[]>(`
    [...document.querySelectorAll('.case-rows [role=row]')]
      .sort((a, b) => a.ariaRowIndex - b.ariaRowIndex)
      .map((row) => row.querySelector('.open-case').textContent)
  `);
}

/** Turns to a view by its tab, and waits until it is the one that is shown. */
export async function showView(page: Page, view: string): Promise<void> {
  const tab = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view });
  await tab.click();
  await page.locator('nav.tabs a[aria-current]', { hasText: view }).waitFor();
  await ready(page);
}

/** Opens the case at a place of the list, and waits until it is the one that is shown. */
export async function openRow(page: Page, at: number): Promise<void> {
  const row = page.locator(`#case-row-${at}`);
  const id = await row.locator('.open-case').innerText();
  await row.click();
  await page.locator('#case-title', { hasText: id }).waitFor();
  await page.locator('.case-view').waitFor();
}

/** What the page says of the list: "7 of 8 cases". */
export async function shownCount(page: Page): Promise<number> {
  const text = (await page.locator('.filter-bar .shown strong').textContent()) ?? '';
  return Number(text.replaceAll(',', ''));
}

/** The state in the address, once it has caught up. */
export async function stateOf(page: Page): Promise<Readonly<Record<string, string>>> {
  await page.waitForTimeout(400);
  return Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));
}
