import { LOGGED_KINDS } from '../data/item.ts';
import { mistakenLabels } from '../judge/error-types.ts';
import { type Verdict, type VerdictKind, VERDICTS } from '../judge/verdict.ts';
import type { Counter, Measure } from '../measure/measure.ts';
import type { CaseResult } from '../measure/tally.ts';
import { compareText } from '../text/compare.ts';

/** What a run counts beside its measures: verdicts by rule, labels taken for others, and the first of a few lists. */

/** Rows that are counted, by a key that is their order too. */
class CountedRows<Row extends { n: number }> {
  readonly #rows = new Map<string, Row>();

  of(key: string, make: () => Row): Row {
    let row = this.#rows.get(key);
    if (row === undefined) this.#rows.set(key, (row = make()));
    return row;
  }

  list(): Row[] {
    return [...this.#rows].sort(([a], [b]) => compareText(a, b)).map(([, row]) => row);
  }
}

/** The first items of an order, however many are added. */
export class FirstOf<Item> {
  readonly #limit: number;
  readonly #order: (a: Item, b: Item) => number;
  #held: Item[] = [];

  constructor(limit: number, order: (a: Item, b: Item) => number) {
    this.#limit = limit;
    this.#order = order;
  }

  add(item: Item): void {
    this.#held.push(item);
    if (this.#held.length > this.#limit * 50) this.#held = this.list();
  }

  list(): Item[] {
    return this.#held.toSorted(this.#order).slice(0, this.#limit);
  }
}

/** How many verdicts each rule made: where a score comes from. */
export interface RuleCount {
  readonly scheme: string | null;
  readonly kind: string;
  readonly verdict: VerdictKind;
  readonly rule: string;
  readonly label: string;
  readonly n: number;
}

export class RuleCounts {
  readonly #rows = new CountedRows<RuleCount & { n: number }>();

  add(verdicts: readonly Verdict[]): void {
    for (const { scheme, kind, verdict, rule, label, weight } of verdicts) {
      const key = `${scheme ?? ''}\0${kind}\0${VERDICTS.indexOf(verdict)}\0${rule}\0${label}`;
      this.#rows.of(key, () => ({ scheme, kind, verdict, rule, label, n: 0 })).n += weight;
    }
  }

  list(): RuleCount[] {
    return this.#rows.list().filter(({ n }) => n > 0);
  }
}

/** How often gold of one label met a prediction of another: null stands for nothing on that side. */
export interface ConfusionCount {
  readonly scheme: string | null;
  readonly kind: string;
  readonly gold: string | null;
  readonly predicted: string | null;
  readonly n: number;
  /** Of these, the hits that measures by label count as missed here and spurious there, where there are any. */
  readonly wrong?: number;
}

const LOGGED: ReadonlySet<string> = new Set(LOGGED_KINDS);
/** Rules that say of a missed and a spurious item that the one was taken for the other. */
const LINKING: ReadonlySet<string> = new Set(['incorrect', 'wrong-class']);

/**
 * Which label was taken for which: hits by the labels of both sides, and errors by the labels of the two that belong
 * together: under the recipe's own pairing those that the error types call a wrong label (type, both), and everywhere
 * those that the rules `incorrect` and `wrong-class` have linked. What is missed or spurious beside these met nothing.
 * Excused items stay out.
 */
export class Confusion {
  readonly #rows = new CountedRows<ConfusionCount & { n: number; wrong?: number }>();
  readonly #takenApart: readonly Counter[];

  constructor(measures: readonly Measure[] = []) {
    this.#takenApart = measures.flatMap(({ counters }) => counters.filter((counter) => 'byLabel' in counter));
  }

