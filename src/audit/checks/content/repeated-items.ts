import type { Item } from '../../../data/item.ts';
import type { ContentHash } from '../../../score/content-hash.ts';
import { count, percent } from '../../../text/figures.ts';
import type { CheckContext, NewFinding } from '../../check.ts';
import { Evidence } from '../../evidence.ts';
import { itemsKey, TELLING_KINDS } from '../../text-index.ts';
import type { AuditCase } from '../../totals.ts';
import WORDS from '../../words.json' with { type: 'json' };

/** Sets that are kept in mind; in a set of this many different answers none is given often. */
const MOST_SETS = 200_000;
const LEAST_CASES = 5;
/** One list of items; and the same places, which may be where all such texts begin. */
const LEAST_SHARE = { items: 0.2, places: 0.5 };
const ERROR_SHARE = 0.5;
/** One span at one place may be where all such texts begin. */
const SURE_ITEMS = 2;

/** A set of items that some cases have. */
interface MetSet {
  cases: number;
  readonly items: number;
  /** Cases in which gold says something else: not the same items, or less than half of the places. */
  wrong: number;
  /** Cases that differ from the first in what should make a difference: gold, or the words at these places. */
  others: number;
  readonly first: number;
  readonly firstCase: string;
  /** From the second case on: most sets are met once, and nothing of them is kept. */
  evidence: Evidence | null;
}

/** One list of items, or the same places whatever stands there, given to many cases. */
export function repeatedItems({ index }: CheckContext) {
  const [lists, places] = [new Map<number, MetSet>(), new Map<number, MetSet>()];
  let answered = 0;
  return {
    add({ case: id, text }: AuditCase): void {
      const predicted = index.items('predicted', TELLING_KINDS);
      if (predicted.length === 0) return;
      const gold = index.items('gold', TELLING_KINDS);
      answered += 1;
      // Items that stand in the case's own text were found there, however often.
      if (isBlind(predicted, text)) {
        const [key, goldKey] = [itemsKey(predicted, say), itemsKey(gold, say)];
        const met = meet(lists, key, id, predicted.length, goldKey);
        if (met !== null && goldKey !== key) met.wrong += 1;
        // The first case was not kept item by item, and has the same ones.
        for (const of of met?.cases === 2 ? [met.firstCase, id] : [id])
          for (const { label, text: said } of predicted)
            met?.evidence?.addItem({ case: of, side: 'predicted', label, text: said, note: null });
      }
      // Where gold has the same places too they are the form's.
      if (predicted.every(({ kind, start }) => kind === 'span' && start >= 0)) {
        // Without texts, gold at other places shows that they differ.
        const words = text === null ? itemsKey(gold, sayPlace) : itemsKey(predicted, sayWords);
        const met = meet(places, itemsKey(predicted, sayPlace), id, predicted.length, words);
        if (met !== null && rightOf(predicted, gold) < predicted.length / 2) met.wrong += 1;
        for (const { label, text: said, start, end } of predicted)
          met?.evidence?.addItem({ case: id, side: 'predicted', label, text: said, note: `at ${start} to ${end}` });
      }
    },
    findings(): NewFinding[] {
      const isOften = ({ cases, wrong }: MetSet, share: number): boolean =>
        cases >= LEAST_CASES && cases >= share * answered && wrong > cases / 2;
      const title = ({ cases }: MetSet): string =>
        `${count(cases)} of ${count(answered)} cases (${percent(cases, answered)}) have the same predicted`;
      return [
        ...[...lists.values()]
          .filter((met) => isOften(met, LEAST_SHARE.items) && met.others > 0)
          .map((met): NewFinding => ({
            severity: met.cases >= ERROR_SHARE * answered ? 'error' : 'warning',
            title: `${title(met)} items, which their texts do not hold; for ${count(met.wrong)} of them gold says something else`,
            ...WORDS['one-template'].items,
            evidence: met.evidence!,
          })),
        ...[...places.values()]
          .filter((met) => isOften(met, LEAST_SHARE.places) && met.others >= met.cases / 2)
          .map((met): NewFinding => {
            const { cases, items } = met.evidence!;
            return {
              severity: met.items >= SURE_ITEMS ? 'error' : 'warning',
              title: `${title(met)} spans, at the same places of texts that differ; in ${count(met.wrong)} of them most of these spans are not in gold`,
              ...WORDS['one-template'].places,
              // Those of the first case are not kept, but they are items like the others.
              evidence: { cases, items: { ...items, total: met.cases * met.items } },
            };
          }),
      ];
    },
  };
}

/** One more case that has the set; null where there are too many sets to keep another. */
function meet(sets: Map<number, MetSet>, key: number, id: string, items: number, first: number): MetSet | null {
  let met = sets.get(key);
  if (met === undefined) {
    if (sets.size >= MOST_SETS) return null;
    met = { cases: 0, items, wrong: 0, others: 0, first, firstCase: id, evidence: null };
    sets.set(key, met);
  }
  met.cases += 1;
  if (first !== met.first) met.others += 1;
  if (met.cases > 1 && met.evidence === null) {
    met.evidence = new Evidence();
    met.evidence.addCase(met.firstCase);
  }
  return met;
}

/** Whether the items cannot have come from the text; without one, whether there is enough of them to be sure. */
function isBlind(items: readonly Item[], text: string | null): boolean {
  if (text === null) return items.length > 1;
  let inText = items.filter(({ start }) => start >= 0).length;
  if (inText >= items.length / 2) return false;
  const folded = text.toLowerCase();
  for (const item of items) if (item.start < 0 && folded.includes(item.text.toLowerCase())) inText += 1;
  return inText < items.length / 2;
}

/** How many of the predicted spans gold has, with their label. */
function rightOf(predicted: readonly Item[], gold: readonly Item[]): number {
  const known = new Set(gold.map(({ label, start, end }) => `${start} ${end} ${label}`));
  return predicted.filter(({ label, start, end }) => known.has(`${start} ${end} ${label}`)).length;
}

function say({ kind, label, text, source, target }: Item, to: ContentHash): void {
  for (const part of [kind, label, text, source ?? '', target ?? '']) to.text(part);
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
