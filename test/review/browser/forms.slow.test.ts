import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

import type { ReviewContent } from '../../../src/review/content.ts';
import { isAnswerList } from '../../../src/review/questions.ts';
import type { ItemAnswer, ReviewItemRecord } from '../../../src/store/review-records.ts';
import { axeFaults } from './axe-faults.ts';
import { NARROW, useBrowser, WIDE } from './browser.ts';
import { buildApp } from './built-app.ts';
import { commit, itemShown, saved, select } from './by-keyboard.ts';
import { takeLooks } from './pictures.ts';
import type { Serving } from './serving.ts';
import { linesFile, servingForm } from './serving-form.ts';

const browser = useBrowser();
beforeAll(buildApp);

/** The answers of Ann to the list of an item, as the store has them. */
function listInStore({ store, people }: Serving, item: ReviewItemRecord, field: string): readonly ItemAnswer[] {
  const value = store.reviews.state(item.id, people.get('Ann')!.id)?.cells.find((cell) => cell.field === field)?.value;
  return isAnswerList(value) ? value : [];
}

function textOf(item: ReviewItemRecord): string {
  return (item.content as ReviewContent).blocks[0]!.text;
}

/** Digits for the rows of a list, one after the other. */
async function labelRows(page: Page, digits: readonly string[], from = 0): Promise<void> {
  for (const [index, digit] of digits.entries()) {
    await currentRow(page, from + index + 1).waitFor();
    await page.keyboard.press(digit);
  }
}

function currentRow(page: Page, number: number): Locator {
  return page.locator(`.thing.current:has(.thing-number:text-is("${number}"))`);
}

