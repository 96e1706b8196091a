import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

import { makeCase } from '../../../src/data/case.ts';
import { makeItem } from '../../../src/data/item.ts';
import { score } from '../../../src/report/score.ts';
import { useBrowser } from '../../review/browser/browser.ts';
import { buildApp } from '../../review/browser/built-app.ts';
import { barsOf } from './bars.ts';
import { ledgerOf, linkOf, MAKING_MS, scorePii, useFolder } from './reports.ts';
import { openWatched, stateOf } from './watched.ts';

const browser = useBrowser();
const folder = useFolder();
const pii = join(folder, 'pii');
const nested = join(folder, 'nested');

const TEXT = 'The Appeal Court of Northmere heard Ida Holm Berg in May.\n\nIt was brief.';
const place = (words: string) => ({ start: TEXT.indexOf(words), end: TEXT.indexOf(words) + words.length });

function span(index: number, label: string, words: string) {
  return makeItem({ kind: 'span', index, label, text: words, ...place(words) });
}

/** A court inside a court, a name inside a name, and predictions that lie across both. */
const GOLD = [
  span(0, 'ORG', 'Appeal Court of Northmere'),
  span(1, 'LOC', 'Northmere'),
  span(2, 'PERSON', 'Ida Holm Berg'),
  span(3, 'PERSON', 'Holm'),
];
const PREDICTED = [
  span(0, 'ORG', 'Appeal Court of Northmere'),
  span(1, 'PERSON', 'Northmere heard Ida'),
  span(2, 'PERSON', 'Holm Berg in'),
  span(3, 'PERSON', 'Holm'),
];

beforeAll(async () => {
  await buildApp();
  await scorePii(pii);
  const given = makeCase({ id: 'nested', text: TEXT, gold: GOLD, predicted: PREDICTED });
  await score('pii/strict', [given], { out: nested });
}, MAKING_MS);

async function openCase(run: string, id: string, width = 1280): Promise<Page> {
  const { page } = await openWatched(browser, linkOf(run, `#view=cases&case=${id}`), {
    viewport: { width, height: 800 },
  });
  await page.locator('.case-view').waitFor();
  return page;
}

/** What the panel says under a heading; null where it has none. */
async function reason(page: Page, name: string): Promise<string | null> {
  const found = page.locator('.details .reasons dt', { hasText: name }).locator('xpath=following-sibling::dd[1]');
  return (await found.count()) === 0 ? null : (await found.first().innerText()).replaceAll(/\s+/g, ' ');
}

