import type { Page } from 'playwright-core';

import { type Conflict, conflictsOf } from '../../../src/review/conflicts.ts';
import { loadSnapshot } from '../../../src/review/snapshot.ts';
import type { ItemAnswer, ReviewItemRecord } from '../../../src/store/review-records.ts';
import { answerAll, labelled } from './answers.ts';
import type { Look } from './browser.ts';
import { HOSTILE, NAME } from './consultations.ts';
import { type Serving, servingConsultations } from './serving.ts';

/** How to get to a screen in a state worth looking at. */
export interface Screen {
  readonly name: string;
  readonly open: (open: (link: string) => Promise<Page>) => Promise<Page>;
}

/** A review in which two people are through and differ, and a third, Meera, has not begun. */
export async function dividedReview(): Promise<Serving> {
  const serving = await servingConsultations(5, ['Meera']);
  answerAll(serving, 'Asha', (field, part, item) => {
    if (field === 'comment') return 'The dose is missing. खुराक नहीं बताई गई।';
    if (field === 'claims') return labelled(item, field, (index) => (index === 2 ? 'hallucinated' : 'grounded'));
    if (field === 'treatment_relevance') return item.caseId === 'C2' ? 2 : 4 + (part === 'safety' ? 1 : 0);
    return undefined;
  });
  answerAll(serving, 'Ravi', (field, _part, item) => {
    if (field === 'prakriti') return item.caseId === 'C3' ? 'vata' : 'pitta';
    if (field === 'claims' && item.caseId === 'C5') return secondSplit(item);
    return field === 'treatment_relevance' && item.caseId === 'C1' ? 1 : undefined;
  });
  return serving;
}

/** The second claim cut in two, where the first has a label of its own. */
function secondSplit(item: ReviewItemRecord): ItemAnswer[] {
  return labelled(item, 'claims', () => 'grounded').flatMap((claim, index) => {
    if (index !== 1) return [claim];
    const cut = claim.text.indexOf(' ', 8);
    const [first, second] = [claim.text.slice(0, cut), claim.text.slice(cut + 1)];
    return [
      { ...claim, id: `${claim.id}a`, end: claim.start + cut, text: first, from: [claim.id] },
      { ...claim, id: `${claim.id}b`, start: claim.start + cut + 1, text: second, label: 'inferred', from: [claim.id] },
    ];
  });
}

export function screensOf(serving: Serving, { viewport }: Look): Screen[] {
  const narrow = (viewport?.width ?? 0) < 600;
  return [...reviewersScreens(serving, narrow), ...adjudicatorsScreens(serving), ownersScreen(serving)];
}

function reviewersScreens(serving: Serving, narrow: boolean): Screen[] {
  const items = serving.store.reviews.items(serving.store.reviews.find(NAME)!.id);
  const itemLink = (item: ReviewItemRecord): string => `${serving.linkTo('Meera')}/${item.id}`;
  const shown = (
    name: string,
    wanted: (item: ReviewItemRecord) => boolean,
    then?: (page: Page) => Promise<void>,
  ): Screen => ({
    name: `review-${name}`,
    open: async (open) => {
      const page = await open(itemLink(items.find(wanted)!));
      await page.locator('.questions-pane [data-stop]:focus-within').waitFor();
      await then?.(page);
      return page;
    },
  });
  const dialog = async (page: Page): Promise<void> => await page.locator('dialog[open]').waitFor();
  return [
    shown('case', isCase),
    shown('hostile', isHostile),
    shown('claims', isHindi, async (page) => {
      await page.locator('.thing').first().click();
      await page.locator('.thing.current').waitFor();
    }),
    shown('split', isHindi, async (page) => {
      await page.locator('.thing').first().click();
      await page.locator('.thing.current').waitFor();
      await page.keyboard.press('s');
      await dialog(page);
    }),
    shown('keys', isHindi, async (page) => {
      await page.keyboard.press('?');
      await dialog(page);
    }),
    shown('missing', isHostile, async (page) => {
      await page.keyboard.press('4');
      await page.keyboard.press('Control+Enter');
      await page.locator('.commit-bar p:text("missing")').waitFor();
    }),
    ...(narrow
      ? [
          shown('queue', isCase, async (page) => {
            await page.keyboard.press('i');
            await dialog(page);
          }),
        ]
      : []),
    {
      name: 'review-end',
      open: async (open) => {
        const page = await open(serving.linkTo('Ravi'));
        await page.locator('main.end').waitFor();
        return page;
      },
    },
    {
      name: 'no-entry',
      open: async (open) => {
        const page = await open(`${serving.url}/#a-token-that-nobody-has`);
        await page.locator('h1:text("does not open")').waitFor();
        return page;
      },
    },
  ];
}

function adjudicatorsScreens(serving: Serving): Screen[] {
  const conflicts = conflictsOf(loadSnapshot(serving.store, NAME));
  const shown = (
    name: string,
    wanted: (conflict: Conflict) => boolean,
    then?: (page: Page) => Promise<void>,
  ): Screen => ({
    name: `adjudicate-${name}`,
    open: async (open) => {
      const page = await open(`${serving.linkTo('Jo')}/${conflicts.find(wanted)!.id}`);
      await page.locator('.answer-card').first().waitFor();
      await then?.(page);
      return page;
    },
  });
  const list = async (page: Page): Promise<void> => {
    await page.keyboard.press('o');
    await page.locator('dialog[open]').waitFor();
  };
  return [
    shown('choice', ({ field }) => field === 'prakriti'),
    shown('claim', ({ field, item }) => field === 'claims' && isHindi(item)),
    shown('hostile', ({ field, item }) => field === 'claims' && isHostile(item)),
    shown('pieces', ({ answers }) => answers.some(({ value }) => Array.isArray(value))),
    shown('other', ({ field }) => field === 'prakriti', list),
    shown(
      'reason',
      ({ field }) => field === 'prakriti',
      async (page) => {
        await list(page);
        await page.keyboard.press('3');
        await page.locator('.other-chosen').waitFor();
      },
    ),
  ];
}

function ownersScreen(serving: Serving): Screen {
  return {
    name: 'owner',
    open: async (open) => {
      const page = await open(serving.linkTo('Kim'));
      await page.locator('.figure-row').nth(3).waitFor();
      await page.locator('.figure-numbers summary').first().click();
      return page;
    },
  };
}

function textOf(item: ReviewItemRecord): string {
  return JSON.stringify(item.content);
}

function isCase({ kind }: ReviewItemRecord): boolean {
  return kind === 'case';
}

function isHostile(item: ReviewItemRecord): boolean {
  return item.kind === 'answer' && textOf(item).includes(JSON.stringify(HOSTILE).slice(1, 40));
}

function isHindi({ kind, language }: ReviewItemRecord): boolean {
  return kind === 'answer' && language === 'hi';
}
