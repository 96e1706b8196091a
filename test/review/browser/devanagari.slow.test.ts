import { beforeAll, describe, expect, it } from 'vitest';

import { useBrowser } from './browser.ts';
import { buildApp } from './built-app.ts';
import { servingConsultations } from './serving.ts';
import { screensOf } from './screens.ts';

const browser = useBrowser({ fonts: 'latin' });
beforeAll(buildApp);

interface Drawn {
  /** How many of six letters, and of a place without one, look different from each other. */
  readonly pictures: number;
  readonly joined: number;
  readonly apart: number;
}

/** Runs in the page. U+0378 is no letter: what is drawn for it is the box that stands for what a font does not have. */
const DRAW = `(font) => {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const picture = (letter) => {
    context.reset();
    context.font = font;
    context.fillText(letter, 10, 60);
    return context.getImageData(0, 0, 120, 100).data.join();
  };
  const width = (letters) => {
    context.font = font;
    return context.measureText(letters).width;
  };
  return {
    pictures: new Set(['क', 'ख', 'ग', 'म', 'न', 'स', '\\u0378'].map(picture)).size,
    joined: width('क्ष'),
    apart: width('क') + width('ष'),
  };
}`;

describe('Devanagari', () => {
  it('is drawn with letters, not with boxes, on a machine that has none of its own', async () => {
    const serving = await servingConsultations(5, ['Meera']);
    const screen = screensOf(serving, {}).find(({ name }) => name === 'review-claims')!;
    const page = await screen.open((link) => browser.open(link));
    const text = page.locator('.text[lang="hi"]').first();
    await expect.poll(() => text.textContent()).toMatch(/[\u0900-\u097f]{3}/);
    const family = await text.evaluate((element) => getComputedStyle(element).fontFamily);
    const draw = async (font: string): Promise<Drawn> => {
      await page.evaluate(`document.fonts.load(${JSON.stringify(font)}, 'क')`);
      return await page.evaluate<Drawn>(`(${DRAW})(${JSON.stringify(font)})`);
    };
    // The machine alone draws seven times the same box.
    expect(await draw('40px sans-serif')).toMatchObject({ pictures: 1 });
    for (const font of [`40px ${family}`, `700 40px ${family}`]) {
      const { pictures, joined, apart } = await draw(font);
      expect(pictures, `${font}: letters are boxes`).toBe(7);
      expect(joined, `${font}: letters do not join`).toBeLessThan(apart);
    }
    expect(await draw(`40px ${family}`)).not.toEqual(await draw(`700 40px ${family}`));
  });

  it('costs nothing where no such letter is to be written', async () => {
    const serving = await servingConsultations(1);
    const page = await browser.open('about:blank');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(serving.linkTo('Asha'));
    await page.locator('.questions-pane [data-stop]:focus-within').waitFor();
    await page.evaluate('document.fonts.ready');
    expect(asked).toContain('/review.css');
    expect(asked.filter((path) => path.endsWith('.woff2'))).toEqual([]);
  });
});
