import type { Item } from '../../../data/item.ts';
import type { ContentHash } from '../../../score/content-hash.ts';
import type { AuditCase, NewFinding } from '../../check.ts';
import { NO_EVIDENCE } from '../../evidence.ts';
import { count, percent } from '../../../text/figures.ts';
import { itemsKey, itemsOf, TELLING_KINDS } from './case-items.ts';
import { MetSets } from './met-sets.ts';

const LEAST_CASES = 5;
const LEAST_SHARE = 0.2;
const ERROR_SHARE = 0.5;

interface Repeated {
  wrong: number;
  goldDiffers: boolean;
  readonly firstGold: number;
}

/** One list of items given to many cases. Items that stand in the case's own text were found there, however often. */
export class RepeatedItems {
  readonly #sets = new MetSets<Repeated>();
  #answered = 0;

  add(given: AuditCase): void {
    const { id, text, failed } = given;
    if (failed !== null) return;
    const predicted = itemsOf(given, 'predicted', TELLING_KINDS);
    if (predicted.length === 0) return;
    this.#answered += 1;
    if (!isBlind(predicted, text)) return;
    const key = itemsKey(predicted, say);
    const gold = itemsKey(itemsOf(given, 'gold', TELLING_KINDS), say);
    const met = this.#sets.meet(key, id, () => ({ wrong: 0, goldDiffers: false, firstGold: gold }));
    if (met === null) return;
    if (gold !== key) met.counts.wrong += 1;
    if (gold !== met.counts.firstGold) met.counts.goldDiffers = true;
    // The first case was not kept item by item, and has the same ones.
    for (const of of met.cases === 2 ? [met.firstCase, id] : [id])
      for (const { label, text: said } of predicted)
        met.evidence?.addItem({ case: of, side: 'predicted', label, text: said, note: null });
  }

  findings(): NewFinding[] {
    const found = this.#sets
      .list()
      .filter(
        ({ cases, counts: { wrong, goldDiffers } }) =>
          cases >= LEAST_CASES && cases >= LEAST_SHARE * this.#answered && goldDiffers && wrong > cases / 2,
      );
    return found.map(({ cases, counts: { wrong }, evidence }): NewFinding => ({
      severity: cases >= ERROR_SHARE * this.#answered ? 'error' : 'warning',
      title: `${count(cases)} of ${count(this.#answered)} cases (${percent(cases, this.#answered)}) have the same predicted items, which their texts do not hold; for ${count(wrong)} of them gold says something else`,
      why: 'A list that does not depend on the case is a stand-in: its hits are those of guessing what is common.',
      todo: 'Find what gave these predictions: a placeholder, an example of the prompt repeated, or a cache.',
      subjects: [],
      cases: evidence?.cases ?? NO_EVIDENCE.cases,
      items: evidence?.items ?? NO_EVIDENCE.items,
    }));
  }
}

/** Whether the items cannot have come from the text; without one, whether there is enough of them to be sure. */
function isBlind(items: readonly Item[], text: string | null): boolean {
  if (text === null) return items.length > 1;
  let inText = 0;
  for (const { start } of items) if (start >= 0) inText += 1;
  if (inText >= items.length / 2) return false;
  const folded = text.toLowerCase();
  for (const item of items) if (item.start < 0 && folded.includes(item.text.toLowerCase())) inText += 1;
  return inText < items.length / 2;
}

function say({ kind, label, text, source, target }: Item, to: ContentHash): void {
  to.text(kind);
  to.text(label);
  to.text(text);
  to.text(source ?? '');
  to.text(target ?? '');
}
