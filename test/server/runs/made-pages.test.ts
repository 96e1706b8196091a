import { setTimeout as pause } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { UsageError } from '../../../src/data/problems.ts';
import { MadePages, type PagePieces } from '../../../src/server/runs/made-pages.ts';
import type { PageOrder } from '../../../src/server/runs/made-pages.ts';

const ORDER: PageOrder = { folders: ['a', 'b'], force: false, texts: 'full' };
const page = (bytes = 1): PagePieces => [new Uint8Array(bytes)];

describe('pages that are made', () => {
  it('are made once, however many wait', async () => {
    let made = 0;
    const pages = new MadePages(async () => {
      made += 1;
      await pause(5);
      return page();
    });
    const all = await Promise.all(Array.from({ length: 5 }, async () => await pages.of('one', ORDER)!.page));
    expect(new Set(all).size).toBe(1);
    expect(await pages.of('one', ORDER)!.page).toBe(all[0]);
    expect(made).toBe(1);
  });

  it('say how far they are', async () => {
    const { promise, resolve } = Promise.withResolvers<PagePieces>();
    const pages = new MadePages((_, tell) => {
      tell({ doing: 'writing', share: 0.25 });
      return promise;
    });
    const making = pages.of('one', ORDER)!;
    expect(making.progress).toEqual({ doing: 'writing', share: 0.25 });
    resolve(page());
    await making.page;
  });

  it('are made two at a time, and nobody is let wait behind too many', async () => {
    const { promise, resolve } = Promise.withResolvers<PagePieces>();
    let atWork = 0;
    const pages = new MadePages(() => {
      atWork += 1;
      return promise;
    });
    const makings = Array.from({ length: 30 }, (_, at) => pages.of(String(at), ORDER));
    expect(atWork).toBe(2);
    // Two at work and sixteen waiting.
    expect(makings.filter((making) => making !== null)).toHaveLength(18);
    expect(makings[2]!.progress).toBeNull();
    resolve(page());
    await makings[17]!.page;
    expect(atWork).toBe(18);
  });

  it('that failed are not tried again while somebody waits to be told why', async () => {
    let tried = 0;
    const pages = new MadePages(() => {
      tried += 1;
      return Promise.reject(new UsageError('unlike'));
    });
    await expect(pages.of('one', ORDER)!.page).rejects.toThrow('unlike');
    await expect(pages.of('one', ORDER)!.page).rejects.toThrow('unlike');
    expect(tried).toBe(1);
  });

  it('are kept as long as they are among the newest four', async () => {
    const made: string[] = [];
    const pages = new MadePages(({ folders }) => {
      made.push(folders[0]!);
      return Promise.resolve(page());
    });
    const ask = async (name: string): Promise<unknown> => await pages.of(name, { ...ORDER, folders: [name] })!.page;
    for (const name of ['a', 'b', 'c', 'd', 'a', 'e', 'a', 'b']) await ask(name);
    // By the time of e, a was asked for again after b: b is the one to go.
    expect(made).toEqual(['a', 'b', 'c', 'd', 'e', 'b']);
  });
});
