import type { Item } from '../../../data/item.ts';
import type { ContentHash } from '../../../score/content-hash.ts';
import type { AuditCase, NewFinding } from '../../check.ts';
import { NO_EVIDENCE } from '../../evidence.ts';
import { count, percent } from '../../../text/figures.ts';
import { itemsKey, itemsOf, TELLING_KINDS } from './case-items.ts';
import { MetSets } from './met-sets.ts';

const LEAST_CASES = 5;
const LEAST_SHARE = 0.5;
/** One span at one place may be where all such texts begin. */
const SURE_ITEMS = 2;
/** Comparing so few takes less than putting them into a set. */
const FEW_PAIRS = 2000;

interface Repeated {
  /** Those where the words at these places are not the words of the first case. */
  otherWords: number;
  /** Those where less than half of the items are gold's. */
  wrong: number;
  readonly items: number;
  readonly firstWords: number;
}

/** The same places marked in text after text, whatever stands there. Where gold has them too they are the form's. */
export class RepeatedPlaces {
  readonly #sets = new MetSets<Repeated>();
  #answered = 0;

  add(given: AuditCase): void {
    const { id, text, failed } = given;
    if (failed !== null) return;
    const predicted = itemsOf(given, 'predicted', TELLING_KINDS);
    if (predicted.length === 0) return;
    this.#answered += 1;
    if (!predicted.every(({ kind, start }) => kind === 'span' && start >= 0)) return;
    const key = itemsKey(predicted, sayPlace);
    const gold = itemsOf(given, 'gold', TELLING_KINDS);
    // Without texts, gold at other places shows that they differ.
    const words = text === null ? itemsKey(gold, sayPlace) : itemsKey(predicted, sayWords);
    const first = (): Repeated => ({ otherWords: 0, wrong: 0, items: predicted.length, firstWords: words });
    const met = this.#sets.meet(key, id, first);
    if (met === null) return;
    if (words !== met.counts.firstWords) met.counts.otherWords += 1;
    if (rightOf(predicted, gold) < predicted.length / 2) met.counts.wrong += 1;
    for (const { label, text: said, start, end } of predicted)
      met.evidence?.addItem({ case: id, side: 'predicted', label, text: said, note: `at ${start} to ${end}` });
  }

  findings(): NewFinding[] {
    return this.#sets
      .list()
      .filter(
        ({ cases, counts: { otherWords, wrong } }) =>
          cases >= LEAST_CASES && cases >= LEAST_SHARE * this.#answered && otherWords >= cases / 2 && wrong > cases / 2,
      )
      .map(({ cases, counts: { wrong, items }, evidence }) => ({
        severity: items >= SURE_ITEMS ? 'error' : 'warning',
        title: `${count(cases)} of ${count(this.#answered)} cases (${percent(cases, this.#answered)}) have the same predicted spans, at the same places of texts that differ; in ${count(wrong)} of them most of these spans are not in gold`,
        why: 'Spans that do not depend on the text are a stand-in, or were counted in another text: their hits are chance.',
        todo: 'Find what gave these predictions: a placeholder, an example of the prompt repeated, or the answer to one case written for all.',
        subjects: [],
        cases: evidence?.cases ?? NO_EVIDENCE.cases,
        // Those of the first case are not kept, but they are items like the others.
        items: { ...(evidence?.items ?? NO_EVIDENCE.items), total: cases * items },
      }));
  }
}

/** How many of the predicted spans gold has, with their label. */
function rightOf(predicted: readonly Item[], gold: readonly Item[]): number {
  const isSame = (one: Item, other: Item): boolean =>
    one.start === other.start && one.end === other.end && one.label === other.label;
  if (predicted.length * gold.length <= FEW_PAIRS)
    return predicted.filter((one) => gold.some((other) => isSame(one, other))).length;
  const known = new Set(gold.map(({ label, start, end }) => `${start} ${end} ${label}`));
  return predicted.filter(({ label, start, end }) => known.has(`${start} ${end} ${label}`)).length;
}

function sayPlace({ kind, label, start, end }: Item, to: ContentHash): void {
  to.text(kind);
  to.text(label);
  to.number(start);
  to.number(end);
}

function sayWords({ text }: Item, to: ContentHash): void {
  to.text(text);
}
