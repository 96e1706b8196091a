import { type LineOptions, mostBytes, reportLong } from './lines.ts';

/** Limits of one case: at both, validating and scoring it take about 450 MB. */
export const MOST_TOKENS = 200_000;
const MOST_ITEMS = 100_000;

/** Counts tokens and items of a case while these are read, so that no case takes more memory than a machine has. */
export class CaseSize {
  readonly #limits: LineOptions;
  readonly #line: number;
  #bytes = 0;
  #tokens = 0;
  #items = 0;
  /** Set once the case is refused. */
  isTooLarge = false;

  /** `line` is where the case begins. */
  constructor(limits: LineOptions, line: number) {
    this.#limits = limits;
    this.#line = line;
  }

  /** False if the case is too large with these; reports it the first time. */
  add(tokens: number, items: number, bytes = 0): boolean {
    if (this.isTooLarge) return false;
    this.#bytes += bytes;
    this.#tokens += tokens;
    this.#items += items;
    const isLong = this.#bytes > mostBytes(this.#limits);
    this.isTooLarge = isLong || this.#tokens > MOST_TOKENS || this.#items > MOST_ITEMS;
    if (isLong) reportLong(this.#line, this.#limits);
    else if (this.isTooLarge) {
      const limit = this.#tokens > MOST_TOKENS ? `${MOST_TOKENS} tokens` : `${MOST_ITEMS} annotations`;
      const { file, problems } = this.#limits;
      problems.add({
        file,
        line: this.#line,
        message: `the case has more than ${limit}`,
        next: 'split it into several cases',
      });
    }
    return !this.isTooLarge;
  }
}
