import { beforeAll, describe, expect, it } from 'vitest';

import type { ReviewCell, ReviewItemRecord } from '../../../src/store/review-records.ts';
import { listenTo, useBrowser } from './browser.ts';
import { buildApp } from './built-app.ts';
import { cellsOf, commit, itemShown, press, rowsOf, saved, sortedCells } from './by-keyboard.ts';
import { SECRETS, type TestReview } from './consultations.ts';
import { servingConsultations } from './serving.ts';
import { killableServer } from './killable-server.ts';

const browser = useBrowser();
beforeAll(buildApp);

function cellsInStore({ store, people }: TestReview, item: ReviewItemRecord, name: string): ReviewCell[] {
  return sortedCells(store.reviews.state(item.id, people.get(name)!.id)?.cells ?? []);
}

describe('a reviewer', () => {
  it('rates five consultations by keyboard alone, reloads in the middle of one, and loses nothing', async () => {
    const serving = await servingConsultations();
    const asha = serving.people.get('Asha')!.id;
    const page = await browser.open(serving.linkTo('Asha'));
    const expected = new Map<string, ReviewCell[]>();
    const reloaded: string[] = [];
    let answers = 0;
    for (let turn = 0; answers < 5; turn += 1) {
      const item = await itemShown(page, serving, 'Asha');
      const rows = rowsOf(serving, item, turn);
      answers += item.kind === 'answer' ? 1 : 0;
      if (item.kind === 'answer' && answers === 3) {
        // Half of it, then a reload before anybody could see that it was saved.
        await press(page, rows.slice(0, 14));
        await page.reload();
        reloaded.push(item.id, (await itemShown(page, serving, 'Asha')).id);
        await press(page, rows.slice(14));
      } else {
        await press(page, rows);
      }
      expected.set(item.id, cellsOf(rows));
      await commit(page);
    }
    await saved(page);
    expect(reloaded[1]).toBe(reloaded[0]);
    for (const [itemId, cells] of expected) {
      const state = serving.store.reviews.state(itemId, asha);
      expect(sortedCells(state?.cells ?? [])).toEqual(sortedCells(cells));
      expect(state?.committed).toBe(true);
    }
    expect(serving.store.reviews.statesOf(asha)).toHaveLength(expected.size);
  });

  it('sees nothing of what others answered, of the systems, or of automatic scores', async () => {
    const serving = await servingConsultations(1);
    const first = await browser.open(serving.linkTo('Asha'));
    const opinions = new Set<string>();
    // Two items committed, the third answered and left open.
    for (const goesOn of [true, true, false]) {
      const rows = rowsOf(serving, await itemShown(first, serving, 'Asha'), 2);
      await press(first, rows);
      for (const { cell } of rows)
        if (typeof cell.value === 'string' && cell.field === 'comment') opinions.add(cell.value);
      if (goesOn) await commit(first);
    }
    await saved(first);
    expect(opinions.size).toBe(1);

    const page = await browser.open('about:blank');
    const heard = listenTo(page.context());
    await page.goto(serving.linkTo('Ravi'));
    let seen = '';
    for (let turn = 0; turn < 3; turn += 1) {
      await page.locator('.item-title').waitFor();
      seen += await page.content();
      await press(page, rowsOf(serving, await itemShown(page, serving, 'Ravi'), 40));
      await commit(page);
    }
    seen += await page.content();
    seen += await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    seen += await heard.text();
    expect(seen).toContain('"cells"');
    for (const secret of [...SECRETS, ...opinions, 'Asha']) expect(seen, secret).not.toContain(secret);
  });

  it('goes on typing while the server is killed and started again, and the work arrives', async () => {
    const server = await killableServer();
    const page = await browser.open(await server.start('Asha'));
    while ((await itemShown(page, server, 'Asha')).kind === 'case') await page.keyboard.press('n');
    const item = await itemShown(page, server, 'Asha');
    const rows = rowsOf(server, item, 3);
    await press(page, rows.slice(0, 8));
    await server.kill();
    await press(page, rows.slice(8));
    await page.locator('.save-state.retrying').waitFor();
    const typed = sortedCells(cellsOf(rows));
    expect(cellsInStore(server, item, 'Asha')).not.toEqual(typed);
    await server.start('Asha');
    await saved(page);
    expect(cellsInStore(server, item, 'Asha')).toEqual(typed);
  });
});
