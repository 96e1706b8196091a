import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

import { makeCase } from '../../../src/data/case.ts';
import { makeItem } from '../../../src/data/item.ts';
import { CASE_CHANGES } from '../../../src/compare/case-change.ts';
import { changeText } from '../../../src/report/comparison-words.ts';
import { score } from '../../../src/report/score.ts';
import type { Comparison } from '../../../src/compare/comparison.ts';
import type { CaseResult } from '../../../src/score/ledger.ts';
import { assayHere } from '../../cli/assay-here.ts';
import { useBrowser } from '../../review/browser/browser.ts';
import { buildApp } from '../../review/browser/built-app.ts';
import { casesOf, comparedReport, journalFile, linkOf, MAKING_MS, scoreJournal, useFolder } from './reports.ts';
import { listed, openWatched, ready, shownCount } from './watched.ts';

const browser = useBrowser();
const folder = useFolder();
const [first, second] = [join(folder, 'first'), join(folder, 'second')];
const file = join(folder, 'comparison.html');
let comparison: Comparison;
/** The same with the other run as the baseline. */
let turned: Comparison;

beforeAll(async () => {
  await buildApp();
  await scoreJournal(first);
  // The second system is better everywhere, so that it is made to fail on one.
  const answers = readFileSync(journalFile('predictions-b.jsonl'), 'utf8');
  const worse = join(folder, 'predictions.jsonl');
  writeFileSync(worse, answers.replace(/^(\{"journal_id": ?"D02", ?"items": ?)\[.*\]/m, '$1[]'));
  await scoreJournal(second, worse);
  await comparedReport([first, second], file);
  const compared = async (...runs: readonly string[]): Promise<Comparison> => {
    const { stdout } = await assayHere(['compare', ...runs, '--json'], { cwd: folder });
    const found: Comparison = JSON.parse(stdout);
    return found;
  };
  [comparison, turned] = [await compared(first, second), await compared(second, first)];
}, MAKING_MS);

const number = (text: string): number => Number(text.replaceAll(',', '').replace('−', '-'));

describe('two runs in one report', () => {
  it('open on the comparison, with the statistics of assay compare, whichever run is the baseline', async () => {
    const { page, faults } = await openWatched(browser, linkOf(file));
    await expect.poll(() => page.locator('nav.tabs a[aria-current]').innerText()).toBe('Compare');
    await shows(page, comparison);
    await page.getByRole('link', { name: 'swap' }).click();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('second vs first');
    await expect.poll(() => page.getByRole('heading', { level: 2 }).first().innerText()).toBe('first against second');
    await shows(page, turned);
    await page.getByRole('link', { name: 'All cases that got worse' }).click();
    await ready(page);
    const worse = turned.moved.filter((one) => one.change === 'worse').map((one) => one.case);
    await expect.poll(async () => (await listed(page)).toSorted()).toEqual(worse.toSorted());
    const row = page.getByRole('row', { name: worse[0] ?? '' });
    await expect.poll(() => row.locator('.cell.change').innerText()).toMatch(/^▼ \d+ more\s+worse$/);
    await row.click();
    await page.locator('.case-view').waitFor();
    await expect
      .poll(async () => (await page.locator('.case-head .run-name').allInnerTexts()).map((name) => name.trim()))
      .toEqual(['A second', 'B first']);
    await page.getByRole('link', { name: 'swap' }).click();
    await expect
      .poll(async () => (await page.locator('.case-head .run-name').allInnerTexts()).map((name) => name.trim()))
      .toEqual(['A first', 'B second']);
    expect(await faults()).toEqual([]);
  });

  async function shows(page: Page, { measures, moved, paired }: Comparison): Promise<void> {
    const rows = page.locator('.comparison-view .data-table:has(.drawing)').first().locator('tbody tr');
    const overall = measures.filter(({ slice }) => Object.keys(slice).length === 0);
    await expect.poll(() => rows.count()).toBe(overall.length);
    for (const row of overall) {
      const { name, baseline, other, difference, interval, adjusted, units, differing, verdict, needed } = row;
      const cells = await rows
        .filter({ has: page.locator('th', { hasText: new RegExp(`^${name}(?:higher|lower) is`) }) })
        .locator('td')
        .allInnerTexts();
      const [, word = '', before = '', after = '', change = '', reach = '', p = '', n = '', wanted = ''] = cells;
      expect(word, name).toContain(verdict);
      expect([before, after].map(number), name).toEqual([baseline, other].map((value) => rounded(value)));
      expect(number(change), name).toBe(rounded(difference));
      expect(reach.split(' to ').map(number), name).toEqual([interval?.low, interval?.high].map((end) => rounded(end)));
      expect(number(p), name).toBe(rounded(adjusted));
      expect(n, name).toBe(`${units} (${differing})`);
      expect(number(wanted), name).toBe(needed);
    }
    await expect.poll(() => page.locator('.comparison-view header').innerText()).toContain(`${paired} cases paired`);
    for (const change of ['better', 'worse'] as const)
      await expect
        .poll(() => page.locator(`.change-card.${change} .case-link`).allInnerTexts())
        .toEqual(moved.filter((one) => one.change === change).map((one) => one.case));
  }

  it('have lists of what got better and what got worse, which lead to the cases', async () => {
    const { page } = await openWatched(browser, linkOf(file, '#view=compare'));
    for (const change of ['better', 'worse'] as const) {
      const moved = comparison.moved.filter((one) => one.change === change).map((one) => one.case);
      expect(moved.length, change).toBeGreaterThan(0);
      await expect.poll(() => page.locator(`.change-card.${change} .case-link`).allInnerTexts()).toEqual(moved);
    }
    const better = comparison.moved.filter((one) => one.change === 'better').map((one) => one.case);
    await page.getByRole('link', { name: 'All cases that got better' }).click();
    await ready(page);
    await expect.poll(async () => (await listed(page)).toSorted()).toEqual(better.toSorted());
    await page.goBack();
    await page.locator('.change-card.better .case-link').first().click();
    await expect.poll(() => page.locator('#case-title').innerText()).toBe(better[0]);
  });

  it('have a list of the cases in each group, as many as the comparison counts', async () => {
    const { page } = await openWatched(browser, linkOf(file, '#view=cases'));
    const [counts] = comparison.changes.systems;
    const names = { worse: 'more errors', better: 'fewer errors', others: 'as many, others', unchanged: 'unchanged' };
    for (const change of CASE_CHANGES) {
      await page.getByRole('link', { name: new RegExp(`^${names[change]} `) }).click();
      await expect.poll(() => shownCount(page), { message: change }).toBe(counts?.[change]);
    }
  });

  it('stand side by side in a case', async () => {
    const { page, faults } = await openWatched(browser, linkOf(file, '#view=cases&case=D06'));
    const counts = [first, second].map((run) => casesOf(run).find((one) => one.case === 'D06')?.counts);
    const heads = page.locator('.case-head');
    for (const [at, count] of counts.entries())
      for (const verdict of ['hit', 'missed', 'spurious'] as const)
        await expect
          .poll(() => heads.locator(`.chip:has-text("${verdict}")`).nth(at).innerText())
          .toContain(String(count?.[verdict]));
    // What is no longer missed: named, with both verdicts, and a way to it.
    const row = page.locator('.difference', { hasText: 'Dil bhaari sa hai' }).first();
    await expect
      .poll(async () => (await row.innerText()).replaceAll(/\s+/g, ' '))
      .toMatch(/better emotion .*A ✗ missed → B ✓ hit/);
    await row.click();
    await expect
      .poll(async () => (await page.locator('.details .run-name').allInnerTexts()).map((name) => name.trim()))
      .toEqual(['first', 'second']);
    // Below the text both runs have a lane.
    await expect
      .poll(() => page.locator('.marked .tag.below .tag-run').allInnerTexts())
      .toEqual(expect.arrayContaining(['A', 'B']));
    expect(await faults()).toEqual([]);
  });

  it('differ where they have equal counts of other items', async () => {
    const text = 'Ida met Bo in Aarhus and Kim in Vejle.';
    const span = (index: number, words: string) =>
      makeItem({
        kind: 'span',
        index,
        label: 'PERSON',
        text: words,
        start: text.indexOf(words),
        end: text.indexOf(words) + words.length,
      });
    const run = async (name: string, spurious: string): Promise<string> => {
      const out = join(folder, name);
      const given = (id: string, word: string) =>
        makeCase({ id, text, gold: [span(0, 'Ida')], predicted: [span(0, 'Ida'), span(1, word)] });
      await score('pii/strict', [given('alike', 'Bo'), given('moved', spurious)], { out });
      return out;
    };
    const runs = [await run('one', 'Aarhus'), await run('other', 'Vejle')];
    const [one, other] = runs.map((place) => casesOf(place).map(({ counts }) => counts));
    expect(one).toEqual(other);
    const page = join(folder, 'counts.html');
    await comparedReport(runs, page);
    const { page: opened } = await openWatched(browser, linkOf(page, '#view=cases&filter=others'));
    await expect.poll(() => listed(opened)).toEqual(['moved']);
  });

  it('have a table of cases by systems', async () => {
    const { page, faults } = await openWatched(browser, linkOf(file));
    await page.getByRole('link', { name: 'By system' }).click();
    await ready(page);
    const [one, other] = [first, second].map((run) => new Map(casesOf(run).map((given) => [given.case, given])));
    const ids = [...(one?.keys() ?? [])];
    const cells = async (id: string) =>
      (await page.getByRole('row', { name: id }).locator('.cell:is(.system, .spread)').allInnerTexts()).map((text) =>
        text
          .replaceAll(/[▲▼]|better|worse|no prediction/g, '')
          .replaceAll(/\s+/g, ' ')
          .trim(),
      );
    const errors = (given: CaseResult | undefined): number =>
      (given?.counts.missed ?? 0) + (given?.counts.spurious ?? 0);
    for (const id of ids) {
      const [before, after] = [one?.get(id), other?.get(id)];
      const verdicts = [before, after].map((given) => {
        const { hit, missed, spurious } = given?.counts ?? { hit: 0, missed: 0, spurious: 0 };
        return `✓ hit ${hit} ✗ missed ${missed} + spurious ${spurious}`;
      });
      const change = errors(after) - errors(before);
      await expect
        .poll(async () => (await cells(id)).map((text) => text.replaceAll(/([✓✗+]) ?/g, '$1 ').replace('others', '=')))
        .toEqual([...verdicts, change === 0 ? '=' : changeText(null, change)]);
    }
    await page.getByLabel('Cells').selectOption('f1');
    const valued = (given: CaseResult | undefined) => given?.measures['f1'] ?? null;
    // The cells show a measure; the difference stays that of errors.
    const apart = (id: string): number => Math.abs(errors(other?.get(id)) - errors(one?.get(id)));
    await page.locator('.case-heads').getByText('difference').click();
    await expect.poll(() => listed(page)).toEqual(ids.toSorted((a, b) => apart(b) - apart(a)));
    const [most = ''] = ids.toSorted((a, b) => apart(b) - apart(a));
    const shown = (value: number | null) => (value === null ? '–' : value.toFixed(3));
    await expect
      .poll(async () => (await cells(most)).slice(0, 2))
      .toEqual([shown(valued(one?.get(most))), shown(valued(other?.get(most)))]);
    // By a system's own column: the worst first.
    await page.locator('.case-heads').getByText('first').click();
    const worst = ids.toSorted((a, b) => (valued(one?.get(a)) ?? 9) - (valued(one?.get(b)) ?? 9));
    await expect.poll(() => listed(page)).toEqual(worst);
    await page.getByRole('link', { name: /^fewer errors/ }).click();
    await expect.poll(() => shownCount(page)).toBe(comparison.changes.systems[0]?.better);
    await page.locator('#case-row-0').click();
    await page.locator('.case-view').waitFor();
    await page.goBack();
    await expect.poll(() => page.locator('nav.tabs a[aria-current]').innerText()).toBe('By system');
    expect(await faults()).toEqual([]);
  });

  it('of three are set beside the first, each by itself', async () => {
    const third = join(folder, 'third');
    await scoreJournal(third);
    const page = join(folder, 'three.html');
    await comparedReport([first, second, third], page);
    const { page: opened, faults } = await openWatched(browser, linkOf(page, '#view=cases&filter=better&run=2'));
    // The third is the first again.
    await expect.poll(() => listed(opened)).toEqual([]);
    await opened.getByRole('navigation', { name: 'Runs' }).getByRole('link', { name: 'second' }).click();
    await expect.poll(async () => (await listed(opened)).length).toBeGreaterThan(0);
    await opened.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Compare' }).click();
    await expect
      .poll(() => opened.getByRole('heading', { level: 2 }).allInnerTexts())
      .toEqual(expect.arrayContaining(['second against first', 'third against first']));
    expect(await faults()).toEqual([]);
  });
});

function rounded(value: number | null | undefined): number | null | undefined {
  return typeof value === 'number' ? Number(value.toFixed(3)) : value;
}
