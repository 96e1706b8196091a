import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { score } from '../../../src/report/score.ts';
import { assay } from '../../cli/run-assay.ts';
import { axeFaults } from '../../review/browser/axe-faults.ts';
import { NARROW, useBrowser } from '../../review/browser/browser.ts';
import { buildApp } from '../../review/browser/built-app.ts';
import { takePicture } from '../../review/browser/pictures.ts';
import { type Served, serveFolder, useServedFolder } from './served-folder.ts';

const browser = useBrowser();
const folder = useServedFolder();
const WIDER = { width: 1400, height: 900 };
let served: Served;

const TEXT = 'Ann Lee met Bo in Oslo.';
const span = (words: string, label: string) => ({
  start: TEXT.indexOf(words),
  end: TEXT.indexOf(words) + words.length,
  label,
});

beforeAll(async () => {
  await buildApp();
  const file = (name: string, spans: readonly object[]): string => {
    const place = join(folder.place, name);
    writeFileSync(place, `${JSON.stringify({ id: 'd1', text: TEXT, spans })}\n`);
    return place;
  };
  const gold = file('gold.jsonl', [span('Ann', 'PERSON'), span('Oslo', 'ORG'), span('met', 'PERSON')]);
  const predictions = file('pred.jsonl', [span('Ann Lee', 'PERSON'), span('Bo', 'PERSON'), span('Oslo', 'LOC')]);
  for (const name of ['first', 'second'])
    await score(
      'pii/strict',
      { gold, predictions },
      { out: join(folder.place, 'runs', name), set: ['interval.resamples=200'] },
    );
  served = await serveFolder(folder.place);
}, 240_000);
afterAll(async () => {
  await served?.stop();
});

const address = (item: string): string => `${served.url}/run/first/#view=cases&case=d1&item=0.${item}`;
const mark = (page: Page) => page.locator('.gold-mark');

