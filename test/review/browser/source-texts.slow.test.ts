import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

import { axeFaults } from './axe-faults.ts';
import { NARROW, useBrowser, WIDE } from './browser.ts';
import { buildApp } from './built-app.ts';
import { HOSTILE, NAME, SECRETS } from './consultations.ts';
import { takePicture } from './pictures.ts';
import { type Serving, servingConsultations } from './serving.ts';

const browser = useBrowser();
beforeAll(buildApp);

const FILLER = Array.from({ length: 2500 }, (_, at) => `line${at}`).join(' ');
const TEXTS = [
  {
    name: 'charaka.txt',
    text: `${FILLER}\n\nWarm milk before bed and a\nregular hour calm vata and bring sleep.\n\n${FILLER}`,
  },
  { name: 'hostile.md', text: `Milk: ${HOSTILE}` },
];

/** The answer to C1 that claims something of milk, with the row of that claim in hand. */
async function atClaim(serving: Serving, viewport: typeof WIDE | typeof NARROW = WIDE): Promise<Page> {
  const { id } = serving.store.reviews.find(NAME)!;
  const item = serving.store.reviews.items(id).find(({ kind, caseId, system }) => {
    return kind === 'answer' && caseId === 'C1' && system === SECRETS[0];
  })!;
  const page = await browser.open(`${serving.linkTo('Asha')}/${item.id}`, { viewport });
  await page.locator('.questions-pane [data-stop]:focus-within').waitFor();
  await page.locator('.thing', { hasText: 'warm milk' }).click();
  await page.locator('.thing.current', { hasText: 'warm milk' }).waitFor();
  return page;
}

describe('the source texts beside a claim', () => {
  it('are searched for the claim by one key, read at the passage, and left by another, all by keyboard', async () => {
    const serving = await servingConsultations(2, [], TEXTS);
    const page = await atClaim(serving);
    await page.keyboard.press('t');
    const hits = page.getByRole('region', { name: 'Places found' });
    await hits.getByText(/Places 1 to \d of \d/).waitFor();
    expect(await page.getByLabel('Search the texts').inputValue()).toBe('Drink warm milk before bed.');
    const first = hits.locator('.passage').first();
    expect(await first.locator('cite').innerText()).toContain('charaka.txt');
    expect(await first.locator('cite').innerText()).toContain('retrieved');
    expect(await first.locator('mark').allInnerTexts()).toEqual(expect.arrayContaining(['Warm', 'milk', 'bed']));
    await takePicture(page, 'source-texts-hits');
    expect(await axeFaults(page)).toEqual([]);

    // From the search field on: Search, Words of the claim, and the first place.
    for (let at = 0; at < 3; at += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const reader = page.getByRole('region', { name: 'Source text' });
    await reader.getByText(/page 3 of 6/).waitFor();
    const retrieved = (await reader.locator('mark.retrieved').allInnerTexts()).join('');
    expect(retrieved.replaceAll(/\s+/g, ' ')).toBe(
      'Warm milk before bed and a regular hour calm vata and bring sleep.',
    );
    expect(await reader.locator('mark.retrieved').first().isVisible()).toBe(true);
    const box = await reader.locator('mark.retrieved').first().boundingBox();
    expect(box!.y).toBeGreaterThan(0);
    expect(box!.y).toBeLessThan(WIDE.height);
    await takePicture(page, 'source-texts-page');
    expect(await axeFaults(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFaults(page, ['color-contrast'])).toEqual([]);

    // The claim is still at hand: its label is one key away.
    await page.keyboard.press('1');
    await page.locator('.thing', { hasText: 'warm milk' }).locator('input:checked').waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await page.locator('.questions-pane [data-stop]:focus-within').waitFor();
  });

  it('show all that was retrieved, which text has it, and markup as text; nothing names a system', async () => {
    const serving = await servingConsultations(2, [], TEXTS);
    const page = await atClaim(serving);
    await page.getByRole('button', { name: /Source texts/ }).click();
    await page.getByText('All 3 retrieved passages').waitFor();
    expect(await page.locator('.source-texts .passage').count()).toBe(3);
    expect(await page.getByText('Not found in the texts').count()).toBe(2);
    await takePicture(page, 'source-texts-shelf');
    await page.getByRole('button', { name: 'hostile.md' }).click();
    const shown = await page.locator('.source-page').innerText();
    expect(shown).toContain('<img src=x onerror="globalThis.ran=1"> Then </script>');
    expect(shown).toContain('U+202E');
    expect(await page.locator('.source-page').locator('img, script, a').count()).toBe(0);
    expect(await page.evaluate<boolean>('"ran" in globalThis')).toBe(false);
    for (const secret of SECRETS) expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Under review' }).click();
    await page.locator('.shown-content').waitFor();
  });

  it('fit a narrow window, and are not offered where a review has none', async () => {
    const page = await atClaim(await servingConsultations(2, [], TEXTS), NARROW);
    await page.getByRole('button', { name: /Source texts/ }).click();
    await page.getByLabel('Search the texts').fill('vata sleep');
    await page.keyboard.press('Enter');
    await page.getByText(/Places 1 to/).waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(NARROW.width);
    expect(await axeFaults(page)).toEqual([]);
    await takePicture(page, 'source-texts-narrow');
    const without = await atClaim(await servingConsultations(2));
    expect(await without.getByRole('button', { name: /Source texts/ }).count()).toBe(0);
  });
});
