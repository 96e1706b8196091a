import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';

import type { ItemAnswer } from '../../../src/store/review-records.ts';
import { codePointLength } from '../../../src/text/characters.ts';
import { assayHere } from '../../cli/assay-here.ts';
import { axeFaults } from './axe-faults.ts';
import { NARROW, useBrowser } from './browser.ts';
import { buildApp } from './built-app.ts';
import { commit, itemShown, saved, select } from './by-keyboard.ts';
import { NAME } from './consultations.ts';
import { takePicture } from './pictures.ts';
import type { Serving } from './serving.ts';
import { linesFile, servingForm } from './serving-form.ts';

const browser = useBrowser();
beforeAll(buildApp);

const WIDER = { width: 1400, height: 900 };
/** The e of Zoé has its accent as a mark of its own, and a family is several emoji. */
const TEXT = 'Zoe\u0301 Lee wrote 👩‍👧 नमस्ते to Bo.';
const FAMILY = TEXT.indexOf('👩');
const BO = TEXT.indexOf('Bo');

/** A system that cuts Zoé's name short and takes Bo for a firm; gold has neither right. */
async function letters(): Promise<Serving> {
  const codePoints = (place: number): number => codePointLength(TEXT.slice(0, place));
  const gold = [{ start: codePoints(BO), end: codePoints(BO + 2), label: 'PLACE' }];
  const spans = [
    { start: 0, end: 2, label: 'PERSON' },
    { start: codePoints(BO), end: codePoints(BO + 2), label: 'ORG' },
  ];
  const goldFile = linesFile('gold.jsonl', { id: 'd1', text: TEXT, spans: gold });
  return servingForm('pii/review', ['--gold', goldFile, '--predictions', linesFile('pred.jsonl', { id: 'd1', spans })]);
}

function listOf(
  { store, people }: Serving,
  who: string,
): readonly Pick<ItemAnswer, 'start' | 'text' | 'kind' | 'label'>[] {
  const { itemId } = store.reviews.queue(people.get(who)!.id)[0]!;
  const value = store.reviews.state(itemId, people.get(who)!.id)?.cells.find(({ field }) => field === 'spans')?.value;
  return ((value ?? []) as readonly ItemAnswer[]).map(({ start, text, kind, label }) => ({
    start,
    text,
    ...(kind === undefined ? {} : { kind }),
    label,
  }));
}

const current = (page: Page, number: number) => page.locator(`.thing.current:has(.thing-number:text-is("${number}"))`);

async function boundariesByKeyboard(page: Page): Promise<void> {
  await current(page, 1).waitFor();
  await page.keyboard.press('b');
  await page.getByText('move the end').waitFor();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => current(page, 1).locator('.thing-words').innerText()).toContain('Zoe\u0301');
  await page.keyboard.press('Shift+ArrowRight');
}

