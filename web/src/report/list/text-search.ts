import type { ReportSource } from '../source.ts';
import { searchedText } from './case-preview.ts';

/** The searched texts of a page in one, and where each case begins in it. */
interface PageText {
  readonly text: string;
  readonly starts: readonly number[];
}

/** Characters that are kept: texts beyond that are decompressed again for every search. */
const MOST_KEPT = 192 << 20;
/** How long the page may stand still, in ms. */
const PATIENCE_MS = 24;
/** Nobody can type it. */
const BETWEEN = '\u0000';

/**
 * Searches the texts of a report. The file has no index for that: the first search decompresses the pages one after
 * another and keeps what it looks through, so that the next ones take milliseconds.
 */
export class TextSearch {
  readonly #source: ReportSource;
  readonly #pages: (Promise<PageText> | undefined)[] = [];
  #kept = 0;

  constructor(source: ReportSource) {
    this.#source = source;
  }

  /**
   * Sets `found` to 1 at the rows that have all words; without words the texts are only made ready. `progress` is called
   * with the share that is done, and ends the search by returning false.
   */
  async search(words: readonly string[], found: Uint8Array, progress: (share: number) => boolean): Promise<void> {
    const { pages } = this.#source.head;
    let last = performance.now();
    for (const [at, first] of pages.entries()) {
      const page = await (this.#pages[at] ??= this.#read(at));
      if (words.length > 0) for (const place of placesOf(page, words)) found[first + place] = 1;
      if (performance.now() - last < PATIENCE_MS && at < pages.length - 1) continue;
      if (!progress((at + 1) / pages.length)) return;
      await new Promise((resolve) => setTimeout(resolve));
      last = performance.now();
    }
    if (pages.length === 0) progress(1);
  }

  async #read(at: number): Promise<PageText> {
    const texts = (await this.#source.page(at)).map(searchedText);
    const starts: number[] = [];
    let start = 0;
    for (const text of texts) {
      starts.push(start);
      start += text.length + BETWEEN.length;
    }
    const text = texts.join(BETWEEN);
    if (this.#kept + text.length > MOST_KEPT) this.#pages[at] = undefined;
    else this.#kept += text.length;
    return { text, starts };
  }
}

/** The cases of a page that have all words, by their places in it. */
function placesOf({ text, starts }: PageText, [first = '', ...others]: readonly string[]): readonly number[] {
  const places: number[] = [];
  let place = 0;
  for (let at = text.indexOf(first); at >= 0;) {
    while ((starts[place + 1] ?? Infinity) <= at) place += 1;
    const end = starts[place + 1] ?? text.length;
    const own = others.length === 0 ? '' : text.slice(starts[place], end);
    if (others.every((word) => own.includes(word))) places.push(place);
    at = text.indexOf(first, end);
  }
  return places;
}
