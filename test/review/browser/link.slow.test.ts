// web/src/tab-address.ts
import { beforeAll, expect, it } from 'vitest';

import { useBrowser } from './browser.ts';
import { buildApp } from './built-app.ts';
import { servingConsultations } from './serving.ts';

const browser = useBrowser();
beforeAll(buildApp);

it('the token of a link leaves the address bar, and a reload stays signed in at the same item', async () => {
  const serving = await servingConsultations(2);
  const link = serving.linkTo('Asha');
  const token = new URL(link).hash.slice(1);
  const page = await browser.open(link);
  await page.locator('.questions-pane').waitFor();
  const shown = page.url();
  expect(shown).not.toContain(token);
  await page.reload();
  await page.locator('.questions-pane').waitFor();
  expect(page.url()).toBe(shown);
});