describe('spans of personal data', () => {
  it('are labelled by key, and what is missing is added from a selection and by keyboard alone', async () => {
    const serving = await servingForm('pii/review', ['--cases', 'examples/pii/docs.json']);
    const page = await browser.open(serving.linkTo('Ann'));
    const item = await itemShown(page, serving, 'Ann');
    const proposed = (item.content as ReviewContent).proposed['spans']!;
    const text = textOf(item);
    for (const { id, start, end } of proposed) expect(start >= 0 && end > start, id).toBe(true);
    const marks = await page.locator('.block.under mark.span').allInnerTexts();
    expect(marks.map((mark) => mark.trim())).toEqual(
      proposed.map(({ kind, start, end }) => `${kind ?? ''}${text.slice(start, end).trim()}`),
    );

    const digits = proposed.map((_, index) => String((index % 4) + 1));
    await labelRows(page, digits.slice(0, 8));
    await page.reload();
    // The work goes on where it was left, and in sight.
    const inSight = async (): Promise<boolean> => {
      const { y, height } = (await currentRow(page, 9).boundingBox())!;
      return y > 60 && y + height < WIDE.height - 60;
    };
    await expect.poll(inSight).toBe(true);
    await labelRows(page, digits.slice(8), 8);
    expect(await axeFaults(page)).toEqual([]);
    await takeLooks(page, 'form-pii');
    const before = await page.locator('.thing').count();

    // A selection, wherever the person is: the row for the comment.
    const [word] = /\b\d+ pounds\b|\b[A-Z][a-z]+ (?:Lane|Road|Court)\b/.exec(text)!;
    await select(page, text.indexOf(word), text.indexOf(word) + word.length);
    await page.keyboard.press('a');
    await page.locator('.thing.current:has-text("added by you") .kind-choice input:focus').waitFor();
    await page.keyboard.type('SUM', { delay: 60 });
    await page.keyboard.press('Enter');

    // By keyboard alone, of words that stand more than once: the second of them.
    const often = [...text.matchAll(/\p{L}{4,}/gu)].map(([one]) => one).find((one, at, all) => all.indexOf(one) < at)!;
    const second = text.indexOf(often, text.indexOf(often) + 1);
    await page.keyboard.press('a');
    await page.locator('dialog[open] textarea:focus').waitFor();
    await page.keyboard.type(often);
    await page.keyboard.press('ArrowDown');
    await page.locator('dialog[open] :text("Place 2 of")').waitFor();
    await page.keyboard.press('Enter');
    const row = `.thing.current:has-text("added by you"):has-text("${often}")`;
    await page.locator(`${row} .kind-choice input:focus`).waitFor();
    // The page is drawn again when what was added has been saved, and what is being typed stays.
    await page.keyboard.type('OTHER', { delay: 60 });
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.thing').count()).toBe(before + 2);
    await saved(page);

    const list = listInStore(serving, item, 'spans');
    const labels = ['right', 'wrong_label', 'wrong_boundary', 'not_personal'];
    expect(list.filter(({ from }) => from.length > 0)).toEqual(
      proposed.map(({ id, start, end, text: words }, index) => ({
        id,
        start,
        end,
        text: words,
        label: labels[index % 4],
        from: [id],
      })),
    );
    const added = list.filter(({ from }) => from.length === 0);
    expect(added.map(({ start, text: words, kind, label }) => [start, words, kind, label])).toEqual(
      [
        [text.indexOf(word), word, 'SUM', 'missing'],
        [second, often, 'OTHER', 'missing'],
      ].toSorted(([a], [b]) => Number(a) - Number(b)),
    );
    for (const { start, end, text: words } of added) expect(text.slice(start, end)).toBe(words);
    // In the order of the text, so that others who add the same have it at the same place.
    expect(list.map(({ start }) => start)).toEqual(list.map(({ start }) => start).toSorted((a, b) => a - b));
    await commit(page);
    expect(serving.store.reviews.state(item.id, serving.people.get('Ann')!.id)?.committed).toBe(true);
  });

  it('are added on a phone with the button beside the selected words, and the way on is in reach from the top', async () => {
    const serving = await servingForm('pii/review', ['--cases', 'examples/pii/docs.json']);
    const page = await browser.open(serving.linkTo('Ann'), { viewport: NARROW });
    const item = await itemShown(page, serving, 'Ann');
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(0);
    const bar = (await page.getByRole('button', { name: 'Done, next' }).boundingBox())!;
    expect(bar.y + bar.height).toBeLessThanOrEqual(NARROW.height);

    const text = textOf(item);
    const start = text.search(/\b\p{L}{5,}/u);
    const [word] = /\p{L}+/u.exec(text.slice(start))!;
    await select(page, start, start + word.length);
    await page.locator('.add-selected').getByRole('button', { name: 'Add' }).click();
    await page.locator('.thing.current:has-text("added by you")').waitFor();
    await saved(page);
    const added = listInStore(serving, item, 'spans').filter(({ from }) => from.length === 0);
    expect(added).toMatchObject([{ start, end: start + word.length, text: word, label: 'missing' }]);
    await expect.poll(() => page.locator('.add-selected').count()).toBe(0);
  });

  it('can be told apart where they lie within and across each other', async () => {
    const text = 'Dr Maria Lopez-Garcia wrote from 12 High Street, Wexcombe.';
    const span = (words: string, label: string) => ({
      start: text.indexOf(words),
      end: text.indexOf(words) + words.length,
      label,
      text: words,
    });
    const spans = [
      span('Maria Lopez-Garcia', 'PERSON'),
      span('Lopez-Garcia', 'SURNAME'),
      span('Dr Maria', 'TITLE'),
      span('12 High Street, Wexcombe', 'ADDRESS'),
      span('High Street', 'STREET'),
    ];
    const serving = await servingForm('pii/review', [
      '--cases',
      linesFile('cases.jsonl', { id: 'N1', text }),
      '--predictions',
      linesFile('found.jsonl', { id: 'N1', spans }),
    ]);
    const page = await browser.open(serving.linkTo('Ann'));
    await itemShown(page, serving, 'Ann');
    // Where each line is drawn: no two at one height under the same letters.
    const lines = await page.locator('.block.under mark.span').evaluateAll((marks) =>
      marks.map((mark) => {
        const { left, right, bottom } = mark.getBoundingClientRect();
        return { left, right, bottom };
      }),
    );
    await expect
      .poll(() => page.locator('.block.under .span-kind').allInnerTexts())
      .toEqual(['TITLE', 'PERSON', 'SURNAME', 'ADDRESS', 'STREET']);
    const onTop = lines.flatMap((one, at) =>
      lines
        .slice(at + 1)
        .filter((other) => one.left < other.right - 1 && other.left < one.right - 1)
        .filter((other) => Math.abs(one.bottom - other.bottom) < 3)
        .map((other) => [one, other]),
    );
    expect(onTop).toEqual([]);
    await takeLooks(page, 'form-nested');

    // A click takes the innermost, a second one the span around it.
    const current = page.locator('.thing.current .thing-words');
    const street = page.locator('.block.under mark.span:has-text("STREET") [data-from]:text-is("High Street")').last();
    await street.click();
    await page.locator('.thing.current:has-text("STREET")').waitFor();
    await expect.poll(() => current.innerText()).toContain('High Street');
    await street.click();
    await page.locator('.thing.current:has-text("ADDRESS")').waitFor();
    await expect.poll(() => current.innerText()).toContain('12 High Street, Wexcombe');
  });
});

