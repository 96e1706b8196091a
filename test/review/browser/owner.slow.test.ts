import { readFileSync } from 'node:fs';

import { beforeAll, describe, expect, it } from 'vitest';

import { answerAll } from './answers.ts';
import { useBrowser } from './browser.ts';
import { buildApp } from './built-app.ts';
import { servingConsultations } from './serving.ts';

const browser = useBrowser();
beforeAll(buildApp);

/** The page looks every five seconds, and machines are shared. */
const PATIENCE = { timeout: 90_000 };

describe('the owner', () => {
  it('sees work as it arrives, while the page stays where it is and what was unfolded stays so', async () => {
    const serving = await servingConsultations(1);
    answerAll(serving, 'Asha', () => undefined);
    const page = await browser.open(serving.linkTo('Kim'));
    const ravi = page.locator('.progress-row:has-text("Ravi") .progress-count');
    await expect.poll(() => ravi.innerText(), PATIENCE).toBe('0 of 3 done');
    await page.locator('.figure-numbers summary').first().click();
    await page.evaluate('scrollTo(0, 400)');
    const place = await page.evaluate<number>('scrollY');

    answerAll(serving, 'Ravi', (field) => (field === 'prakriti' ? 'pitta' : undefined));
    await expect.poll(() => ravi.innerText(), PATIENCE).toBe('3 of 3 done');
    await expect.poll(() => page.locator('dt:text("Open conflicts") + dd').innerText()).toBe('1');
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(place);
    await expect.poll(() => page.locator('.figure-numbers[open]').count()).toBe(1);
    const drawing = page.getByRole('img', { name: /^Cohen’s kappa 0\.00, no interval: .*, 1 rated by 2 people$/ });
    await expect.poll(() => drawing.count()).toBe(1);
  });

  it('takes the answers away as files, without a token in any address', async () => {
    const serving = await servingConsultations(1);
    answerAll(serving, 'Asha', (field) => (field === 'comment' ? 'ठीक है, =1+1' : undefined));
    const page = await browser.open(serving.linkTo('Kim'));
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    const files = [];
    for (const name of ['Download CSV', 'Download JSONL']) {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
      files.push({ name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') });
    }
    expect(files.map(({ name }) => name)).toEqual(['pilot-reviews.csv', 'pilot-reviews.jsonl']);
    for (const { text } of files) expect(text).toContain('ठीक है, =1+1');
    const token = new URL(serving.linkTo('Kim')).hash.slice(1);
    expect(addresses.some((address) => address.endsWith('/api/review/export.csv'))).toBe(true);
    expect(addresses.join('\n')).not.toContain(token);
  });
});
