import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

import { NARROW, useBrowser } from '../../review/browser/browser.ts';
import { buildApp } from '../../review/browser/built-app.ts';
import { casesOf, linkOf, MAKING_MS, scoreJournal, useFolder } from './reports.ts';
import { listed, openWatched, showView, stateOf } from './watched.ts';

const browser = useBrowser();
const folder = useFolder();
const run = join(folder, 'journal');

beforeAll(async () => {
  await buildApp();
  await scoreJournal(run);
}, MAKING_MS);

const DRAWN = 'new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => setTimeout(resolve))))';

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.evaluate(DRAWN);
  }
}

/** What has the focus, in short; `nothing` where it is lost. */
async function focused(page: Page): Promise<string> {
  return page.evaluate<string>(`{
    const { activeElement } = document;
    activeElement === null || activeElement === document.body ? 'nothing'
      : activeElement.getAttribute('aria-label') ?? activeElement.textContent.trim().slice(0, 60);
  }`);
}

/** Whether the focus can be seen: an outline or a ring on it, or on the row that stands for it. */
async function isFocusSeen(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`{
    const { activeElement } = document;
    const row = activeElement.getAttribute('aria-activedescendant');
    const shown = row === null ? activeElement : document.getElementById(row);
    const style = getComputedStyle(shown);
    const box = shown.getBoundingClientRect();
    (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 || style.boxShadow !== 'none') &&
      box.width > 0 && box.bottom > 0 && box.top < innerHeight;
  }`);
}

/** By the tab key, until something has the focus that fits; whatever is on the way can be seen. */
async function tabTo(page: Page, wanted: string): Promise<void> {
  for (let stops = 0; stops < 60; stops += 1) {
    await press(page, 'Tab');
    expect(await isFocusSeen(page), await focused(page)).toBe(true);
    if (await page.evaluate((what) => document.activeElement?.matches(what), wanted)) return;
  }
  throw new Error(`the tab key does not lead to ${wanted}`);
}

async function title(page: Page): Promise<string | null> {
  const found = page.locator('#case-title');
  return (await found.count()) === 0 ? null : found.innerText();
}

/** The current row of the list. */
async function current(page: Page): Promise<string> {
  return page.locator('.case-line.current .open-case').innerText();
}

