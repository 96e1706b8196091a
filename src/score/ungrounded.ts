import type { Verdict } from '../judge/verdict.ts';
import { compareText } from '../text/compare.ts';

/** A prediction whose quote is not in the text. */
export interface UngroundedItem {
  readonly case: string;
  readonly label: string;
  readonly text: string;
  readonly why: string;
}

/** How many there are, and the first of them by case id: enough to see what kind of mistake it is. */
export interface UngroundedList {
  readonly total: number;
  readonly shown: readonly UngroundedItem[];
}

const SHOWN = 20;

/** Lists predictions whose quote is not in the text, in an order that does not depend on the input's. */
export class Ungrounded {
  #total = 0;
  #held: UngroundedItem[] = [];

  add(verdicts: readonly Verdict[]): void {
    for (const { case: id, predicted } of verdicts) {
      if (predicted?.grounded !== false) continue;
      this.#total += 1;
      this.#held.push({ case: id, label: predicted.label, text: predicted.text, why: predicted.ungrounded ?? '' });
      if (this.#held.length > SHOWN * 50) this.#held = this.#first();
    }
  }

  list(): UngroundedList {
    return { total: this.#total, shown: this.#first() };
  }

  #first(): UngroundedItem[] {
    return this.#held
      .toSorted((a, b) => compareText(a.case, b.case) || compareText(a.label, b.label) || compareText(a.text, b.text))
      .slice(0, SHOWN);
  }
}
