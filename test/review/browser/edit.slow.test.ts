import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

import type { ItemAnswer, ReviewCell, ReviewItemRecord } from '../../../src/store/review-records.ts';
import { useBrowser } from './browser.ts';
import { buildApp } from './built-app.ts';
import { cellsOf, itemShown, press, type Row, rowsOf, saved } from './by-keyboard.ts';
import { type Serving, servingConsultations } from './serving.ts';

const browser = useBrowser();
beforeAll(buildApp);

interface AtClaims {
  readonly serving: Serving;
  readonly page: Page;
  readonly item: ReviewItemRecord;
  readonly rows: readonly Row[];
  readonly list: readonly ItemAnswer[];
}

/** An answer of which everything is answered, with the focus on its first claim. */
async function atFirstClaim(): Promise<AtClaims> {
  const serving = await servingConsultations(1);
  const page = await browser.open(serving.linkTo('Asha'));
  while ((await itemShown(page, serving, 'Asha')).kind === 'case') await page.keyboard.press('n');
  const item = await itemShown(page, serving, 'Asha');
  const rows = rowsOf(serving, item, 0);
  await press(page, rows);
  const list = cellsOf(rows).find(isList)!.value as readonly ItemAnswer[];
  await thing(page, 1).locator('input:checked').focus();
  return { serving, page, item, rows, list };
}

function isList({ value }: ReviewCell): boolean {
  return Array.isArray(value);
}

function thing(page: Page, number: number) {
  return page.locator(`.thing-list > li:nth-child(${number})`);
}

function editor(page: Page) {
  return page.getByLabel('Words of the claim');
}

async function write(page: Page, words: string): Promise<void> {
  await page.keyboard.press('e');
  await editor(page).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('End');
  await page.keyboard.type(words);
}

function wordsInStore({ serving, item }: AtClaims): string[] {
  const state = serving.store.reviews.state(item.id, serving.people.get('Asha')!.id);
  return ((state?.cells.find(isList)?.value ?? []) as readonly ItemAnswer[]).map(({ text }) => text);
}

describe('words of a claim that are being edited', () => {
  it('are part of what is done, with the button and from within the field', async () => {
    for (const way of ['button', 'key']) {
      const at = await atFirstClaim();
      const { page, serving, item, list } = at;
      await write(page, ' BEFOREDONE');
      const before = await page.locator('.item-title').innerText();
      if (way === 'button') await page.getByRole('button', { name: /^Done, next/ }).click();
      else await page.keyboard.press('Control+Enter');
      await expect.poll(() => page.locator('.item-title').innerText()).not.toBe(before);
      await saved(page);
      expect(serving.store.reviews.state(item.id, serving.people.get('Asha')!.id)?.committed).toBe(true);
      expect(wordsInStore(at)).toEqual([`${list[0]!.text} BEFOREDONE`, ...list.slice(1).map(({ text }) => text)]);
    }
  });

  it('are kept and closed by going to another claim, and open again where they were left', async () => {
    const at = await atFirstClaim();
    const { page, list } = at;
    await write(page, ' HALF');
    await thing(page, 2).locator('label').last().click();
    await editor(page).waitFor({ state: 'detached' });
    await page.keyboard.press('k');
    await write(page, ' jkun1');
    await expect.poll(() => editor(page).inputValue()).toBe(`${list[0]!.text} HALF jkun1`);
    await page.keyboard.press('Enter');
    await editor(page).waitFor({ state: 'detached' });
    await saved(page);
    expect(wordsInStore(at)).toEqual([`${list[0]!.text} HALF jkun1`, ...list.slice(1).map(({ text }) => text)]);
    // The label that was clicked is a step of its own between the two.
    await page.keyboard.press('u');
    await saved(page);
    expect(wordsInStore(at)[0]).toBe(`${list[0]!.text} HALF`);
    await page.keyboard.press('u');
    await page.keyboard.press('u');
    await saved(page);
    expect(wordsInStore(at)).toEqual(list.map(({ text }) => text));
  });

  it('are there after a reload, whether or not they had been sent', async () => {
    const at = await atFirstClaim();
    const { page, serving, list } = at;
    await write(page, ' SENT');
    await expect.poll(() => wordsInStore(at)[0]).toBe(`${list[0]!.text} SENT`);
    await page.keyboard.type(' AND NOT');
    await page.reload();
    await itemShown(page, serving, 'Asha');
    await expect
      .poll(() => thing(page, 1).locator('.thing-words').innerText())
      .toContain(`${list[0]!.text} SENT AND NOT`);
    await expect.poll(() => wordsInStore(at)[0]).toBe(`${list[0]!.text} SENT AND NOT`);
  });

  it('go back to what they were with Escape, from the field or from beside it, and are never empty', async () => {
    const at = await atFirstClaim();
    const { page, list } = at;
    const words = list.map(({ text }) => text);
    await write(page, ' NO');
    await expect.poll(() => wordsInStore(at)[0]).toBe(`${words[0]!} NO`);
    await page.keyboard.press('Escape');
    await editor(page).waitFor({ state: 'detached' });
    await saved(page);
    expect(wordsInStore(at)).toEqual(words);

    await write(page, ' NEITHER');
    await thing(page, 1).locator('input:checked').focus();
    await page.keyboard.press('e');
    await page.keyboard.type(' THIS');
    await expect.poll(() => editor(page).inputValue()).toBe(`${words[0]!} NEITHER THIS`);
    await thing(page, 1).locator('input:checked').focus();
    await page.keyboard.press('Escape');
    await editor(page).waitFor({ state: 'detached' });
    await saved(page);
    expect(wordsInStore(at)).toEqual(words);

    await write(page, '');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Backspace');
    await page.getByText('A claim without words is not kept').waitFor();
    await page.keyboard.press('Enter');
    await editor(page).waitFor({ state: 'detached' });
    await saved(page);
    expect(wordsInStore(at)).toEqual(words);
  });
});
