import type { Item } from '../../../data/item.ts';
import { END, START } from '../../../data/span-list.ts';
import type { ContentHash } from '../../../score/fingerprint.ts';
import { count, percent } from '../../../text/figures.ts';
import { stretchesOf, placeKey } from '../../../text/pieces.ts';
import { type AuditCase, type AuditSpans, countEqualSpans } from '../../audit-case.ts';
import type { Behind, NewFinding, OpenContext } from '../../check.ts';
import { ITEMS_SHOWN } from '../../evidence.ts';
import type { FindingItem } from '../../finding.ts';
import { ContentSum, itemsKey, TELLING_KINDS } from '../../text-index.ts';
import { LEAST_CASES, type RepeatedSet, RepeatedSets } from './repeated-sets.ts';

/** One list of items; and the same places, which may be where all such texts begin. */
export const SAME_SETS = { items: 0.2, places: 0.5, error: 0.5, fewest: LEAST_CASES };
/** One span at one place may be where all such texts begin. */
export const SURE_ITEMS = 2;

/** One list of items, or the same places whatever stands there, given to many cases. */
export function repeatedItems({ index, keep, isPart }: OpenContext) {
  const [lists, places] = [keep(new RepeatedSets(isPart)), keep(new RepeatedSets(isPart))];
  const [placeSum, wordSum] = [new ContentSum(), new ContentSum()];
  const unsaid = wordSum.hash.state;
  const seen = keep({ answered: 0 });
  return {
    add({ case: id, text }: AuditCase): void {
      const predicted = index.items('predicted', TELLING_KINDS);
      if (predicted.length === 0) return;
      const gold = index.items('gold', TELLING_KINDS);
      const items = predicted.length;
      const itemOf = ({ label, text: quote }: Item, note: string | null): FindingItem => {
        return { case: id, side: 'predicted', label, text: quote, note };
      };
      seen.answered += 1;
      // Items that are in the case's own text were found there, however often.
      if (isBlind(predicted, text)) {
        const [key, goldKey] = [itemsKey(predicted, sayItem), itemsKey(gold, sayItem)];
        const itemAt = (at: number): FindingItem => itemOf(predicted[at]!, null);
        lists.meet(key, { case: id, items, first: goldKey, isWrong: goldKey !== key, itemAt });
      }
      // Where gold has the same places too they are the form's.
      if (predicted.every(({ kind, start }) => kind === 'span' && start >= 0)) {
        // Without texts, gold at other places shows that they differ.
        const words = text === null ? itemsKey(gold, sayPlace) : itemsKey(predicted, sayWords);
        const isWrong = rightPlaces(predicted, gold) < predicted.length / 2;
        const itemAt = (at: number): FindingItem => {
          const item = predicted[at]!;
          return itemOf(item, `at ${item.start} to ${item.end}`);
        };
        places.meet(itemsKey(predicted, sayPlace), { case: id, items, first: words, isWrong, itemAt });
      }
    },
    /** Plain spans are in their text, all of them. */
    addSpans(given: AuditSpans): void {
      const { case: id, gold, predicted } = given;
      if (predicted.count === 0) return;
      seen.answered += 1;
      const isWrong = countEqualSpans(predicted, gold, false) < predicted.count / 2;
      for (let at = 0; at < predicted.count; at += 1) {
        const start = predicted.get(at, START);
        const end = predicted.get(at, END);
        placeSum.hash.resume(given.said(predicted, at));
        placeSum.hash.number(start);
        placeSum.hash.number(end);
        placeSum.add();
        wordSum.hash.resume(unsaid);
        wordSum.hash.units(index.scanned.units, end, start);
        wordSum.add();
      }
      const itemAt = (position: number): FindingItem => {
        const at = given.placeOf(predicted, position);
        const note = `at ${predicted.get(at, START)} to ${predicted.get(at, END)}`;
        const label = given.labelOf(predicted, at);
        return { case: id, side: 'predicted', label, text: given.slice(predicted, at), note };
      };
      const [key, first] = [placeSum.take(), wordSum.take()];
      places.meet(key, { case: id, items: predicted.count, first, isWrong, itemAt });
    },
    findings(): NewFinding[] {
      const { answered } = seen;
      const title = ({ cases }: RepeatedSet): string =>
        `${count(cases)} of ${count(answered)} cases (${percent(cases, answered)}) have the same predicted`;
      // Those of the first case are not kept, but they are items like the others.
      const behind = ({ cases, items, evidence }: RepeatedSet, first: readonly FindingItem[]): Required<Behind> => {
        const shown = [...first, ...evidence.items.shown].slice(0, ITEMS_SHOWN);
        return { cases: evidence.cases, items: { total: cases * items, shown } };
      };
      const ofItems = (met: RepeatedSet): NewFinding => {
        const { cases, items } = met.evidence;
        const first = items.shown.slice(0, met.items).map((item) => ({ ...item, case: cases.shown[0]! }));
        return {
          severity: met.cases >= SAME_SETS.error * answered ? 'error' : 'warning',
          title: `${title(met)} items, which are not in their texts; for ${count(met.wrong)} of them gold differs`,
          words: 'template-answers/items',
          evidence: behind(met, first),
        };
      };
      const ofPlaces = (met: RepeatedSet): NewFinding => ({
        severity: met.items >= SURE_ITEMS ? 'error' : 'warning',
        title: `${title(met)} spans, at the same places of texts that differ; in ${count(met.wrong)} of them most of these spans are not in gold`,
        words: 'template-answers/places',
        evidence: behind(met, []),
      });
      return [
        ...lists
          .often(SAME_SETS.items * answered)
          .filter(({ others }) => others > 0)
          .map(ofItems),
        ...places
          .often(SAME_SETS.places * answered)
          .filter(({ others, cases }) => others >= cases / 2)
          .map(ofPlaces),
      ];
    },
  };
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
export function rightPlaces(predicted: readonly Item[], gold: readonly Item[]): number {
  const known = new Set(gold.map((item) => `${placeKey(item)} ${item.label}`));
  return predicted.filter((item) => known.has(`${placeKey(item)} ${item.label}`)).length;
}

function sayItem({ kind, label, text, source, target }: Item, to: ContentHash): void {
  for (const part of [kind, label, text, source ?? '', target ?? '']) to.text(part);
}

function sayPlace(item: Item, to: ContentHash): void {
  for (const part of [item.kind, item.label]) to.text(part);
  for (const { start, end } of stretchesOf(item)) for (const part of [start, end]) to.number(part);
}

function sayWords({ text }: Item, to: ContentHash): void {
  to.text(text);
}