  /** The verdicts of one case under one scheme. */
  add(verdicts: readonly Verdict[]): void {
    const others = partners(verdicts);
    // What of a spurious item was given for gold: of tokens and characters it may be a part.
    const given = new Map<Verdict, number>();
    for (const [own, other] of others) given.set(other, Math.min(own.weight, other.weight));
    for (const verdict of verdicts) {
      // What was logged has no gold that it could be taken for.
      if (LOGGED.has(verdict.kind)) continue;
      const { label, weight } = verdict;
      const other = others.get(verdict);
      const together = (other === undefined ? given.get(verdict) : given.get(other)) ?? 0;
      switch (verdict.verdict) {
        case 'hit':
          // Gold that is masked by what reaches beyond it was taken for nothing in particular.
          if (verdict.gold !== null && verdict.predicted !== null)
            this.#count(verdict, verdict.gold.label, verdict.predicted.label, weight, this.#isWrong(verdict));
          break;
        case 'missed':
          if (other !== undefined) this.#count(verdict, label, other.label, together);
          this.#count(verdict, label, null, weight - together);
          break;
        case 'spurious':
          // The gold side has counted what is together.
          this.#count(verdict, null, label, weight - together);
          break;
        case 'excused':
          break;
      }
    }
  }

  list(): ConfusionCount[] {
    return this.#rows.list();
  }

  #isWrong(verdict: Verdict): boolean {
    return this.#takenApart.some((counter) => (counter.byLabel?.(verdict) ?? null) !== null);
  }

  #count(
    { scheme, kind }: Verdict,
    gold: string | null,
    predicted: string | null,
    weight: number,
    wrong = false,
  ): void {
    if (weight === 0) return;
    // U+FFFF puts nothing after every label.
    const key = `${scheme ?? ''}\0${kind}\0${gold ?? '\uffff'}\0${predicted ?? '\uffff'}`;
    const cell = this.#rows.of(key, () => ({ scheme, kind, gold, predicted, n: 0 }));
    cell.n += weight;
    if (wrong) cell.wrong = (cell.wrong ?? 0) + weight;
  }
}

/** The spurious item that belongs to a missed one, each in one pair. */
function partners(verdicts: readonly Verdict[]): ReadonlyMap<Verdict, Verdict> {
  const found = new Map(verdicts[0]?.scheme === null ? mistakenLabels(verdicts) : []);
  if (!verdicts.some(({ rule }) => LINKING.has(rule))) return found;
  const taken = new Set(found.values());
  const spurious = new Map(verdicts.flatMap((one) => (one.verdict === 'spurious' ? [[one.predicted, one]] : [])));
  for (const one of verdicts) {
    const other =
      one.verdict === 'missed' && LINKING.has(one.rule) ? spurious.get(one.rejected?.item ?? null) : undefined;
    if (other === undefined || found.has(one) || taken.has(other)) continue;
    found.set(one, other);
    taken.add(other);
  }
  return found;
}

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

/** Lists predictions whose quote is not in the text, in an order that does not depend on the input's. */
export class Ungrounded {
  #total = 0;
  readonly #first = new FirstOf<UngroundedItem>(
    20,
    (a, b) => compareText(a.case, b.case) || compareText(a.label, b.label) || compareText(a.text, b.text),
  );

  add(verdicts: readonly Verdict[]): void {
    for (const { case: id, predicted } of verdicts) {
      if (predicted?.grounded !== false) continue;
      this.#total += 1;
      this.#first.add({ case: id, label: predicted.label, text: predicted.text, why: predicted.ungrounded ?? '' });
    }
  }

  list(): UngroundedList {
    return { total: this.#total, shown: this.#first.list() };
  }
}

export interface WorstCase {
  readonly case: string;
  readonly missed: number;
  readonly spurious: number;
  readonly hit: number;
}

/** The cases with the most errors; ties by id, so that the order of the input does not show. */
export class WorstCases {
  readonly #first: FirstOf<WorstCase>;

  constructor(limit = 10) {
    this.#first = new FirstOf(
      limit,
      (a, b) => b.missed + b.spurious - a.missed - a.spurious || compareText(a.case, b.case),
    );
  }

  add({ case: id, counts: { missed, spurious, hit } }: Pick<CaseResult, 'case' | 'counts'>): void {
    if (missed + spurious > 0) this.#first.add({ case: id, missed, spurious, hit });
  }

  list(): WorstCase[] {
    return this.#first.list();
  }
}
