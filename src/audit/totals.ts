import { type ItemKind, PAIRED_KINDS, type Side, SIDES } from '../data/item.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { Measure } from '../measure/measure.ts';
import { type CaseResult, isOverall, type MeasureValue } from '../measure/results.ts';
import { Tally } from '../measure/tally.ts';
import type { UnitSums } from '../measure/unit-sums.ts';
import type { Run } from '../score/run.ts';
import { entryOf } from './evidence.ts';
import { type ResolvedRecipe, stringsAt } from './recipe-parts.ts';

/** One case as every check sees it, the same while scoring and when a run folder is read again. */
export interface AuditCase extends Omit<CaseResult, 'kinds'> {
  /** null where the files give none or are not at hand. */
  readonly text: string | null;
  /**
   * Under the recipe's own pairing. Places of items are UTF-16 offsets into `text`; without a text they are in
   * the unit of the files. What the ledger does not hold is in neither: the item of `rejected` has no place.
   */
  readonly verdicts: readonly Verdict[];
}

/** A measure and what each unit adds to it. */
export type PrimarySums = Readonly<{ measure: Measure; sums: UnitSums }>;

/**
 * Verdicts that say the same of the same labels, counted. Not `scored`: of cases that failed. `gold` and `predicted` are
 * the labels of the items themselves; null if that side has none.
 */
export type VerdictRow = Readonly<
  Pick<Verdict, 'kind' | 'verdict' | 'setAside' | 'rule' | 'label'> & {
    scored: boolean;
    gold: string | null;
    predicted: string | null;
  }
> & { n: number; weight: number; /** Weight times credit. */ worth: number };

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

  constructor(measures: readonly Measure[], recipe: ResolvedRecipe) {
    // Of the primary measures only: a second copy of all sums would be too much.
    this.#primary = primaryMeasures(measures, recipe);
    this.#sums = new Tally(this.#primary, []);
  }

  add(given: AuditCase): void {
    if (given.text !== null) this.texts += 1;
    this.#sums.add(given, null, given.verdicts);
    const scored = given.failed === undefined;
    this[scored ? 'scored' : 'failed'] += 1;
    for (const own of given.verdicts) {
      const { kind, verdict, rule, label, setAside } = own;
      const [gold, predicted] = [own.gold?.label ?? null, own.predicted?.label ?? null];
      const labels = `${label}\n${gold === null ? '' : `=${gold}`}\n${predicted === null ? '' : `=${predicted}`}`;
      // Labels from a log may be free text, and no check asks for them: one row for all.
      const key = `${kind} ${verdict} ${scored} ${setAside}\n${rule}\n${isPaired(kind) ? labels : ''}`;
      const fields = { scored, kind, verdict, setAside, rule, label, gold, predicted };
      const row = entryOf(this.#rows, key, () => ({ ...fields, n: 0, weight: 0, worth: 0 }));
      row.n += 1;
      row.weight += own.weight;
      row.worth += own.weight * own.credit;
      for (const side of SIDES) {
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
    const measure = this.#primary.find(({ name }) => (overallValue(run, name)?.value ?? null) !== null);
    const sums = this.#sums.groups()[0]?.table;
    return measure === undefined || sums === undefined ? null : { measure, sums };
  }
}

/** What precision, recall and F1 are made of, weights included; hits are worth less where a scheme gives partial credit. */
type PlainCounts = Record<'hits' | 'worth' | 'missed' | 'spurious', number>;

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

/** P = worth / (hits + spurious), R = worth / (hits + missed), F1 their harmonic mean; null where there is nothing below. */
export function plainScore({ hits, worth, missed, spurious }: Readonly<PlainCounts>) {
  const share = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);
  const [predicted, gold] = [hits + spurious, hits + missed];
  return { precision: share(worth, predicted), recall: share(worth, gold), f1: share(2 * worth, predicted + gold) };
}

export function weightOf(rows: readonly VerdictRow[]): number {
  return rows.reduce((total, { weight }) => total + weight, 0);
}

/** Whether items of a kind are paired with gold; the others tell what a system did. */
export function isPaired(kind: string): boolean {
  return PAIRED_KINDS.some((known) => known === kind);
}

/** The values of a run without a slice. */
export function overallValues(run: Run): MeasureValue[] {
  return run.measures.measures.filter(({ slice }) => isOverall(slice));
}

export function overallValue(run: Run, measure: string | undefined): MeasureValue | undefined {
  return overallValues(run).find(({ name }) => name === measure);
}

/** Half of what an interval covers: how far the value may be off; null where there is no interval. */
export function halfWidth(value: Pick<MeasureValue, 'interval'> | undefined): number | null {
  const interval = value?.interval ?? null;
  return interval === null ? null : (interval.high - interval.low) / 2;
}

/** The measures that come first: those that the recipe names, else its first F1, else its first measure. */
export function primaryMeasures(measures: readonly Measure[], recipe: ResolvedRecipe): readonly Measure[] {
  const named = stringsAt(recipe, 'primary').flatMap((name) => measures.find((measure) => measure.name === name) ?? []);
  if (named.length > 0) return named;
  const isF1 = ({ name }: Measure): boolean => name.endsWith('_f1');
  return [measures.find(({ name }) => name === 'f1') ?? measures.find(isF1) ?? measures[0]].filter(
    (one) => one !== undefined,
  );
}
