import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

import { loadSnapshot } from '../../../src/review/snapshot.ts';
import { overviewOf } from '../../../src/review/overview.ts';
import { assayHere } from '../../cli/assay-here.ts';
import { answerAll, labelled } from './answers.ts';
import { useBrowser } from './browser.ts';
import { buildApp } from './built-app.ts';
import { NAME } from './consultations.ts';
import { servingConsultations } from './serving.ts';

const browser = useBrowser();
beforeAll(buildApp);

/** The owner's page looks every five seconds, and machines are shared. */
const PATIENCE = { timeout: 90_000 };

/** Two people who differ on the constitution of every case, and on the last claim of every answer. */
async function divided(cases: number) {
  const serving = await servingConsultations(cases);
  answerAll(serving, 'Asha', (field, _part, item) => {
    if (field === 'comment') return 'Asha wrote this.';
    return field === 'claims'
      ? labelled(item, field, (index) => (index === 2 ? 'hallucinated' : 'grounded'))
      : undefined;
  });
  answerAll(serving, 'Ravi', (field) => (field === 'prakriti' ? 'pitta' : undefined));
  return serving;
}

/** Conflicts stand in an order that says nothing of their cases, and no order that a test could know. */
async function goTo(page: Page, question: string): Promise<void> {
  const asked = page.locator('.conflict-asked');
  await asked.waitFor();
  for (let turn = 0; turn < 3 && !(await asked.innerText()).startsWith(question); turn += 1) {
    const number = await page.locator('[aria-current] .conflict-number').innerText();
    await page.keyboard.press('j');
    await page.locator(`[aria-current] .conflict-number:not(:text-is("${number}"))`).waitFor();
    await asked.waitFor();
  }
  await expect.poll(() => asked.innerText()).toContain(question);
}

describe('the adjudicator', () => {
  it('settles a conflict with one key, and what the owner sees changes', async () => {
    const serving = await divided(1);
    const owner = await browser.open(serving.linkTo('Kim'));
    const open = owner.locator('dt:text("Open conflicts") + dd');
    await expect.poll(() => open.textContent(), PATIENCE).toBe('3');

    const page = await browser.open(serving.linkTo('Jo'));
    await goTo(page, 'Which constitution');
    const cards = page.locator('.answer-card');
    const said = await cards.allTextContents();
    expect(new Set(said.map((text) => /Reviewer \d/.exec(text)?.[0]))).toEqual(new Set(['Reviewer 1', 'Reviewer 2']));
    const taken = await cards.nth(1).locator('.answer-value').textContent();
    await page.keyboard.press('2');
    await page.getByRole('heading', { level: 2, name: 'Is each claim supported' }).waitFor();
    await page.locator('.screen-state:text("Saved")').waitFor();

    const [decision] = serving.store.reviews.decisions(serving.store.reviews.find(NAME)!.id);
    expect(decision).toMatchObject({ field: 'prakriti', part: null, value: taken?.toLowerCase(), because: '' });
    const status = await assayHere(['review', 'status', NAME, '--data', serving.folder, '--json'], {
      cwd: serving.folder,
    });
    expect(JSON.parse(status.stdout)).toMatchObject({ conflicts: { open: 2, decided: 1 } });
    await expect.poll(() => open.textContent(), PATIENCE).toBe('2');
  });

  it('never sees a name, and takes back what was decided by mistake', async () => {
    const serving = await divided(1);
    const page = await browser.open(serving.linkTo('Jo'));
    await goTo(page, 'Which constitution');
    const shown = await page.locator('body').innerText();
    expect(shown).not.toMatch(/Asha(?! wrote)|Ravi/);

    await page.keyboard.press('1');
    await page.getByRole('heading', { level: 2, name: 'Is each claim supported' }).waitFor();
    await page.keyboard.press('u');
    await page.getByRole('heading', { level: 2, name: 'Which constitution' }).waitFor();
    await page.locator('.screen-state:text("Saved")').waitFor();
    await expect.poll(() => page.locator('.decision-history li').count(), PATIENCE).toBe(2);
    const review = serving.store.reviews.find(NAME)!.id;
    expect(serving.store.reviews.decisionHistory(review).map(({ value }) => value)).toEqual([expect.any(String), null]);
    expect(overviewOf(loadSnapshot(serving.store, NAME)).conflicts).toEqual({ open: 3, decided: 0 });
  });

  it('decides for a value that nobody gave only with a reason', async () => {
    const serving = await divided(1);
    const page = await browser.open(serving.linkTo('Jo'));
    await goTo(page, 'Which constitution');
    await page.keyboard.press('o');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('3');
    await page.locator('textarea:focus').waitFor();
    await page.keyboard.press('Enter');
    expect(serving.store.reviews.decisions(serving.store.reviews.find(NAME)!.id)).toEqual([]);
    await page.keyboard.type('Heavy in the morning, 3 times over.');
    await page.reload();
    await expect
      .poll(() => page.getByLabel('Reason').inputValue(), PATIENCE)
      .toBe('Heavy in the morning, 3 times over.');
    await page.keyboard.press('o');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('3');
    await page.locator('textarea:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 2, name: 'Is each claim supported' }).waitFor();
    await page.locator('.screen-state:text("Saved")').waitFor();
    expect(serving.store.reviews.decisions(serving.store.reviews.find(NAME)!.id)).toMatchObject([
      { value: 'kapha', because: 'Heavy in the morning, 3 times over.' },
    ]);
  });

  it('keeps a decision that cannot be sent, over a reload too, and sends it once', async () => {
    const serving = await divided(1);
    const page = await browser.open(serving.linkTo('Jo'));
    await goTo(page, 'Which constitution');
    await page.route('**/decision', (route) => route.abort());
    await page.keyboard.press('1');
    await page.locator('.screen-state.trouble').waitFor();
    await expect.poll(() => page.locator('.screen-state').textContent()).toContain('1 decision kept here');
    await page.reload();
    await page.locator('.screen-state.trouble').waitFor();
    await page.unroute('**/decision');
    await page.locator('.screen-state:text("Saved")').waitFor();
    const review = serving.store.reviews.find(NAME)!.id;
    expect(serving.store.reviews.decisionHistory(review)).toHaveLength(1);
  });
});
