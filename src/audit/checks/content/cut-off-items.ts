import { type Item, type ItemKind, PAIRED_KINDS } from '../../../data/item.ts';
import { compareText } from '../../../text/compare.ts';
import { count, percent, plural } from '../../../text/figures.ts';
import type { NewFinding, OpenCheck, OpenContext } from '../../check.ts';
import { entryOf, SubjectEvidence, sum } from '../../evidence.ts';
import { pairParts } from '../../recipe-parts.ts';
import { TELLING_KINDS } from '../../text-index.ts';
import type { Totals } from '../../totals.ts';

/** Limits of a number of predictions that no case exceeds. */
export const MOST_ITEMS = {
  /** Cases that have as many as any, and so many times the cases with one less: largest numbers are rare otherwise. */
  cases: 5,
  times: 2,
  /** Of the cases in which gold has more. */
  share: 0.5,
  /** Cases that would have more if each gold item had a prediction as often as one has on average. */
  expected: 5,
  error: 0.1,
};
/** Cases with so many gold items and predictions. */
type Size = Readonly<{ gold: number; predicted: number; cases: number }>;

/** Many cases with the same, largest number of predictions although gold has more: the number is limited. */
export function cutOffItems({ recipe, keep }: OpenContext): OpenCheck {
  const labelled = new Set<string>(
    pairParts(recipe).flatMap(({ kind, comparesLabels }) => (comparesLabels ? [kind] : [])),
  );
  const whole = new Set<string>(pairParts(recipe).flatMap(({ kind, unit }) => (unit === 'item' ? [kind] : [])));
  const kinds = new Set(PAIRED_KINDS.filter((kind) => TELLING_KINDS.has(kind) && whole.has(kind)));
  const sizes = keep(new Map<string, { cases: number }>(), () => ({ cases: 0 }));
  const evidence = keep(new SubjectEvidence((subject) => Number(subject.split(' ')[1])));
  const add = (
    kind: ItemKind,
    id: string,
    gold: number,
    predicted: number,
    last: () => Pick<Item, 'label' | 'text'>,
  ): void => {
    if (gold + predicted === 0) return;
    entryOf(sizes, `${kind} ${gold} ${predicted}`, () => ({ cases: 0 })).cases += 1;
    if (gold > predicted)
      evidence.add(`${kind} ${predicted}`, id, () => {
        const { label, text } = last();
        return { case: id, side: 'gold', label, text, note: `${predicted} of ${plural(gold, 'item')} predicted` };
      });
  };
  return {
    spans: kinds.has('span')
      ? (given) => {
          const { case: id, gold, predicted } = given;
          const last = gold.count - 1;
          add('span', id, gold.count, predicted.count, () => {
            return { label: given.labelOf(gold, last), text: given.slice(gold, last) };
          });
        }
      : null,
    case({ case: id, answered, verdicts }) {
      if (answered === false) return;
      for (const kind of kinds) {
        const own = verdicts.filter((one) => one.kind === kind && !one.setAside);
        const gold = own.flatMap((one) => one.gold ?? []).sort(byPlace);
        add(kind, id, gold.length, own.filter(({ predicted }) => predicted !== null).length, () => gold.at(-1)!);
      }
    },
    find: ({ totals }) => {
      const all = [...sizes].map(([key, { cases }]) => {
        const [kind, gold, predicted] = key.split(' ');
        return { kind: kind!, gold: Number(gold), predicted: Number(predicted), cases };
      });
      return [...kinds].map((kind) => {
        const own = all.filter((size) => size.kind === kind);
        const most = Math.max(0, ...own.map(({ predicted }) => predicted));
        const open = labelled.has(kind) ? predictedShare(totals, kind) : 1;
        return isLimit(own, most, open) ? finding(kind, own, most) : null;
      });
    },
  };

  function finding(kind: ItemKind, own: readonly Size[], most: number): NewFinding {
    const [all, full] = [casesOf(own), casesOf(own, ({ predicted }) => predicted === most)];
    const more = casesOf(own, ({ gold, predicted }) => predicted === most && gold > most);
    return {
      severity: full >= MOST_ITEMS.error * all ? 'error' : 'warning',
      title: `${count(full)} of ${plural(all, 'case')} (${percent(full, all)}) have exactly ${plural(most, 'prediction')} of the kind ${kind}, none has more, and in ${count(more)} of them gold has more`,
      words: 'cut-off/spans',
      subjects: ['numbers'],
      evidence: evidence.of([`${kind} ${most}`]),
    };
  }
}

function casesOf(sizes: readonly Size[], isIn: (size: Size) => boolean = () => true): number {
  return sum(sizes.map((size) => (isIn(size) ? size.cases : 0)));
}

/** The share of gold whose label is predicted at all: a field of a form that is never found is no limit. */
function predictedShare(totals: Totals, kind: ItemKind): number {
  const rows = totals.rows((row) => row.kind === kind && row.gold !== null && !row.setAside);
  const ofRows = (some: typeof rows): number => sum(some.map(({ n }) => n));
  return ofRows(rows.filter(({ gold }) => totals.has('predicted', kind, gold!))) / Math.max(1, ofRows(rows));
}

/** `open`: the share of gold items that may have predictions. */
function isLimit(all: readonly Size[], most: number, open: number): boolean {
  if (most === 0) return false;
  const sizes = all.map((size) => ({ ...size, gold: Math.round(open * size.gold) }));
  const withPredictions = (n: number): number => casesOf(sizes, ({ predicted }) => predicted === n);
  const [full, less] = [withPredictions(most), most === 1 ? 0 : withPredictions(most - 1)];
  if (full < MOST_ITEMS.cases || full < MOST_ITEMS.times * less) return false;
  const longer = casesOf(sizes, ({ gold }) => gold > most);
  const cut = casesOf(sizes, ({ gold, predicted }) => gold > most && predicted === most);
  if (cut < MOST_ITEMS.cases || cut < MOST_ITEMS.share * longer) return false;
  const total = (of: (size: Size) => number): number => sum(sizes.map((size) => size.cases * of(size)));
  const rate = Math.min(1, total(({ predicted }) => predicted) / total(({ gold }) => gold));
  return total(({ gold }) => moreThan(most, gold, rate)) >= MOST_ITEMS.expected;
}

/** P(X > k) of a binomial X of n tries: 1 − Σ C(n, i) · rate^i · (1 − rate)^(n − i) for i up to k. */
function moreThan(k: number, n: number, rate: number): number {
  if (n <= k) return 0;
  if (rate >= 1) return 1;
  // In logarithms: of hundreds of items the first term is too small for a number.
  const odds = Math.log(rate / (1 - rate));
  let [log, total] = [n * Math.log(1 - rate), 0];
  for (let i = 0; i <= k; i += 1) {
    total += Math.exp(log);
    log += odds + Math.log((n - i) / (i + 1));
  }
  return Math.max(0, 1 - total);
}

function byPlace(a: Item, b: Item): number {
  return a.start - b.start || a.end - b.end || a.index - b.index || compareText(a.text, b.text);
}
