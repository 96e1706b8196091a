import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { useBrowser } from '../../review/browser/browser.ts';
import { buildApp } from '../../review/browser/built-app.ts';
import { linkOf, MAKING_MS, measuresOf, scoreExamples, type Task, TASKS, useFolder } from './reports.ts';
import { openWatched, showView } from './watched.ts';

const browser = useBrowser();
const folder = useFolder();
let runs: Readonly<Record<Task, string>>;

beforeAll(async () => {
  await buildApp();
  runs = await scoreExamples(folder);
}, MAKING_MS);

describe('a report that is opened from its file', () => {
  it('shows the measures with n and interval as measures.json has them', async () => {
    const { page, faults } = await openWatched(browser, linkOf(runs.pii));
    await expect.poll(() => page.title()).toBe('pii/piranha · Assay');
    const { measures, cases } = measuresOf(runs.pii);
    const overall = measures.filter(({ slice }) => Object.keys(slice).length === 0);
    expect(overall.length).toBeGreaterThan(3);
    // All of them are shares.
    const expected = Object.fromEntries(
      overall.map(({ name, value, interval, n }) => [
        name,
        [
          value?.toFixed(3),
          interval === null ? 'none' : `${shown(interval.low)} to ${shown(interval.high)}`,
          String(n),
        ],
      ]),
    );
    const rows = await page.locator('table.measures tbody tr.first').all();
    const found: Record<string, (string | null)[]> = {};
    for (const row of rows) {
      const name = (await row.locator('.measure-name').textContent()) ?? '';
      const value = (await row.locator('.value').innerText()).split('\n')[0] ?? '';
      found[name] = [value, await row.locator('td.interval').textContent(), await row.locator('.n').textContent()];
    }
    expect(found).toEqual(expected);
    await expect.poll(() => page.locator('header .facts').innerText()).toContain(`${cases.total} cases`);
    expect(await faults()).toEqual([]);
  });

  it('says the name of the recipe once', async () => {
    const { page } = await openWatched(browser, linkOf(runs.pii));
    await expect
      .poll(async () => (await page.locator('.report-title').innerText()).match(/pii\/piranha/g))
      .toHaveLength(1);
  });

  it.each(TASKS)('asks for nothing and errs nowhere, on any view: %s', async (task) => {
    const { page, faults } = await openWatched(browser, linkOf(runs[task]));
    for (const view of ['Cases', 'Figures', 'Audit', 'Recipe', 'Summary']) {
      await showView(page, view);
      if (view === 'Cases') {
        await page.locator('.open-case').first().click();
        await page.locator('.case-view').waitFor();
      }
    }
    await page.emulateMedia({ media: 'print' });
    expect(await faults()).toEqual([]);
  });

  it('is told that it was cut off, rather than shown as if it were whole', async () => {
    const html = readFileSync(join(runs.pii, 'report.html'), 'utf8');
    const cut = join(folder, 'cut.html');
    // The middle of a page of cases is lost: the numbers are there, the case is not.
    const at = html.indexOf('id="assay-page-0">') + 200;
    writeFileSync(cut, html.slice(0, at) + html.slice(at + 300));
    const { page } = await openWatched(browser, linkOf(cut, '#view=cases&case=EX-001'));
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('cannot be read');
    // All after the data is lost: there is no script to tell it, and the page says no numbers.
    const none = join(folder, 'none.html');
    writeFileSync(none, html.replace(/<script type="application\/json" id="assay-head">.*<\/script>/, ''));
    const second = await browser.open(linkOf(none));
    await expect.poll(() => second.getByRole('alert').innerText()).toContain('holds no report');
  });
});

function shown(value: number): string {
  return value.toFixed(3);
}
