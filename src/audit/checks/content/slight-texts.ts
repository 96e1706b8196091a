import { ITEM_KINDS, type ItemKind, PAIRED_KINDS } from '../../../data/item.ts';
import { LEAST_WORDS } from '../../../text/near-texts.ts';
import type { AuditCase } from '../../check.ts';
import { count } from '../../../text/figures.ts';
import { itemsOf } from './case-items.ts';
import type { CaseTexts } from './case-texts.ts';

/** Kinds that gold is made of. */
export const GOLD_KINDS: ReadonlySet<ItemKind> = new Set<ItemKind>(
  ITEM_KINDS.filter((kind) => PAIRED_KINDS.some((one) => one === kind)),
);

/** So many cases with tiny texts that are there again are no chance, however tiny they are. */
const NO_CHANCE = 0.5;

const WITHOUT_GOLD = 1;
const TINY = 2;

/**
 * Texts that are met again by right: those with nothing to find in them ("Thank you!", the fixed sentences that negatives
 * are made of) and those of a few words ("Ask Ms Lund."). They are told of and are no reason for alarm.
 */
export class SlightTexts {
  /** By the places of the texts. */
  readonly #kinds: number[] = [];
  #hasGold = false;

  /** Told of every case that has a text, in the order of their places. */
  add(given: AuditCase, texts: CaseTexts): void {
    const isWithoutGold = itemsOf(given, 'gold', GOLD_KINDS).length === 0;
    if (!isWithoutGold) this.#hasGold = true;
    const isTiny = texts.wordsOf(given).length < LEAST_WORDS;
    this.#kinds.push((isWithoutGold ? WITHOUT_GOLD : 0) | (isTiny ? TINY : 0));
  }

  /** Of texts that were met again, those that count, and the rest in words for the end of a title. */
  among(places: readonly number[]): { readonly counting: number; readonly said: string } {
    let [withoutGold, tiny] = [0, 0];
    for (const place of places) {
      const kind = this.#kinds[place]!;
      // Where nothing has gold, as where answers are rated, its lack says nothing of a text.
      if (this.#hasGold && (kind & WITHOUT_GOLD) !== 0) withoutGold += 1;
      else if ((kind & TINY) !== 0) tiny += 1;
    }
    const countsTiny = tiny >= NO_CHANCE * this.#kinds.length;
    const parts = [
      ...(withoutGold === 0 ? [] : [[withoutGold, 'without gold'] as const]),
      ...(tiny === 0 ? [] : [[tiny, `of fewer than ${LEAST_WORDS} words`] as const]),
    ].map(([some, what], at) => `${count(some)}${at === 0 ? ' of them' : ''} ${what}`);
    return {
      counting: places.length - withoutGold - (countsTiny ? 0 : tiny),
      said: parts.length === 0 ? '' : `; ${parts.join(', ')}`,
    };
  }
}
