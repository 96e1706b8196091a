import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

import { useBrowser } from '../../review/browser/browser.ts';
import { buildApp } from '../../review/browser/built-app.ts';
import { ledgerOf, linkOf, MAKING_MS, scoreExamples, type Task, useFolder } from './reports.ts';
import { openWatched, stateOf } from './watched.ts';

const browser = useBrowser();
const folder = useFolder();
let runs: Readonly<Record<Task, string>>;

beforeAll(async () => {
  await buildApp();
  runs = await scoreExamples(folder);
}, MAKING_MS);

async function openCase(task: Task, id: string): Promise<Page> {
  const { page } = await openWatched(browser, linkOf(runs[task], `#view=cases&case=${id}`));
  await page.locator('.case-view').waitFor();
  return page;
}

function linesOf(task: Task, id: string, kind: string) {
  return ledgerOf(runs[task]).filter((line) => line.case === id && line.kind === kind);
}

describe('a case of a graph', () => {
  it('shows its entities and relationships as a graph, in which an edge can be picked', async () => {
    const page = await openCase('graph', 'G03');
    const entities = linesOf('graph', 'G03', 'entity');
    const ties = linesOf('graph', 'G03', 'relationship');
    // Each line of the ledger has a node or an edge.
    await expect.poll(() => page.locator('.graph g.node[role=button]').count()).toBe(entities.length);
    await expect.poll(() => page.locator('.graph g.edge').count()).toBe(ties.length);
    for (const verdict of ['hit', 'missed', 'spurious'] as const)
      expect(await page.locator(`.graph g.edge[aria-label^="${verdict}"]`).count(), verdict).toBe(
        ties.filter((line) => line.verdict === verdict).length,
      );
    const missed = ties.find((line) => line.verdict === 'missed');
    if (missed?.gold === undefined) throw new Error('G03 has no missed relationship');
    const key = `0.gold.relationship.${missed.gold.index}`;
    await page.locator(`.graph [data-stop="${key}"] .edge-name`).click();
    await expect.poll(() => page.locator(`.graph [data-stop="${key}"]`).getAttribute('aria-pressed')).toBe('true');
    await expect.poll(async () => (await stateOf(page))['item']).toBe(key);
    await expect.poll(() => page.locator('.details .verdict-line .chip').innerText()).toContain('missed');
    await expect.poll(() => page.locator('.details .reasons code').first().innerText()).toBe(missed.rule);
    // The keyboard goes on from there.
    await page.keyboard.press('ArrowLeft');
    await expect.poll(async () => (await stateOf(page))['item']).not.toBe(key);
    await expect.poll(() => page.evaluate<string>('document.activeElement.getAttribute("aria-pressed")')).toBe('true');
  });

  it('shows the same as tables', async () => {
    const page = await openCase('graph', 'G03');
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    for (const [title, kind] of [
      ['Relationships', 'relationship'],
      ['Entities', 'entity'],
    ] as const) {
      const table = page.locator('.graph-tables table', { has: page.locator(`caption:text-is("${title}")`) });
      const verdicts = await table.locator('tbody tr .chip').allInnerTexts();
      expect(verdicts.map((text) => text.replaceAll(/[^a-z]/g, '')).toSorted(), title).toEqual(
        linesOf('graph', 'G03', kind)
          .map(({ verdict }) => verdict)
          .toSorted(),
      );
    }
    const tie = linesOf('graph', 'G03', 'relationship').find(({ verdict }) => verdict === 'spurious');
    const row = page.locator('.graph-tables tr.spurious', { hasText: tie?.label ?? '' }).first();
    await row.click();
    await expect.poll(async () => (await stateOf(page))['item']).toMatch(/^0\.predicted\.relationship\.\d+$/);
  });
});

describe('a case of a journal', () => {
  it('shows the attributes of its hits, right and wrong', async () => {
    const page = await openCase('journal', 'D06');
    const judged = linesOf('journal', 'D06', 'object').filter(({ attributes }) => attributes !== undefined);
    const wrong = judged.flatMap(({ attributes }) => Object.values(attributes ?? {})).filter((right) => !right).length;
    expect(wrong).toBe(1);
    const table = page.locator('.attributes-table');
    await expect.poll(() => table.locator('tbody tr').count()).toBe(judged.length);
    await expect.poll(() => table.locator('td.wrong').count()).toBe(wrong);
    // From the notes beside the example: "kandhe mein dard" today instead of past_week.
    await expect
      .poll(async () => (await table.locator('td.wrong').innerText()).replaceAll(/\s+/g, ' '))
      .toContain('past_week → today');
  });

  it('shows what is not in the text beside it', async () => {
    const page = await openCase('journal', 'D06');
    await expect
      .poll(() => page.locator('.placeless').innerText())
      .toContain('could not focus and read the same line five times');
  });
});

describe('a case of a stream', () => {
  it('shows its timeline, its concepts and its summaries', async () => {
    const page = await openCase('stream', 'case-01');
    const summaries = linesOf('stream', 'case-01', 'summary');
    const flushes = linesOf('stream', 'case-01', 'flush');
    const timeline = page.locator('.timeline');
    await expect.poll(() => timeline.locator('.timeline-window').count()).toBe(summaries.length);
    await expect.poll(() => timeline.getByRole('button', { name: /^flush/ }).count()).toBe(flushes.length);
    const concepts = linesOf('stream', 'case-01', 'concept').filter(({ gold }) => gold !== undefined);
    const covered = concepts.filter(({ verdict }) => verdict === 'hit').length;
    await expect
      .poll(() => page.locator('.case-view').innerText())
      .toContain(`${covered} of ${concepts.length} covered`);
    await timeline.locator('.timeline-window').first().click();
    await expect.poll(() => page.locator('.summary-card.selected').count()).toBe(1);
    const words = summaries[0]?.predicted?.text ?? '';
    await expect
      .poll(async () => (await page.locator('.summary-card.selected').innerText()).replaceAll(/\s+/g, ' '))
      .toContain(words.replaceAll(/\s+/g, ' ').slice(0, 40));
  });
});

describe('a consultation', () => {
  it('shows the question, the answer, its claims and its ratings', async () => {
    const page = await openCase('consult', 'C01');
    const [answer] = linesOf('consult', 'C01', 'answer');
    const words = answer?.predicted?.text ?? '';
    expect(words).not.toBe('');
    await expect.poll(() => page.locator('.case-view').innerText()).toContain('My hands and feet are always cold');
    // Without the names of the parts, which hang on it.
    const shown = await page
      .getByRole('group', { name: /^The answer/ })
      .locator('[data-from]')
      .allTextContents();
    const lines = words.split('\n').filter((line) => line.trim() !== '');
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(shown.join('')).toContain(line.trim());
    // A question is rated on dimensions, by people: a dot's row for each of them.
    const ratings = linesOf('consult', 'C01', 'rating');
    expect(ratings.length).toBeGreaterThan(10);
    await expect.poll(() => page.locator('.ratings-table tbody .row-button').count()).toBe(ratings.length);
    const claimed = linesOf('consult', 'C03', 'claim');
    expect(claimed.length).toBeGreaterThan(0);
    const other = await openCase('consult', 'C03');
    const claims = other.locator('.claim-list .claim');
    await expect.poll(() => claims.count()).toBe(claimed.length);
    for (const [at, { verdict, predicted }] of claimed.entries()) {
      const text = await claims.nth(at).innerText();
      await expect.poll(() => claims.nth(at).getAttribute('class')).toContain(verdict);
      expect(text).toContain(predicted?.text);
    }
  });
});
