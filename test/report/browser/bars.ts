import type { Locator, Page } from 'playwright-core';

export interface Bar {
  readonly top: number;
  readonly left: number;
  readonly right: number;
}

/**
 * The bars that are drawn above and below some words, as they are on the screen: long runs of one colour, a bar for each
 * group of rows of pixels. They are a background and have no boxes of their own.
 */
export async function barsOf(page: Page, words: Locator): Promise<Bar[]> {
  const box = await words.boundingBox();
  if (box === null) throw new Error('the words are not on the screen');
  const clip = {
    x: Math.floor(box.x) - 12,
    y: Math.floor(box.y),
    width: Math.ceil(box.width) + 24,
    height: Math.ceil(box.height),
  };
  const picture = (await page.screenshot({ clip })).toString('base64');
  // Read in a page of its own: a report lets no picture in.
  const reader = await page.context().newPage();
  try {
    const rows = await reader.evaluate(longRuns, { picture, least: box.width / 2 });
    return rows
      .filter((row, at) => row.top !== (rows[at - 1]?.top ?? -2) + 1)
      .map(({ top, left, right }) => ({ top: top + clip.y, left: left + clip.x, right: right + clip.x }));
  } finally {
    await reader.close();
  }
}

/** Runs in the page: for each row of pixels the longest run of one colour that is not the paper. */
async function longRuns({ picture, least }: { picture: string; least: number }): Promise<Bar[]> {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  if (context === null) return [];
  context.drawImage(image, 0, 0);
  const { data, width, height } = context.getImageData(0, 0, image.width, image.height);
  const found: Bar[] = [];
  const colourAt = (x: number, y: number): number => {
    const at = 4 * (y * width + x);
    return ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
  };
  const paper = colourAt(0, 0);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width;) {
      const colour = colourAt(x, y);
      let to = x;
      while (to < width && colourAt(to, y) === colour) to += 1;
      if (colour !== paper && to - x > least) found.push({ top: y, left: x, right: to });
      x = to;
    }
  }
  return found;
}
