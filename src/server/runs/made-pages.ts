import { UsageError } from '../../data/problems.ts';
import type { Texts } from '../../report/html/report-data.ts';
import { runInThread } from '../run-in-thread.ts';
import { Turns } from '../turns.ts';

/** How far a page is. */
export interface PageProgress {
  readonly doing: 'comparing' | 'writing';
  readonly share: number;
}

/** What the thread reports. */
export type PageNews =
  | ({ readonly kind: 'progress' } & PageProgress)
  | { readonly kind: 'piece'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'made' }
  | { readonly kind: 'refused'; readonly message: string };

export interface PageOrder {
  /** The baseline first, if there are several. */
  readonly folders: readonly string[];
  readonly force: boolean;
  readonly texts: Texts;
}

/**
 * A report made in a thread that reads the run folders by itself: resampling takes seconds for large runs, in which nobody
 * else would be answered. Runs that cannot be compared are a UsageError.
 */
async function pageApart(order: PageOrder, progress: (progress: PageProgress) => void): Promise<readonly Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  const last = await runInThread<PageNews>('page-worker', import.meta.url, order, (news) => {
    if (news.kind === 'progress') progress(news);
    if (news.kind === 'piece') pieces.push(news.bytes);
  });
  if (last?.kind === 'refused') throw new UsageError(last.message);
  if (last?.kind !== 'made') throw new Error('the page came to no end');
  return pieces;
}

export type PagePieces = readonly Uint8Array[];

/** A page that is made, or being made. */
export interface Making {
  readonly page: Promise<PagePieces>;
  readonly progress: PageProgress | null;
}

class PageInTheMaking implements Making {
  page: Promise<PagePieces> = Promise.resolve([]);
  progress: PageProgress | null = null;
  /** 0 before it is made. */
  bytes = 0;
}

type Make = (order: PageOrder, progress: (progress: PageProgress) => void) => Promise<PagePieces>;

const KEPT = 4;
const MOST_KEPT_BYTES = 256 * 1024 * 1024;
/** Threads at work at once: a long one does not hold up a short one. */
const AT_ONCE = 2;
const MOST_WAITING = 16;
const FAILED_KEPT_MS = 10_000;

/**
 * Pages made on demand: each once, however many wait for it, and a few at a time. The newest are kept, unless they are too
 * large.
 */
export class MadePages {
  readonly #make: Make;
  readonly #made = new Map<string, PageInTheMaking>();
  readonly #turns = new Turns(AT_ONCE);

  constructor(make: Make = pageApart) {
    this.#make = make;
  }

  /** Null if so many wait already that nobody would see it. */
  of(key: string, order: PageOrder): Making | null {
    const known = this.#made.get(key);
    if (known !== undefined) {
      this.#made.delete(key);
      this.#made.set(key, known);
      return known;
    }
    if (this.#turns.waiting >= MOST_WAITING) return null;
    const making = new PageInTheMaking();
    making.page = this.#turns.take(async () => {
      making.progress = { doing: order.folders.length > 1 ? 'comparing' : 'writing', share: 0 };
      return await this.#make(order, (progress) => (making.progress = progress));
    });
    this.#made.set(key, making);
    making.page.then(
      (pieces) => {
        making.bytes = pieces.reduce((sum, { length }) => sum + length, 0);
        this.#forgetOldest();
      },
      // Those who wait see why, and a later request tries again.
      () => {
        setTimeout(() => {
          if (this.#made.get(key) === making) this.#made.delete(key);
        }, FAILED_KEPT_MS).unref();
      },
    );
    return making;
  }

  #forgetOldest(): void {
    const done = [...this.#made].filter(([, { bytes }]) => bytes > 0).reverse();
    let bytes = 0;
    for (const [at, [key, making]] of done.entries()) {
      bytes += making.bytes;
      // The newest is kept whatever its size: it is about to be asked for.
      if (at > 0 && (at >= KEPT || bytes > MOST_KEPT_BYTES)) this.#made.delete(key);
    }
  }
}