describe('a graph', () => {
  it('shows a relationship between its two ends, and what became of it is kept', async () => {
    const files = ['--cases', 'examples/graph/items.jsonl', '--predictions', 'examples/graph/outputs.jsonl'];
    const serving = await servingForm('graph/review', files);
    const page = await browser.open(serving.linkTo('Ann'));
    const item = await itemShown(page, serving, 'Ann');
    const proposed = (item.content as ReviewContent).proposed['extractions']!;
    const links = proposed.filter(({ facts }) => facts['source'] !== undefined);
    expect(links.length).toBeGreaterThan(0);
    await expect
      .poll(() => page.locator('.relation').evaluateAll((shown) => shown.map((one) => one.textContent)))
      .toEqual(
        links.map(({ kind, facts }) => [facts['source'], `—${kind!.replaceAll('_', ' ')}→`, facts['target']].join(' ')),
      );

    await labelRows(
      page,
      proposed.map(({ facts }) => (facts['source'] === undefined ? '1' : '4')),
    );
    // At a link, both of its ends are marked in the text.
    const last = links.at(-1)!;
    await page.locator(`.thing:has(.thing-number:text-is("${proposed.length}"))`).click();
    const ends = proposed.filter(
      ({ start, text }) => start >= 0 && (text === last.facts['source'] || text === last.facts['target']),
    );
    await expect.poll(() => page.locator('.block.under mark.current').count()).toBe(ends.length);
    expect(await axeFaults(page)).toEqual([]);
    await takeLooks(page, 'form-graph');
    await saved(page);
    expect(listInStore(serving, item, 'extractions').map(({ text, label }) => [text, label])).toEqual(
      proposed.map(({ text, facts }) => [text, facts['source'] === undefined ? 'right' : 'invented']),
    );
  });
});

describe('objects of a diary', () => {
  it('are shown with their facts, and are reviewed in the order of the text', async () => {
    const serving = await servingForm('journal/review', [
      '--cases',
      'examples/journal/journals.jsonl',
      '--predictions',
      'examples/journal/predictions.jsonl',
    ]);
    const page = await browser.open(serving.linkTo('Ann'));
    const item = await itemShown(page, serving, 'Ann');
    const proposed = (item.content as ReviewContent).proposed['objects']!;
    const rows = await page.locator('.thing').allInnerTexts();
    for (const [index, { text, kind, facts }] of proposed.entries()) {
      expect(rows[index]).toContain(text);
      expect(rows[index]).toContain(kind);
      expect(rows[index]?.replaceAll(/\s+/g, ' ')).toContain(['polarity', facts['polarity']].join(' '));
    }
    await labelRows(
      page,
      proposed.map(() => '1'),
    );
    await takeLooks(page, 'form-journal');
    await commit(page);
    await saved(page);
    expect(listInStore(serving, item, 'objects').map(({ label }) => label)).toEqual(proposed.map(() => 'right'));
  });
});