describe('a span of a case', () => {
  it('that is clicked shows verdict, rule, similarity and rejected candidate as the ledger has them', async () => {
    const page = await openCase(pii, 'EX-003');
    const lines = ledgerOf(pii).filter((line) => line.case === 'EX-003');
    let rejected = 0;
    for (const line of lines) {
      const [side, item] = line.gold === undefined ? ['predicted', line.predicted] : ['gold', line.gold];
      if (item?.start === undefined) continue;
      const key = `0.${side}.span.${item.index}`;
      await page.locator(`.tag[data-key="${key}"]`).click();
      await expect.poll(() => page.locator(`.tag[data-key="${key}"]`).getAttribute('aria-pressed')).toBe('true');
      const told = page.locator('.details');
      const similarity = await reason(page, 'Similarity');
      expect({
        verdict: (await told.locator('.verdict-line .chip').first().innerText()).replaceAll(/[^a-z]/g, ''),
        rule: await told.locator('.reasons code').first().innerText(),
        similarity: similarity === null ? undefined : Number.parseFloat(similarity),
      }).toEqual({
        verdict: line.verdict,
        rule: line.rule,
        similarity: line.similarity === undefined ? undefined : Number(line.similarity.toFixed(3)),
      });
      expect(await reason(page, 'Rule'), key).toContain(line.because ?? line.rule);
      const nearest = await reason(page, 'Closest candidate');
      expect(nearest === null, key).toBe(line.rejected === undefined);
      const { label = '', text = '', why = '' } = line.rejected ?? {};
      for (const part of [label, text, why, line.rejected?.similarity.toFixed(3) ?? ''])
        expect(nearest ?? '', key).toContain(part.replaceAll(/\s+/g, ' '));
      rejected += line.rejected === undefined ? 0 : 1;
    }
    expect(lines.length).toBeGreaterThan(15);
    expect(rejected).toBeGreaterThan(0);
  });

  it('leads to the candidate that was rejected', async () => {
    const page = await openCase(pii, 'EX-003');
    const line = ledgerOf(pii).find(
      ({ case: id, rejected, gold }) => id === 'EX-003' && rejected !== undefined && gold !== undefined,
    );
    if (line?.gold === undefined || line.rejected === undefined) throw new Error('nothing was rejected');
    await page.locator(`.tag[data-key="0.gold.span.${line.gold.index}"]`).click();
    await page.locator('.details .reasons a').click();
    await expect.poll(async () => (await stateOf(page))['item']).toBe(`0.predicted.span.${line.rejected?.index}`);
  });

  it('is reached though others lie over it', async () => {
    const page = await openCase(nested, 'nested');
    const keys = [
      ...GOLD.map(({ index }) => `0.gold.span.${index}`),
      ...PREDICTED.map(({ index }) => `0.predicted.span.${index}`),
    ];
    const pressed = () => page.locator('.tag[aria-pressed=true]').first().getAttribute('data-key');
    for (const key of keys) {
      await page.locator(`.tag[data-key="${key}"]`).click();
      await expect.poll(pressed, { message: key }).toBe(key);
    }
    // No two names lie on each other.
    const boxes = await Promise.all(keys.map(async (key) => page.locator(`.tag[data-key="${key}"]`).boundingBox()));
    for (const [at, one] of boxes.entries())
      for (const other of boxes.slice(at + 1)) {
        if (one === null || other === null) throw new Error('a name is not drawn');
        const apart =
          one.x + one.width <= other.x + 1 ||
          other.x + other.width <= one.x + 1 ||
          one.y + one.height <= other.y + 1 ||
          other.y + other.height <= one.y + 1;
        expect(apart, JSON.stringify([one, other])).toBe(true);
      }
  });

  it('is reached from the text: the innermost first, then what lies around it', async () => {
    const page = await openCase(nested, 'nested');
    const { start } = place('Holm');
    const seen = new Set<string>();
    for (let click = 0; click < 6; click += 1) {
      await page.locator(`.paragraph-text [data-from="${start}"]`).first().click();
      seen.add((await stateOf(page))['item'] ?? '');
    }
    expect(seen).toEqual(new Set(['0.gold.span.3', '0.gold.span.2', '0.predicted.span.3', '0.predicted.span.2']));
  });

  it.each([1920, 1400, 1180, 1100, 1099, 800, 390])(
    'has its reasons beside the text where the window has 1100 pixels, else below: %i',
    async (width) => {
      const page = await openCase(pii, 'EX-003', width);
      await page.locator('.marked .tag').first().click();
      await page.locator('.details .verdict-line').waitFor();
      const boxOf = async (part: string) => (await page.locator(part).boundingBox()) ?? { x: 0, y: 0, width: 0 };
      const [text, panel] = [await boxOf('.marked'), await boxOf('.details')];
      expect(panel.x >= text.x + text.width).toBe(width >= 1100);
      // Nothing is pushed out of the window, and there is room to read.
      expect(panel.x + panel.width).toBeLessThanOrEqual(width);
      expect(text.width).toBeGreaterThan(330);
    },
  );

  it('stands under the gold one of the same place, left and right', async () => {
    const page = await openCase(pii, 'EX-001', 1920);
    // The same place in gold and prediction, on one line of the screen.
    const same = ledgerOf(pii).find(
      ({ case: id, gold, predicted }) =>
        id === 'EX-001' &&
        gold?.text === '14 August 1962' &&
        gold.start === predicted?.start &&
        gold.end === predicted?.end,
    );
    if (same?.gold === undefined || same.predicted === undefined) throw new Error('the example has changed');
    const gold = page.locator(`.tag[data-key="0.gold.span.${same.gold.index}"]`);
    const predicted = page.locator(`.tag[data-key="0.predicted.span.${same.predicted.index}"]`);
    const [above, below] = [await gold.boundingBox(), await predicted.boundingBox()];
    expect(Math.abs((above?.x ?? 0) - (below?.x ?? Infinity))).toBeLessThanOrEqual(2);
    expect(above?.y ?? Infinity).toBeLessThan(below?.y ?? 0);
    const words = page.locator('.segment', { has: gold });
    const bars = await barsOf(page, words);
    const box = await words.boundingBox();
    expect(bars.length).toBeGreaterThanOrEqual(2);
    for (const { left, right } of bars) {
      expect(Math.abs(left - (bars[0]?.left ?? Infinity)), JSON.stringify(bars)).toBeLessThanOrEqual(2);
      expect(Math.abs(right - (bars[0]?.right ?? Infinity)), JSON.stringify(bars)).toBeLessThanOrEqual(2);
      expect(Math.abs(left - (box?.x ?? Infinity))).toBeLessThanOrEqual(2);
    }
  });
});
