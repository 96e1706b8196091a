import { shorten } from '../data/visible.ts';
import type { Finding, FindingItem } from './finding.ts';

/** Enough to see what kind of thing it is; a report of 100,000 cases must not hold all of them. */
export const CASES_SHOWN = 20;
export const ITEMS_SHOWN = 10;
const LONGEST_TEXT = 200;

/** Counts the cases and items behind a finding and keeps the first of them. Cases must come one after another. */
export class Evidence {
  #cases = 0;
  #items = 0;
  #last: string | null = null;
  readonly #shownCases: string[] = [];
  readonly #shownItems: FindingItem[] = [];

  /** A case; told again of the one before, it counts once. */
  addCase(id: string): void {
    if (id === this.#last) return;
    this.#last = id;
    this.#cases += 1;
    if (this.#shownCases.length < CASES_SHOWN) this.#shownCases.push(id);
  }

  /** An item and the case that it is in. */
  addItem(item: FindingItem): void {
    if (item.case !== null) this.addCase(item.case);
    this.#items += 1;
    if (this.#shownItems.length < ITEMS_SHOWN) this.#shownItems.push(shortItem(item));
  }

  get cases(): Finding['cases'] {
    return { total: this.#cases, shown: [...this.#shownCases] };
  }

  get items(): Finding['items'] {
    return { total: this.#items, shown: [...this.#shownItems] };
  }
}

export const NO_EVIDENCE: Pick<Finding, 'cases' | 'items'> = {
  cases: { total: 0, shown: [] },
  items: { total: 0, shown: [] },
};

/** With as much of its text as a reader needs. */
export function shortItem(item: FindingItem): FindingItem {
  return { ...item, text: shorten(item.text, LONGEST_TEXT) };
}