describe('gold that is wrong', () => {
  it('is marked on any item, with the correction; marks are counted, listed, undone and exported as gold', async () => {
    const page = await browser.open(address('gold.span.0'), { viewport: WIDER });
    await mark(page).getByRole('button', { name: 'Gold is wrong' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /gold mark/ }).count()).toBe(0);

    // By keyboard: the boundary, a word further on, and the name, which is asked for once.
    await page.keyboard.press('g');
    await page.locator('.mark-form input[value="wrong"]:focus').waitFor();
    await page.getByLabel('Wrong boundary').check();
    await page.getByRole('button', { name: 'End a word to the right' }).click();
    await expect.poll(() => page.locator('.mark-form .place-shown mark').innerText()).toBe('Ann Lee');
    await page.getByLabel('Comment').fill('cut short');
    expect(await axeFaults(page)).toEqual([]);
    await takePicture(page, 'mark-form-1400');
    await page.getByRole('button', { name: 'Mark', exact: true }).click();
    await expect
      .poll(() => page.getByLabel('Your name').evaluate((box: HTMLInputElement) => box.matches(':invalid')))
      .toBe(true);
    await page.getByLabel('Your name').fill('Kim');
    await page.keyboard.press('Enter');
    await expect.poll(() => mark(page).innerText()).toMatch(/Wrong boundary\s+“Ann Lee”\s+cut short\s+by Kim/);

    // What was said before is there to be changed.
    await mark(page).getByRole('button', { name: 'Change the mark' }).click();
    await expect.poll(() => page.locator('.mark-form .place-shown mark').innerText()).toBe('Ann Lee');
    await expect.poll(() => page.getByLabel('Comment').inputValue()).toBe('cut short');
    await page.keyboard.press('Escape');

    await page.goto(address('gold.span.1'));
    await page.locator('.details h3', { hasText: 'ORG' }).waitFor();
    await mark(page).getByRole('button', { name: 'Gold is wrong' }).waitFor();
    await page.keyboard.press('g');
    await page.getByLabel('Wrong label').check();
    await page.locator('.mark-form .kind-choice input').fill('LOC');
    await page.getByRole('button', { name: 'Mark', exact: true }).click();
    await expect.poll(() => mark(page).innerText()).toMatch(/Wrong label\s+ORG LOC\s+by Kim/);

    await page.goto(address('gold.span.2'));
    await page.locator('.details h3', { hasText: 'PERSON' }).waitFor();
    await mark(page).getByRole('button', { name: 'Gold is wrong' }).click();
    await page.getByRole('button', { name: 'Mark', exact: true }).click();
    await expect.poll(() => mark(page).innerText()).toContain('Should not be there');

    await page.goto(address('predicted.span.1'));
    await mark(page).getByRole('button', { name: 'Gold misses this' }).click();
    await page.getByLabel('Unsure').check();
    await page.getByRole('button', { name: 'Mark', exact: true }).click();
    await mark(page).getByRole('button', { name: 'Undo' }).click();
    await mark(page).getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    await mark(page).getByRole('button', { name: 'Gold misses this' }).click();
    await page.getByRole('button', { name: 'Mark', exact: true }).click();
    await expect.poll(() => mark(page).innerText()).toContain('Gold misses this\nby Kim');
    await takePicture(page, 'mark-made-1400');

    await page.reload();
    await page.getByRole('button', { name: '4 gold marks' }).click();
    await page.getByRole('dialog', { name: '4 gold marks of this run' }).waitFor();
    await takePicture(page, 'marks-list-1400');
    expect(await axeFaults(page)).toEqual([]);
    await expect.poll(() => page.locator('.marks-list li').allInnerTexts()).toHaveLength(4);
    await expect
      .poll(() => page.getByRole('region', { name: 'the command' }).innerText())
      .toBe('assay review export gold-first --gold gold.jsonl');
    await page.locator('.marks-list a').first().click();
    await expect.poll(() => mark(page).innerText()).toContain('Wrong boundary');

    const out = join(folder.place, 'new.jsonl');
    const { stdout, stderr } = assay([
      'review',
      'export',
      'gold-first',
      '--gold',
      out,
      '--data',
      join(folder.place, 'data'),
    ]);
    expect(stdout + stderr).toContain('1 case: 0 kept, 2 corrected, 1 added, 1 dropped');
    expect((JSON.parse(readFileSync(out, 'utf8')) as { spans: readonly unknown[] }).spans).toEqual([
      { start: 0, end: 7, label: 'PERSON', text: 'Ann Lee' },
      { start: 18, end: 22, label: 'LOC', text: 'Oslo' },
      { start: 12, end: 14, label: 'PERSON', text: 'Bo' },
    ]);
  });

  it('fits a phone, and shows whose mark it is to somebody else, who cannot undo it', async () => {
    const page = await browser.open(address('gold.span.0'), { viewport: NARROW });
    await expect.poll(() => mark(page).innerText()).toContain('by Kim');
    await expect.poll(() => mark(page).getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await mark(page).getByRole('button', { name: 'Gold is wrong' }).click();
    await page.getByLabel('Wrong boundary').check();
    await mark(page).scrollIntoViewIfNeeded();
    await takePicture(page, 'mark-form-390');
    await expect.poll(() => page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.keyboard.press('Escape');
    await page.locator('.mark-form').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: '4 gold marks' }).click();
    await takePicture(page, 'marks-list-390');
  });

  it('belongs to the run of a comparison that shows it, also if baseline and candidate are swapped', async () => {
    const compared = `${served.url}/compare/?run=first&run=second`;
    for (const [state, label] of [
      ['item=1.gold.span.2', 'Unsure'],
      ['swap=1&item=0.gold.span.2', 'Wrong label'],
    ] as const) {
      const page = await browser.open(`${compared}#view=cases&case=d1&${state}`, { viewport: WIDER });
      // One for each run: the line of the item that was chosen comes first.
      await mark(page).nth(1).waitFor();
      await mark(page)
        .first()
        .getByRole('button', { name: /^(?:Gold is wrong|Change)/ })
        .click();
      await page.getByLabel(label).check();
      await page.getByLabel('Your name').fill('Lee');
      await page.getByRole('button', { name: 'Mark', exact: true }).click();
      await expect.poll(() => mark(page).first().innerText()).toContain(label);
      await expect.poll(() => mark(page).nth(1).innerText()).toContain('by Kim');
    }
    const listed = assay(['review', 'list', '--data', join(folder.place, 'data')]).stdout;
    expect(listed).toMatch(/gold-first +\w+ +4 [^]*gold-second +\w+ +1 /);
  });

  it('cannot be marked in the file, which has no server', async () => {
    const file = pathToFileURL(join(folder.place, 'runs', 'first', 'report.html')).href;
    const page = await browser.open(`${file}#view=cases&case=d1&item=0.gold.span.0`);
    await page.locator('.line-details').waitFor();
    await expect.poll(() => mark(page).count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: /gold mark/ }).count()).toBe(0);
  });
});
