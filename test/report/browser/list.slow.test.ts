import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import type { CaseResult } from '../../../src/measure/results.ts';
import { useBrowser } from '../../review/browser/browser.ts';
import { buildApp } from '../../review/browser/built-app.ts';
import { casesOf, figuresOf, journalFile, ledgerOf, linkOf, MAKING_MS, scoreJournal, useFolder } from './reports.ts';
import { listed, openWatched, shownCount, stateOf } from './watched.ts';

const browser = useBrowser();
const folder = useFolder();
const run = join(folder, 'journal');

beforeAll(async () => {
  await buildApp();
  await scoreJournal(run);
}, MAKING_MS);

async function openList() {
  const { page } = await openWatched(browser, linkOf(run, '#view=cases'));
  return page;
}

/** Cases of the file in its order that have something. */
function caseIds(has: (given: CaseResult) => boolean): string[] {
  return casesOf(run)
    .filter(has)
    .map((given) => given.case);
}

function withVerdicts(is: (line: ReturnType<typeof ledgerOf>[number]) => boolean): string[] {
  const found = new Set(
    ledgerOf(run)
      .filter(is)
      .map((line) => line.case),
  );
  return caseIds((given) => found.has(given.case));
}

describe('the list of cases', () => {
  it('is narrowed to the wrong ones', async () => {
    const page = await openList();
    await expect.poll(() => listed(page)).toEqual(caseIds(() => true));
    const wrong = caseIds(
      ({ counts, failed, answered }) =>
        counts.missed + counts.spurious > 0 || failed !== undefined || answered === false,
    );
    expect(wrong).not.toEqual(caseIds(() => true));
    await page.getByRole('link', { name: /^wrong/ }).click();
    await expect.poll(() => listed(page)).toEqual(wrong);
    await expect.poll(() => shownCount(page)).toBe(wrong.length);
    await expect.poll(() => page.getByRole('link', { name: /^wrong/ }).innerText()).toContain(String(wrong.length));
    await page.getByRole('link', { name: 'Show all' }).click();
    await expect.poll(() => shownCount(page)).toBe(casesOf(run).length);
  });

  it('is narrowed by label, by rule and by type of error', async () => {
    const page = await openList();
    const pick = async (field: string, value: string, cases: readonly string[]): Promise<void> => {
      expect(cases.length).toBeGreaterThan(0);
      await page.getByLabel(field, { exact: true }).selectOption({ label: value });
      await expect.poll(() => listed(page)).toEqual(cases);
      await page.getByRole('link', { name: 'Show all' }).click();
      await expect.poll(() => shownCount(page)).toBe(casesOf(run).length);
    };
    await pick(
      'Label',
      'food',
      withVerdicts(({ verdict, label }) => label === 'food' && (verdict === 'missed' || verdict === 'spurious')),
    );
    await pick(
      'Rule',
      'pair',
      withVerdicts(({ rule }) => rule === 'pair'),
    );
    const errors = figuresOf(run).taxonomy.flatMap((kind) => kind.errors.filter(({ cases }) => cases.total > 0));
    expect(errors.length).toBeGreaterThan(2);
    for (const { type, cases } of errors)
      await pick(
        'Error type',
        type,
        caseIds((given) => cases.shown.includes(given.case)),
      );
  });

  it('has a line of each case’s text, around its first error', async () => {
    const page = await openList();
    const preview = (id: string) => page.getByRole('row', { name: id }).locator('.preview');
    // Nothing was to be found in D05.
    await expect.poll(() => preview('D05').innerText()).toMatch(/^Paid the electricity bill/);
    const wrong = ledgerOf(run).find(({ case: id, verdict }) => id === 'D03' && verdict !== 'hit');
    const item = wrong?.gold ?? wrong?.predicted;
    await expect
      .poll(() =>
        preview('D03')
          .locator(`.${wrong?.verdict ?? ''}`)
          .innerText(),
      )
      .toBe(item?.text);
  });

  it('is searched by words of texts, labels and items, which are marked', async () => {
    const page = await openList();
    const texts = new Map(
      readFileSync(journalFile('journals.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { journal_id: string; text: string })
        .map(({ journal_id: id, text }) => [id, text.toLowerCase()] as const),
    );
    const withWords = (...words: string[]) =>
      caseIds(({ case: id }) => words.every((word) => texts.get(id)?.includes(word)));
    const search = page.getByRole('searchbox');
    expect(withWords('pain').length).toBeGreaterThan(0);
    await search.fill('PAIN');
    await expect.poll(() => listed(page)).toEqual(withWords('pain'));
    await expect.poll(() => page.locator('.preview mark').first().innerText()).toBe('pain');
    await search.fill('coffee tulsi');
    await expect.poll(() => listed(page)).toEqual(withWords('coffee', 'tulsi'));
    await expect.poll(() => page.locator('.preview mark').allInnerTexts()).toEqual(['coffee', 'tulsi']);
    await search.fill('"tulsi coffee"');
    await expect.poll(() => listed(page)).toEqual([]);
    const food = withVerdicts(({ label }) => label === 'food');
    await search.fill('food');
    await expect.poll(() => listed(page)).toEqual(expect.arrayContaining(food));
    await search.fill('tight band');
    await page.locator('#case-row-0').click();
    await page.locator('.case-view').waitFor();
    const marked = () => page.evaluate<string>(`[...(CSS.highlights.get('found-words') ?? [])].map(String).join('')`);
    await expect.poll(marked).toBe('tightband');
    await search.fill('');
    await expect.poll(marked).toBe('');
  });

  it('is searched by id, whatever the case of its letters', async () => {
    const page = await openList();
    await page.getByRole('searchbox').fill('d0');
    await expect.poll(() => shownCount(page)).toBe(8);
    await page.getByRole('searchbox').fill('d06');
    await expect.poll(() => listed(page)).toEqual(['D06']);
    await expect.poll(() => page.locator('.open-case mark').innerText()).toBe('D06');
    await expect.poll(() => stateOf(page)).toEqual({ view: 'cases', search: 'd06' });
    await page.getByRole('searchbox').fill('<b>');
    await expect.poll(() => listed(page)).toEqual([]);
    await expect.poll(() => page.locator('.case-list').innerText()).toContain('No case is like this.');
  });

  it('is sorted by what its columns say, the worst first, and back again', async () => {
    const page = await openList();
    const file = casesOf(run);
    const worst = [
      ...file.filter(({ measures }) => typeof measures['f1'] === 'number'),
      ...file.filter(({ measures }) => typeof measures['f1'] !== 'number'),
    ].toSorted((a, b) => (a.measures['f1'] ?? Infinity) - (b.measures['f1'] ?? Infinity));
    const heading = page.locator('.case-heads');
    await heading.getByText('f1').click();
    await expect.poll(() => listed(page)).toEqual(worst.map((given) => given.case));
    await heading.getByText('f1').click();
    // Turned round, but what has no value stays last.
    const valued = worst.filter(({ measures }) => typeof measures['f1'] === 'number');
    const best = valued.toSorted((a, b) => (b.measures['f1'] ?? 0) - (a.measures['f1'] ?? 0));
    await expect
      .poll(() => listed(page))
      .toEqual([...best, ...worst.filter((given) => !valued.includes(given))].map((given) => given.case));
    await heading.getByText('f1').click();
    await expect.poll(() => listed(page)).toEqual(file.map((given) => given.case));
    await page.getByLabel('Order').selectOption({ label: 'most errors' });
    const errors = file.toSorted((a, b) => b.counts.missed + b.counts.spurious - (a.counts.missed + a.counts.spurious));
    await expect.poll(() => listed(page)).toEqual(errors.map((given) => given.case));
  });

  it('says of each case what cases.jsonl has', async () => {
    const page = await openList();
    for (const { case: id, counts, measures, answered } of casesOf(run)) {
      const row = page.locator('.case-rows [role=row]', { hasText: id });
      for (const verdict of ['hit', 'missed', 'spurious', 'excused'] as const)
        expect(await row.locator(`.cell.${verdict}`).innerText(), `${id} ${verdict}`).toBe(String(counts[verdict]));
      const f1 = measures['f1'];
      await expect
        .poll(() => row.locator('.cell.measure').first().innerText())
        .toBe(typeof f1 === 'number' ? f1.toFixed(3) : '–');
      await expect.poll(() => row.innerText()).toContain(answered === false ? 'no prediction' : id);
    }
  });
});
