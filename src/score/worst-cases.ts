import type { CaseResult } from '../measure/tally.ts';
import { compareText } from '../text/compare.ts';

export interface WorstCase {
  readonly case: string;
  readonly missed: number;
  readonly spurious: number;
  readonly hit: number;
}

/** The cases with the most errors; ties by id, so that the order of the input does not show. */
export class WorstCases {
  readonly #limit: number;
  #held: WorstCase[] = [];

  constructor(limit = 10) {
    this.#limit = limit;
  }

  add(result: Pick<CaseResult, 'case' | 'counts'>): void {
    const { missed, spurious, hit } = result.counts;
    if (missed + spurious === 0) return;
    this.#held.push({ case: result.case, missed, spurious, hit });
    if (this.#held.length > this.#limit * 50) this.#held = this.list();
  }

  list(): WorstCase[] {
    return this.#held
      .toSorted((a, b) => b.missed + b.spurious - a.missed - a.spurious || compareText(a.case, b.case))
      .slice(0, this.#limit);
  }
}
