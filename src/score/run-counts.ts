import { LOGGED_KINDS } from '../data/item.ts';
import { mistakenLabels } from '../judge/error-types.ts';
import { type Verdict, VERDICTS } from '../judge/verdict.ts';
import { type Counter, isCounter, type Measure } from '../measure/measure.ts';
import type { CaseResult } from '../measure/tally.ts';
import { compareText } from '../text/compare.ts';
import type { ConfusionCount, Measures, RuleCount, UngroundedItem, WorstCase } from './run.ts';

/** Rows in the order of their keys. */
function inKeyOrder<Row>(rows: ReadonlyMap<string, Row>): Row[] {
  return [...rows].sort(([a], [b]) => compareText(a, b)).map(([, row]) => row);
}

/** The first items of an order, however many are added: their order in the input does not show. */
function firstOf<Item>(limit: number, order: (a: Item, b: Item) => number) {
  let held: Item[] = [];
  const list = (): Item[] => held.toSorted(order).slice(0, limit);
  return {
    list,
    add(item: Item): void {
      held.push(item);
      if (held.length > limit * 50) held = list();
    },
  };
}

/** The cases with the most errors; ties by id. */
export function casesWithMostErrors() {
  const errors = ({ missed, spurious }: WorstCase): number => missed + spurious;
  const worst = firstOf<WorstCase>(10, (a, b) => errors(b) - errors(a) || compareText(a.case, b.case));
  return {
    list: worst.list,
    add({ case: id, counts: { missed, spurious, hit } }: Pick<CaseResult, 'case' | 'counts'>): void {
      if (missed + spurious > 0) worst.add({ case: id, missed, spurious, hit });
    },
  };
}

const LOGGED: ReadonlySet<string> = new Set(LOGGED_KINDS);
/** Rules that say of a missed and a spurious item that the one was taken for the other. */
const LINKING: ReadonlySet<string> = new Set(['incorrect', 'wrong-class']);

/**
 * What a run counts beside its measures: verdicts by rule, predictions whose quote is not in the text, and which label was
 * taken for which: hits by the labels of both sides, and errors by the labels of the two that belong together: under the
 * recipe's own pairing those that the error types call a wrong label (type, both), and everywhere those that the rules
 * `incorrect` and `wrong-class` have linked. What is missed or spurious beside these met nothing. Excused items stay out.
 */
export class RunCounts {
  readonly #rules = new Map<string, RuleCount>();
  readonly #confusion = new Map<string, ConfusionCount>();
  readonly #ungrounded = firstOf<UngroundedItem>(
    20,
    (a, b) => compareText(a.case, b.case) || compareText(a.label, b.label) || compareText(a.text, b.text),
  );
  #allUngrounded = 0;
  readonly #takenApart: readonly Counter[];

  constructor(measures: readonly Measure[] = []) {
    this.#takenApart = measures.flatMap(({ counters }) =>
      counters.filter(isCounter).filter((counter) => 'byLabel' in counter),
    );
  }

  /** The verdicts of one case under one scheme. */
  add(verdicts: readonly Verdict[]): void {
    for (const verdict of verdicts) {
      const { scheme, kind, rule, label, predicted } = verdict;
      const key = `${scheme ?? ''}\0${kind}\0${VERDICTS.indexOf(verdict.verdict)}\0${rule}\0${label}`;
      let row = this.#rules.get(key);
      if (row === undefined)
        this.#rules.set(key, (row = { scheme, kind, verdict: verdict.verdict, rule, label, n: 0 }));
      row.n += verdict.weight;
      if (scheme !== null || predicted?.grounded !== false) continue;
      this.#allUngrounded += 1;
      const { label: given, text, ungrounded: why = '' } = predicted;
      this.#ungrounded.add({ case: verdict.case, label: given, text, why });
    }
    this.#addConfusion(verdicts);
  }

  list(): Pick<Measures, 'rules' | 'confusion' | 'ungrounded'> {
    return {
      rules: inKeyOrder(this.#rules).filter(({ n }) => n > 0),
      confusion: inKeyOrder(this.#confusion),
      ungrounded: { total: this.#allUngrounded, shown: this.#ungrounded.list() },
    };
  }

  #addConfusion(verdicts: readonly Verdict[]): void {
    const others = partners(verdicts);
    // What of a spurious item was given for gold: of tokens and characters it may be a part.
    const together = new Map<Verdict, number>();
    for (const [own, other] of others)
      for (const one of [own, other]) together.set(one, Math.min(own.weight, other.weight));
    for (const verdict of verdicts) {
      const { label, weight, gold, predicted } = verdict;
      // What was logged has no gold that it could be taken for.
      if (LOGGED.has(verdict.kind)) continue;
      const shared = together.get(verdict) ?? 0;
      // Gold that is masked by what reaches beyond it was taken for nothing in particular.
      if (verdict.verdict === 'hit' && gold !== null && predicted !== null) {
        const wrong = this.#takenApart.some((counter) => (counter.byLabel?.(verdict) ?? null) !== null);
        this.#count(verdict, gold.label, predicted.label, weight, wrong);
      } else if (verdict.verdict === 'missed') {
        this.#count(verdict, label, others.get(verdict)?.label ?? null, shared);
        this.#count(verdict, label, null, weight - shared);
      }
      // The gold side has counted what is together.
      else if (verdict.verdict === 'spurious') this.#count(verdict, null, label, weight - shared);
    }
  }

  #count({ scheme, kind }: Verdict, gold: string | null, predicted: string | null, n: number, wrong = false): void {
    if (n === 0) return;
    // U+FFFF puts nothing after every label.
    const key = `${scheme ?? ''}\0${kind}\0${gold ?? '\uffff'}\0${predicted ?? '\uffff'}`;
    let cell = this.#confusion.get(key);
    if (cell === undefined) this.#confusion.set(key, (cell = { scheme, kind, gold, predicted, n: 0 }));
    cell.n += n;
    if (wrong) cell.wrong = (cell.wrong ?? 0) + n;
  }
}

/** The spurious item that belongs to a missed one, each in one pair. */
function partners(verdicts: readonly Verdict[]): ReadonlyMap<Verdict, Verdict> {
  const found = new Map(verdicts[0]?.scheme === null ? mistakenLabels(verdicts) : []);
  if (!verdicts.some(({ rule }) => LINKING.has(rule))) return found;
  const taken = new Set(found.values());
  const spurious = new Map(verdicts.flatMap((one) => (one.verdict === 'spurious' ? [[one.predicted, one]] : [])));
  for (const one of verdicts) {
    if (one.verdict !== 'missed' || !LINKING.has(one.rule) || found.has(one)) continue;
    const other = spurious.get(one.rejected?.item ?? null);
    if (other === undefined || taken.has(other)) continue;
    found.set(one, other);
    taken.add(other);
  }
  return found;
}
