import type { Page } from 'playwright-core';

import { type ReviewField, reviewSection } from '../../../src/recipe/review-section.ts';
import type { ReviewContent } from '../../../src/review/content.ts';
import { fieldsFor, partsOf } from '../../../src/review/questions.ts';
import type { ItemAnswer, ReviewCell, ReviewItemRecord } from '../../../src/store/review-records.ts';
import { NAME, type TestReview } from './consultations.ts';

/** One row of the form: the keys that answer it, and the cell that comes of it. */
export interface Row {
  readonly keys: readonly string[];
  readonly cell: ReviewCell;
}

/** The item that the page is at, as the store has it, once its first open row waits for keys. */
export async function itemShown(page: Page, { store, people }: TestReview, name: string): Promise<ReviewItemRecord> {
  await page.locator('.questions-pane [data-stop]:focus-within').waitFor();
  const title = await page.locator('.item-title').innerText();
  const place = Number(/Item (\d+) of/.exec(title)?.[1]) - 1;
  const itemId = store.reviews.queue(people.get(name)!.id)[place]!.itemId;
  return store.reviews.item(store.reviews.find(NAME)!.id, itemId)!;
}

/** What a reviewer without groups does to answer every row of an item; `seed` makes answers differ between items. */
export function rowsOf({ store }: TestReview, item: ReviewItemRecord, seed: number): Row[] {
  const form = reviewSection.parse(store.reviews.find(NAME)!.form);
  return fieldsFor(form, [], item).flatMap((field, at) => {
    const question = form.fields[field]!;
    if (question.type === 'items') return claimRows(field, question, item, seed);
    return partsOf(question).map((part, index) => {
      const { keys, value } = answerTo(question, seed + at * 3 + index);
      return { keys, cell: { field, part, value } };
    });
  });
}

function answerTo(
  question: Exclude<ReviewField, { type: 'items' }>,
  pick: number,
): { keys: string[]; value: string | number | boolean } {
  switch (question.type) {
    case 'scale': {
      const value = question.from + (pick % (question.to - question.from + 1));
      return { keys: [String(value)], value };
    }
    case 'choice': {
      const options = Object.keys(question.options);
      const index = pick % options.length;
      return { keys: ['abcdefghi'[index]!], value: options[index]! };
    }
    case 'checklist':
      return pick % 2 === 0 ? { keys: ['y'], value: true } : { keys: ['n'], value: false };
    case 'text': {
      const value = `Note ${pick}: fine, j k u n 1 2 3, ठीक है`;
      return { keys: ['e', `type:${value}`], value };
    }
  }
}

/** The list of claims is one cell: it is whole with the last row. */
function claimRows(
  field: string,
  question: Extract<ReviewField, { type: 'items' }>,
  item: ReviewItemRecord,
  seed: number,
): Row[] {
  const labels = Object.keys(question.labels);
  const proposed = (item.content as ReviewContent).proposed[field] ?? [];
  const value: ItemAnswer[] = proposed.map(({ id, start, end, text }, index) => ({
    id,
    start,
    end,
    text,
    label: labels[(seed + index) % labels.length]!,
    from: [id],
  }));
  return value.map((_, index) => ({
    keys: [String(((seed + index) % labels.length) + 1)],
    cell: { field, part: null, value },
  }));
}

/** As fast as a page can draw what the key before did, which is faster than anybody types. */
export async function press(page: Page, rows: readonly Row[]): Promise<void> {
  for (const key of rows.flatMap(({ keys }) => keys)) {
    if (key.startsWith('type:')) await page.keyboard.type(key.slice('type:'.length));
    else await page.keyboard.press(key);
    await page.evaluate(DRAWN);
  }
}

const DRAWN = 'new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => setTimeout(resolve))))';

/** Each cell once, as it is in the end. */
export function cellsOf(rows: readonly Row[]): ReviewCell[] {
  return [...new Map(rows.map(({ cell }) => [`${cell.field} ${cell.part ?? ''}`, cell])).values()];
}

export function sortedCells(cells: readonly ReviewCell[]): ReviewCell[] {
  const key = ({ field, part }: ReviewCell): string => `${field} ${part ?? ''}`;
  return cells.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** On to the next open item, also from within a text field. */
export async function commit(page: Page): Promise<void> {
  const before = await page.locator('.item-title').textContent();
  await page.keyboard.press('Control+Enter');
  await page.waitForFunction((title) => {
    const now = document.querySelector('.item-title')?.textContent;
    return document.querySelector('main.end') !== null || (now !== undefined && now !== title);
  }, before);
}

/** Until the server has everything that was typed. */
export async function saved(page: Page): Promise<void> {
  await page.locator('.save-state:text-is("saved")').waitFor();
}

/** As a mouse does it: from the first letter of the words to the last. */
export async function select(page: Page, start: number, end: number): Promise<void> {
  await page.evaluate(
    ([from, to]) => {
      const pieces = [...document.querySelectorAll<HTMLElement>('.block.under [data-from]')];
      const at = (place: number): [Node, number] => {
        const piece = pieces.findLast((one) => Number(one.dataset['from']) <= place)!;
        return [piece.firstChild!, place - Number(piece.dataset['from'])];
      };
      const range = document.createRange();
      range.setStart(...at(from!));
      range.setEnd(...at(to! - 1));
      range.setEnd(range.endContainer, range.endOffset + 1);
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
    },
    [start, end],
  );
}
