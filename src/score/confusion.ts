import { LOGGED_KINDS } from '../data/item.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { Counter, Measure } from '../measure/measure.ts';
import { compareText } from '../text/compare.ts';
import { mistakenLabels } from '../figures/error-types.ts';

const LOGGED: ReadonlySet<string> = new Set(LOGGED_KINDS);
/** Rules that say of a missed and a spurious item that the one was taken for the other. */
const LINKING: ReadonlySet<string> = new Set(['incorrect', 'wrong-class']);

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

/**
 * Which label was taken for which: hits by the labels of both sides, and errors by the labels of the two that belong
 * together: under the recipe's own pairing those that the error types call a wrong label (type, both), and everywhere
 * those that the rules `incorrect` and `wrong-class` have linked. What is missed or spurious beside these met nothing.
 * Excused items stay out.
 */
export class Confusion {
  readonly #tables = new Map<string, Map<string, Map<string, ConfusionCount & { n: number; wrong?: number }>>>();
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
    const all = [...this.#tables.values()].flatMap((rows) =>
      [...rows.values()].flatMap((cells) => [...cells.values()]),
    );
    const key = (count: ConfusionCount): string =>
      [count.scheme ?? '', count.kind, count.gold ?? '\uffff', count.predicted ?? '\uffff'].join('\u0000');
    return all.toSorted((a, b) => compareText(key(a), key(b)));
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
    const rows = held(this.#tables, scheme === null ? kind : `${kind}\u0000${scheme}`);
    // U+0000 keeps "nothing" apart from a label that happens to be empty.
    const cells = held(rows, gold ?? '\u0000');
    const name = predicted ?? '\u0000';
    let cell = cells.get(name);
    if (cell === undefined) cells.set(name, (cell = { scheme, kind, gold, predicted, n: 0 }));
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

function held<Key, Inner>(map: Map<string, Map<Key, Inner>>, key: string): Map<Key, Inner> {
  let inner = map.get(key);
  if (inner === undefined) map.set(key, (inner = new Map<Key, Inner>()));
  return inner;
}