it('corrects boundaries and labels by keyboard and by selection, adds and rejects; the adjudicator settles, and gold has it', async () => {
  const serving = await letters();
  const page = await browser.open(serving.linkTo('Ann'), { viewport: WIDER });
  await itemShown(page, serving, 'Ann');
  await boundariesByKeyboard(page);
  await takePicture(page, 'correct-boundaries-1400');
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await saved(page);
  expect(listOf(serving, 'Ann')[0]).toEqual({ start: 0, text: 'Zoe\u0301 Lee', label: 'wrong_boundary' });

  // The other boundary goes a word to the right and back, and Escape takes all of it back.
  await page.keyboard.press('b');
  await page.keyboard.press('b');
  await page.getByText('move the start').waitFor();
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => current(page, 1).locator('.thing-words').innerText()).not.toContain('Zoe\u0301');
  await page.keyboard.press('Escape');
  await expect.poll(() => current(page, 1).locator('.thing-words').innerText()).toContain('Zoe\u0301 Lee');

  await page.keyboard.press('j');
  await current(page, 2).waitFor();
  await page.keyboard.press('l');
  await page.locator('.kind-choice input:focus').waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('PERSON');
  await page.keyboard.press('Enter');
  await page.getByText('Put it back').nth(1).waitFor();
  await takePicture(page, 'correct-label-1400');

  // Half of the family was selected; all of it is added, and asks for its label at once.
  await select(page, FAMILY, FAMILY + 2);
  await page.keyboard.press('a');
  await page.locator('.kind-choice input:focus').waitFor();
  await page.keyboard.type('EMOJI');
  await page.keyboard.press('Enter');
  await saved(page);
  expect(listOf(serving, 'Ann')).toEqual([
    { start: 0, text: 'Zoe\u0301 Lee', label: 'wrong_boundary' },
    { start: FAMILY, text: '👩‍👧', kind: 'EMOJI', label: 'missing' },
    { start: BO, text: 'Bo', kind: 'PERSON', label: 'wrong_label' },
  ]);
  await commit(page);

  // Ben takes other words by selecting them, calls Bo a place, and adds nothing.
  const phone = await browser.open(serving.linkTo('Ben'), { viewport: NARROW });
  await itemShown(phone, serving, 'Ben');
  await current(phone, 1).waitFor();
  await phone.getByRole('button', { name: /^Boundaries/ }).click();
  await phone.getByRole('button', { name: 'End a word to the right' }).click();
  await phone.getByRole('button', { name: 'End a word to the right' }).click();
  await takePicture(phone, 'correct-boundaries-390');
  await phone.getByRole('button', { name: /^Keep/ }).click();
  await expect.poll(() => listOf(serving, 'Ben')[0]?.text).toBe('Zoe\u0301 Lee');
  await phone.locator('.thing-words').nth(1).click();
  await current(phone, 2).waitFor();
  await phone.locator('.kind-choice input').fill('PLACE');
  await phone.locator('.kind-choice input').press('Enter');
  await expect.poll(() => listOf(serving, 'Ben')[1]?.kind).toBe('PLACE');
  await takePicture(phone, 'correct-label-390', { whole: true });
  await commit(phone);

  const judge = await browser.open(serving.linkTo('Cay'), { viewport: WIDER });
  await judge.locator('.answer-card').first().waitFor();
  await expect.poll(() => judge.locator('.conflict-number').count()).toBe(2);
  for (const wanted of ['EMOJI', 'PERSON']) {
    const card = judge.locator('.answer-card', { hasText: wanted });
    if ((await card.count()) === 0) await judge.keyboard.press('j');
    await card.waitFor();
    await takePicture(judge, `correct-conflict-${wanted}-1400`);
    await card.getByRole('button', { name: /Take this answer/ }).click();
    await judge.locator('.screen-state:text("Saved")').waitFor();
  }

  const file = join(serving.folder, 'gold.jsonl');
  const exported = await assayHere(
    ['review', 'export', NAME, '--gold', file, '--provenance', '--data', serving.folder],
    { cwd: serving.folder },
  );
  expect(exported.stdout + exported.stderr).toContain('0 kept, 1 corrected, 2 added, 0 dropped');
  const places = (JSON.parse(readFileSync(file, 'utf8')) as { spans: readonly unknown[] }).spans;
  expect(places).toEqual([
    { start: 29, end: 31, label: 'PERSON', text: 'Bo', provenance: 'corrected' },
    { start: 0, end: 8, label: 'PERSON', text: 'Zoe\u0301 Lee', provenance: 'added' },
    { start: 15, end: 18, label: 'EMOJI', text: '👩‍👧', provenance: 'added' },
  ]);

  const history = await assayHere(['review', 'history', NAME, '--data', serving.folder, '--json'], {
    cwd: serving.folder,
  });
  const changes = history.stdout.split('\n').flatMap((line) => {
    const entry = line === '' ? {} : (JSON.parse(line) as { changes?: readonly object[] });
    return entry.changes ?? [];
  });
  expect(changes).toContainEqual({
    id: 'p2',
    before: { start: BO, end: BO + 2, text: 'Bo', kind: 'ORG', label: null },
    after: { start: BO, end: BO + 2, text: 'Bo', kind: 'PERSON', label: 'wrong_label' },
  });
});
