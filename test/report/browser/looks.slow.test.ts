import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

import { axeFaults } from '../../review/browser/axe-faults.ts';
import { NARROW, useBrowser, WIDE } from '../../review/browser/browser.ts';
import { buildApp } from '../../review/browser/built-app.ts';
import { takePicture } from '../../review/browser/pictures.ts';
import {
  comparedReport,
  journalFile,
  linkOf,
  MAKING_MS,
  scoreExamples,
  scoreJournal,
  TASKS,
  useFolder,
} from './reports.ts';
import { openWatched, ready } from './watched.ts';

const browser = useBrowser();
const folder = useFolder();
/** Of one run and of two every view; of the other tasks those that look otherwise. */
const VIEWS = {
  pii: ['summary', 'cases', 'figures', 'audit', 'recipe'],
  compared: ['summary', 'compare', 'cases', 'systems', 'systems&cells=f1', 'figures', 'audit', 'recipe'],
  journal: ['summary', 'figures'],
  graph: ['summary', 'figures'],
  stream: ['summary'],
  consult: ['summary', 'figures'],
} as const;

/** A case of each, with an item picked. */
const PICKED = {
  pii: 'case=EX-003&item=0.gold.span.0',
  journal: 'case=D06&item=0.gold.object.0',
  graph: 'case=G03&item=0.gold.relationship.0',
  stream: 'case=case-01&item=0.predicted.summary.0',
  consult: 'case=C03',
  compared: 'case=D06&item=0.gold.object.0',
} as const;
type Report = keyof typeof PICKED;
const files: Partial<Record<Report, string>> = {};

beforeAll(async () => {
  await buildApp();
  Object.assign(files, await scoreExamples(folder));
  const other = join(folder, 'other');
  await scoreJournal(other, journalFile('predictions-b.jsonl'));
  files.compared = join(folder, 'compared.html');
  await comparedReport([files.journal ?? '', other], files.compared);
}, MAKING_MS);

const LOOKS = [
  { size: '1280', viewport: WIDE },
  { size: '390', viewport: NARROW },
] as const;

describe.each([...TASKS, 'compared'] as const)('views of a report: %s', (report) => {
  it.each(LOOKS)('have no serious fault of accessibility and fit the window, at $size', async ({ size, viewport }) => {
    const states = [...VIEWS[report], `cases&${PICKED[report]}`];
    const { page, faults } = await openWatched(browser, linkOf(files[report] ?? ''), { viewport });
    const found: Record<string, readonly string[]> = {};
    for (const state of states) {
      await page.goto(linkOf(files[report] ?? '', `#view=${state}`));
      await ready(page);
      if (state.includes('case=')) await page.locator('.case-view').waitFor();
      found[state] = [...(await axeFaults(page)), ...(await tooWide(page, viewport.width))];
      const name = `report-${report}-${state.includes('case=') ? 'case' : state}-${size}`;
      // On the list and the case the window is the page.
      const whole = !/^(?:cases|systems)/.test(state);
      await takePicture(page, `${name}-light`, { whole });
      await page.emulateMedia({ colorScheme: 'dark' });
      // Dark differs from light in nothing but its colours.
      found[`${state}, dark`] = await axeFaults(page, ['color-contrast']);
      await takePicture(page, `${name}-dark`, { whole });
      await page.emulateMedia({ colorScheme: 'light' });
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((state) => [state, []])));
    expect(await faults()).toEqual([]);
  });
});

/** The page itself never scrolls sideways; of the list and the case it scrolls in no way. */
async function tooWide(page: Page, width: number): Promise<string[]> {
  const [across, down, height] = await page.evaluate<[number, number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.scrollHeight, innerHeight]',
  );
  const filled = (await page.locator('.report.filled').count()) > 0;
  return [
    ...(across > width ? [`it is ${across} pixels wide`] : []),
    ...(filled && down > height ? [`it is ${down} pixels high`] : []),
  ];
}
