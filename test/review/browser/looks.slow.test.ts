import { beforeAll, describe, expect, it } from 'vitest';

import { axeFaults } from './axe-faults.ts';
import { NARROW, useBrowser, WIDE } from './browser.ts';
import { buildApp } from './built-app.ts';
import { HOSTILE, SECRETS } from './consultations.ts';
import { takePicture } from './pictures.ts';
import { dividedReview, screensOf } from './screens.ts';

const browser = useBrowser();
beforeAll(buildApp);

const LOOKS = [
  { name: '1280', viewport: WIDE },
  { name: '390', viewport: NARROW },
] as const;

describe('all screens', () => {
  it.each(LOOKS)('have no serious fault of accessibility and fit the window, at $name', async ({ name, viewport }) => {
    const serving = await dividedReview();
    const found: Record<string, string[]> = {};
    for (const screen of screensOf(serving, { viewport })) {
      const page = await screen.open((link) => browser.open(link, { viewport }));
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      found[screen.name] = [
        ...(await axeFaults(page)),
        ...(width > viewport.width ? [`it is ${width} pixels wide`] : []),
      ];
      const whole = screen.name === 'owner';
      await takePicture(page, `${screen.name}-${name}-light`, { whole });
      // Dark differs from light in nothing but its colours, which are the same in every window.
      await page.emulateMedia({ colorScheme: 'dark' });
      if (viewport === WIDE) found[`${screen.name}, dark`] = await axeFaults(page, ['color-contrast']);
      await takePicture(page, `${screen.name}-${name}-dark`, { whole });
      await page.context().close();
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((screen) => [screen, []])));
  });
});

describe('an answer that contains markup', () => {
  it.each(['review-hostile', 'adjudicate-hostile'])('is shown as text and does not run: %s', async (wanted) => {
    const serving = await dividedReview();
    const screen = screensOf(serving, {}).find(({ name }) => name === wanted)!;
    const page = await screen.open((link) => browser.open(link));
    const shown = await page.locator('.shown-content').innerText();
    expect(shown).toContain('<img src=x onerror="globalThis.ran=1"> Then </script><script>globalThis.ran=2</script>');
    expect(shown).toContain('U+202E');
    expect(shown).not.toContain('\u202E');
    expect(HOSTILE).toContain('\u202E');
    await expect.poll(() => page.locator('.shown-content').locator('img, script, a').count()).toBe(0);
    expect(await page.evaluate<boolean>('"ran" in globalThis')).toBe(false);
    for (const secret of SECRETS) expect(await page.content()).not.toContain(secret);
  });
});