describe('by keyboard alone', () => {
  it('one comes to the list, walks it, opens a case and goes back', async () => {
    const { page } = await openWatched(browser, linkOf(run, '#view=cases'));
    const ids = casesOf(run).map((given) => given.case);
    // Each stop on the way can be seen.
    await tabTo(page, '[role=grid]');
    await press(page, 'ArrowDown', 'ArrowDown', 'ArrowDown');
    await expect.poll(() => current(page)).toBe(ids[2]);
    await press(page, 'ArrowUp');
    await expect.poll(() => current(page)).toBe(ids[1]);
    await press(page, 'End');
    await expect.poll(() => current(page)).toBe(ids.at(-1));
    await press(page, 'Home');
    await expect.poll(() => current(page)).toBe(ids[0]);
    await expect.poll(() => isFocusSeen(page)).toBe(true);
    await press(page, 'Enter');
    await expect.poll(() => title(page)).toBe(ids[0]);
    await press(page, 'j', 'j');
    await expect.poll(() => title(page)).toBe(ids[2]);
    await press(page, 'k');
    await expect.poll(() => title(page)).toBe(ids[1]);
    await expect.poll(() => focused(page)).not.toBe('nothing');
    await press(page, 'Escape');
    await expect.poll(() => title(page)).toBeNull();
    await expect.poll(() => focused(page)).toBe('Cases');
    await expect.poll(() => current(page)).toBe(ids[1]);
    await press(page, 'ArrowDown');
    await expect.poll(() => current(page)).toBe(ids[2]);
  });

  it('one searches, and goes from the field into what is found', async () => {
    const { page } = await openWatched(browser, linkOf(run, '#view=cases'));
    await press(page, '/');
    await expect.poll(() => focused(page)).toBe('Search texts, labels and ids');
    await expect.poll(() => isFocusSeen(page)).toBe(true);
    // In a field keys write text, also those that mean something elsewhere.
    await page.keyboard.type('j');
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('j');
    await page.getByRole('searchbox').fill('');
    await page.keyboard.type('d06');
    await expect.poll(() => listed(page)).toEqual(['D06']);
    await press(page, 'ArrowDown');
    await expect.poll(() => focused(page)).toBe('Cases');
    await press(page, 'Enter');
    await expect.poll(() => title(page)).toBe('D06');
    await press(page, '/');
    await press(page, 'Escape');
    await expect.poll(() => focused(page)).toBe('Cases');
    await expect.poll(() => title(page)).toBe('D06');
  });

  it('one walks through the items of a case, lets go of one and then of the case', async () => {
    const { page } = await openWatched(browser, linkOf(run, '#view=cases&case=D06'));
    await page.locator('.case-view').waitFor();
    const first = page.locator('.marked .tag[tabindex="0"]').first();
    await tabTo(page, '.tag');
    await expect.poll(() => focused(page)).toBe(await first.getAttribute('aria-label'));
    await press(page, 'Enter');
    const chosen = (await stateOf(page))['item'];
    expect(chosen).toMatch(/^0\.(gold|predicted)\.object\.\d+$/);
    await press(page, 'ArrowRight', 'ArrowRight');
    const next = (await stateOf(page))['item'];
    expect(next).not.toBe(chosen);
    await expect.poll(() => isFocusSeen(page)).toBe(true);
    await press(page, 'Escape');
    expect((await stateOf(page))['item']).toBeUndefined();
    await expect.poll(() => title(page)).toBe('D06');
    await expect.poll(() => focused(page)).not.toBe('nothing');
    await press(page, 'Escape');
    await expect.poll(() => title(page)).toBeNull();
    await expect.poll(() => focused(page)).toBe('Cases');
  });

  it('keys do the same while nothing has the focus', async () => {
    const { page } = await openWatched(browser, linkOf(run, '#view=cases'));
    await press(page, 'j', 'j');
    await expect.poll(() => current(page)).toBe('D02');
    await expect.poll(() => focused(page)).toBe('nothing');
    await press(page, 'Enter');
    await expect.poll(() => title(page)).toBe('D02');
    await page.locator('.case-view').waitFor();
    await press(page, 'ArrowRight');
    const first = (await stateOf(page))['item'];
    expect(first).toMatch(/^0\./);
    await press(page, 'ArrowRight', 'ArrowLeft');
    await expect.poll(async () => (await stateOf(page))['item']).toBe(first);
    // And where a link leads to an item.
    const { page: linked } = await openWatched(browser, linkOf(run, `#view=cases&case=D02&item=${first ?? ''}`));
    await linked.locator('.case-view').waitFor();
    await press(linked, 'ArrowRight');
    expect((await stateOf(linked))['item']).not.toBe(first);
  });

  it('one asks which keys there are, and comes back to where one was', async () => {
    const { page } = await openWatched(browser, linkOf(run, '#view=cases'));
    await page.locator('.case-grid').focus();
    await press(page, 'ArrowDown', '?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard' });
    await dialog.waitFor();
    for (const does of ['next case', 'open the marked case', 'search'])
      await expect.poll(() => dialog.innerText()).toContain(does);
    // Beneath it keys are silent.
    await press(page, 'j');
    await expect.poll(() => current(page)).toBe('D01');
    await press(page, 'Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('Cases');
    // On another view it lists what works there.
    await showView(page, 'Summary');
    await press(page, '?');
    expect(await page.getByRole('dialog').innerText()).not.toContain('next case');
  });

  it('the focus is never lost on the way through the views', async () => {
    const { page } = await openWatched(browser, linkOf(run));
    for (const view of ['Cases', 'Figures', 'Audit', 'Recipe', 'Summary']) {
      await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).focus();
      await press(page, 'Enter');
      await expect.poll(async () => (await stateOf(page))['view']).toBe(view.toLowerCase());
      await expect.poll(() => focused(page), { message: view }).toBe(view);
      expect(await isFocusSeen(page), view).toBe(true);
    }
  });

  it('in a narrow window a case takes the screen, and going back finds the list as it was', async () => {
    const { page } = await openWatched(browser, linkOf(run, '#view=cases'), { viewport: NARROW });
    await page.locator('.case-grid').focus();
    await press(page, 'ArrowDown', 'ArrowDown', 'Enter');
    await expect.poll(() => title(page)).toBe('D02');
    await expect.poll(() => page.locator('.case-grid').count()).toBe(0);
    await expect.poll(() => focused(page)).toBe('D02');
    await press(page, 'j');
    await expect.poll(() => title(page)).toBe('D03');
    await press(page, 'Escape');
    await expect.poll(() => focused(page)).toBe('Cases');
    await expect.poll(() => current(page)).toBe('D03');
  });
});
