import type { ItemKind, Side } from '../data/item.ts';
import type { Verdict, VerdictKind } from '../judge/verdict.ts';
import type { Measure } from '../measure/measure.ts';
import type { Counts } from '../measure/results.ts';
import { Tally } from '../measure/tally.ts';
import type { UnitSums } from '../measure/unit-sums.ts';
import type { Run } from '../score/run.ts';
import { entryOf } from './evidence.ts';
import { isPaired, overallValues, type PlainCounts, primaryMeasures } from './scores.ts';

/** One case as every check sees it, the same while scoring and when a run folder is read again. */
export interface AuditCase {
  readonly id: string;
  /** null where the files give none or are not at hand. */
  readonly text: string | null;
  /** Why it is not scored; what there is of it is excused then. */
  readonly failed: string | null;
  /** Why it failed, where it counts as an empty answer. */
  readonly failedAsEmpty?: string | undefined;
  readonly answered: boolean;
  /**
   * Under the recipe's own pairing. Places of items are UTF-16 offsets into `text`; where there is no text they are in
   * the unit of the files. What the ledger does not hold is in neither: the item of `rejected` has no place.
   */
  readonly verdicts: readonly Verdict[];
  readonly slices: Readonly<Record<string, string>> | null;
  /** What it shares with the cases it is not independent of. */
  readonly cluster: string | null;
  readonly counts: Counts;
  /** The values of the measures that a case has; null: undefined for it. */
  readonly measures: Readonly<Record<string, number | null>>;
}

/** A measure and what each unit adds to it. */
export interface PrimarySums {
  readonly measure: Measure;
  readonly sums: UnitSums;
}

/** Verdicts that say the same of the same labels, counted. */
export interface VerdictRow {
  /** False: of cases that failed. */
  readonly scored: boolean;
  readonly kind: ItemKind;
  readonly verdict: VerdictKind;
  readonly setAside: boolean;
  readonly rule: string;
  readonly label: string;
  /** The labels of the items themselves; null where there is none on that side. */
  readonly gold: string | null;
  readonly predicted: string | null;
  n: number;
  weight: number;
  /** Weight times credit. */
  worth: number;
}

/** What all cases add up to, counted in one pass for all checks. */
export class Totals {
  readonly #rows = new Map<string, VerdictRow>();
  readonly #met = new Set<string>();
  readonly #primary: readonly Measure[];
  readonly #sums: Tally;
  /** Every label of an item, also those that a label map has changed. */
  readonly labels = new Set<string>();
  /** Cases that did not fail. */
  scored = 0;
  failed = 0;
  texts = 0;

  constructor(measures: readonly Measure[], recipe: Readonly<Record<string, unknown>>) {
    // Of the primary measures only: a second copy of all sums would be too much.
    this.#primary = primaryMeasures(measures, recipe);
    this.#sums = new Tally(this.#primary, []);
  }

  add({ id, text, failed, answered, slices, cluster, verdicts }: AuditCase): void {
    if (text !== null) this.texts += 1;
    this.#sums.add({ case: id, failed, answered, slices, cluster }, null, verdicts);
    const scored = failed === null;
    this[scored ? 'scored' : 'failed'] += 1;
    for (const own of verdicts) {
      const { kind, verdict, rule, label, setAside } = own;
      const [gold, predicted] = [own.gold?.label ?? null, own.predicted?.label ?? null];
      const labels = `${label}\n${gold === null ? '' : `=${gold}`}\n${predicted === null ? '' : `=${predicted}`}`;
      // Labels of what a log tells may be free text, and no check asks for them: one row for all.
      const key = `${kind} ${verdict} ${scored} ${setAside}\n${rule}\n${isPaired(kind) ? labels : ''}`;
      const says = { scored, kind, verdict, setAside, rule, label, gold, predicted };
      const row = entryOf(this.#rows, key, () => ({ ...says, n: 0, weight: 0, worth: 0 }));
      row.n += 1;
      row.weight += own.weight;
      row.worth += own.weight * own.credit;
      for (const side of ['gold', 'predicted'] as const) {
        const item = own[side];
        if (item === null) continue;
        if (!setAside) this.#met.add(`${side} ${kind} ${item.label}`);
        this.labels.add(item.label);
        if (item.was !== undefined) this.labels.add(item.was);
      }
    }
  }

  /** In the order in which they were first met. */
  rows(pick: (row: VerdictRow) => boolean = () => true): VerdictRow[] {
    return [...this.#rows.values()].filter(pick);
  }

  /** Whether one side has a label so far, in what was not taken out before pairing. */
  has(side: Side, kind: ItemKind, label: string): boolean {
    return this.#met.has(`${side} ${kind} ${label}`);
  }

  /** The first of the primary measures that has a value in the run, with what each unit adds to it. */
  primaryOf(run: Run): PrimarySums | null {
    const valued = new Set(overallValues(run).flatMap(({ name, value }) => (value === null ? [] : [name])));
    const measure = this.#primary.find(({ name }) => valued.has(name));
    const sums = this.#sums.groups()[0]?.table;
    return measure === undefined || sums === undefined ? null : { measure, sums };
  }
}

/** What rows add up to for precision and recall, weights included. */
export function plainCounts(rows: readonly VerdictRow[]): PlainCounts {
  const counts = { hits: 0, worth: 0, missed: 0, spurious: 0 };
  for (const { verdict, weight, worth } of rows) {
    if (verdict === 'hit') {
      counts.hits += weight;
      counts.worth += worth;
    } else if (verdict !== 'excused') counts[verdict] += weight;
  }
  return counts;
}

export function weightOf(rows: readonly VerdictRow[]): number {
  return rows.reduce((total, { weight }) => total + weight, 0);
}
