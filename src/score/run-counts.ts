import { FoldState } from '../data/fold-state.ts';
import { LOGGED_KINDS } from '../data/item.ts';
import { mistakenLabels } from '../judge/error-types.ts';
import { type Verdict, VERDICTS } from '../judge/verdict.ts';
import { isCounter, type Measure } from '../measure/measure.ts';
import type { CaseResult } from '../measure/tally.ts';
import { compareText } from '../text/compare.ts';
import type { ConfusionCount, Measures, RuleCount, UngroundedItem, WorstCase } from './run.ts';

/** Rows in the order of their keys. */
function inKeyOrder<Row>(rows: ReadonlyMap<string, Row>): Row[] {
  return [...rows].sort(([a], [b]) => compareText(a, b)).map(([, row]) => row);
}

/** The first items of an order, however many are added: their order in the input does not show. */
function firstOf<Item>(limit: number, order: (a: Item, b: Item) => number, { keep }: FoldState) {
  // Parts add theirs to the end.
  const held = keep<Item[]>([]);
  const list = (): Item[] => held.toSorted(order).slice(0, limit);
  return {
    list,
    add(item: Item): void {
      held.push(item);
      if (held.length > limit * 50) held.splice(0, held.length, ...list());
    },
  };
}

/** The cases with the most errors; ties by id. */
export function casesWithMostErrors() {
  const state = new FoldState();
  const errors = ({ missed, spurious }: WorstCase): number => missed + spurious;
  const worst = firstOf<WorstCase>(10, (a, b) => errors(b) - errors(a) || compareText(a.case, b.case), state);
  return {
    state,
    list: worst.list,
    add({ case: id, counts: { missed, spurious, hit } }: Pick<CaseResult, 'case' | 'counts'>): void {
      if (missed + spurious > 0) worst.add({ case: id, missed, spurious, hit });
    },
  };
}

const LOGGED: ReadonlySet<string> = new Set(LOGGED_KINDS);

/**
 * What a run counts beside its measures: verdicts by rule, predictions whose quote is not in the text, and which label was
 * taken for which: hits by the labels of both sides, and errors by the labels of the two that belong together. What is
 * missed or spurious beside these met nothing. Excused items stay out.
 */
export function makeRunCounts(measures: readonly Measure[] = []) {
  const state = new FoldState();
  const rules = state.keep(new Map<string, RuleCount>());
  const confusion = state.keep(new Map<string, ConfusionCount>());
  const ungrounded = firstOf<UngroundedItem>(
    20,
    (a, b) => compareText(a.case, b.case) || compareText(a.label, b.label) || compareText(a.text, b.text),
    state,
  );
  const counted = state.keep({ ungrounded: 0 });
  const takenApart = measures
    .flatMap(({ counters }) => counters.filter(isCounter))
    .filter((counter) => 'byLabel' in counter);

  const countLabels = (
    own: Pick<Verdict, 'scheme' | 'kind'>,
    gold: string | null,
    predicted: string | null,
    n: number,
    wrong = false,
  ): void => {
    if (n === 0) return;
    const { scheme, kind } = own;
    // U+FFFF puts nothing after every label.
    const key = `${scheme ?? ''}\0${kind}\0${gold ?? '\uffff'}\0${predicted ?? '\uffff'}`;
    let cell = confusion.get(key);
    if (cell === undefined) confusion.set(key, (cell = { scheme, kind, gold, predicted, n: 0 }));
    cell.n += n;
    if (wrong) cell.wrong = (cell.wrong ?? 0) + n;
  };
  const addConfusion = (verdicts: readonly Verdict[]): void => {
    const mistaken = mistakenLabels(verdicts);
    // What of a spurious item was given for gold: of tokens and characters it may be a part.
    const together = new Map<Verdict, number>();
    for (const pair of mistaken) for (const own of pair) together.set(own, Math.min(pair[0].weight, pair[1].weight));
    for (const own of verdicts) {
      const { verdict, label, weight, gold, predicted } = own;
      // What was logged has no gold that it could be taken for.
      if (LOGGED.has(own.kind)) continue;
      const shared = together.get(own) ?? 0;
      // Gold that is masked by what reaches beyond it was taken for nothing in particular.
      if (verdict === 'hit' && gold !== null && predicted !== null) {
        const wrong = takenApart.some((counter) => (counter.byLabel?.(own) ?? null) !== null);
        countLabels(own, gold.label, predicted.label, weight, wrong);
      } else if (verdict === 'missed') {
        countLabels(own, label, mistaken.get(own)?.label ?? null, shared);
        countLabels(own, label, null, weight - shared);
      }
      // The gold side has counted what is together.
      else if (verdict === 'spurious') countLabels(own, null, label, weight - shared);
    }
  };
  const countRule = ({ scheme, kind, verdict, rule, label }: Verdict, n: number): void => {
    const key = `${scheme ?? ''}\0${kind}\0${VERDICTS.indexOf(verdict)}\0${rule}\0${label}`;
    let row = rules.get(key);
    if (row === undefined) rules.set(key, (row = { scheme, kind, verdict, rule, label, n: 0 }));
    row.n += n;
  };
  return {
    state,
    /** So many verdicts like this one, of any cases. */
    addLike: countRule,
    /** So many hits, or errors that belong together, of these labels; of which `own` has the scheme and the kind. */
    addLabels: countLabels,
    /** The verdicts of one case under one scheme. */
    add(verdicts: readonly Verdict[]): void {
      for (const own of verdicts) {
        const { case: id, scheme, weight, predicted } = own;
        countRule(own, weight);
        if (scheme !== null || predicted?.grounded !== false) continue;
        counted.ungrounded += 1;
        ungrounded.add({ case: id, label: predicted.label, text: predicted.text, why: predicted.ungrounded ?? '' });
      }
      addConfusion(verdicts);
    },
    list: (): Pick<Measures, 'rules' | 'confusion' | 'ungrounded'> => ({
      rules: inKeyOrder(rules).filter(({ n }) => n > 0),
      confusion: inKeyOrder(confusion),
      ungrounded: { total: counted.ungrounded, shown: ungrounded.list() },
    }),
  };
}
