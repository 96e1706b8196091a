import { z } from 'zod';

import { ExactSum, type Foldable, FoldState } from '../data/fold-state.ts';
import { type ItemKind, PAIRED_KINDS, type Side, SIDES } from '../data/item.ts';
import { LABEL } from '../data/span-list.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { Measure } from '../measure/measure.ts';
import { isOverall, type MeasureValue } from '../measure/results.ts';
import type { UnitSums } from '../measure/unit-sums.ts';
import type { Run } from '../score/run.ts';
import type { AuditCase, AuditSpans } from './audit-case.ts';
import { entryOf } from './evidence.ts';
import { PrimaryLog } from './primary-log.ts';
import { type ResolvedRecipe, stringsAt } from './recipe-parts.ts';
import { parseSaved } from './saved-shape.ts';

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
> & { readonly n: number; readonly weight: number; /** Weight times credit. */ readonly worth: number };

/** A row while verdicts are added to it. */
type OpenRow = Omit<VerdictRow, 'n' | 'weight' | 'worth'> & { n: number; weight: number; readonly worth: ExactSum };
type RowFields = Omit<OpenRow, 'n' | 'weight' | 'worth'>;

const noSums = () => ({ n: 0, weight: 0, worth: new ExactSum() });

const KIND_PLACES: ReadonlyMap<ItemKind, number> = new Map(PAIRED_KINDS.map((kind, at) => [kind, at]));
const OUTCOME_PLACES = { hit: 0, missed: 1, spurious: 2, excused: 3 };

/** Labels with their numbers, in the order in which they were first met. */
class LabelNumbers implements Foldable {
  readonly #numbers = new Map<string, number>();

  add(label: string): void {
    if (!this.#numbers.has(label)) this.#numbers.set(label, this.#numbers.size);
  }

  numberOf(label: string): number | undefined {
    return this.#numbers.get(label);
  }

  save(): unknown {
    return [...this.#numbers.keys()];
  }

  merge(saved: unknown): void {
    for (const label of parseSaved(z.array(z.string()), saved)) this.add(label);
  }
}

/** A row of plain spans with one credit, and how many of them were counted since they were added to it. */
type SpanRow = { readonly row: OpenRow; readonly credit: number; n: number };

/** What all cases add up to, counted in one pass for all checks. */
export class Totals implements Foldable {
  readonly #state = new FoldState();
  readonly #rows = this.#state.keep(new Map<string, OpenRow>(), noSums);
  /** The same rows where all labels of a verdict are one, by that label, behind all else that they differ in. */
  readonly #ofLabel = new Map<string, Map<string, OpenRow>[]>();
  /** And those of plain spans, with what is still to be added to them. */
  readonly #ofCells: SpanRow[][] = [];
  readonly #spanRows: SpanRow[] = [];
  readonly #met = {
    gold: this.#state.keep(new Map<ItemKind, LabelNumbers>(), () => new LabelNumbers()),
    predicted: this.#state.keep(new Map<ItemKind, LabelNumbers>(), () => new LabelNumbers()),
  };
  readonly #metLabels: Record<Side, boolean[]> = { gold: [], predicted: [] };
  readonly #primary: readonly Measure[];
  readonly #sums: PrimaryLog;
  /** Every label of an item, also those that a label map has changed. */
  readonly labels = this.#state.keep(new Set<string>());
  readonly #cases = this.#state.keep({ scored: 0, failed: 0, texts: 0 });

  constructor(measures: readonly Measure[], recipe: ResolvedRecipe) {
    // Of the primary measures only: a second copy of all sums would be too much.
    this.#primary = primaryMeasures(measures, recipe);
    this.#sums = this.#state.keep(new PrimaryLog(this.#primary));
  }

  /** Cases that did not fail. */
  get scored(): number {
    return this.#cases.scored;
  }

  get failed(): number {
    return this.#cases.failed;
  }

  get texts(): number {
    return this.#cases.texts;
  }

  add(given: AuditCase): void {
    if (given.text !== null) this.#cases.texts += 1;
    this.#sums.add(given, given.verdicts);
    const scored = given.failed === undefined;
    this.#cases[scored ? 'scored' : 'failed'] += 1;
    for (const own of given.verdicts) {
      const row = this.#rowOf(own, scored);
      row.n += 1;
      row.weight += own.weight;
      row.worth.add(own.weight * own.credit);
      if (own.gold?.was !== undefined) this.labels.add(own.gold.was);
      if (own.predicted?.was !== undefined) this.labels.add(own.predicted.was);
    }
  }

  /** The same for a case of plain spans. */
  addSpans(given: AuditSpans): void {
    const { gold, predicted, cells, count, hits, own } = given;
    this.#cases.texts += 1;
    this.#cases.scored += 1;
    this.#sums.addSpans(given);
    let g = -1;
    for (let at = 0; at < count; at += 1) {
      let other = 0;
      if (at < hits) {
        do g += 1;
        while (own.pairing.gold[g]! < 0);
        // Also where the two have different labels they are one row.
        const label = predicted.get(own.pairing.gold[g]!, LABEL);
        if (label !== gold.get(g, LABEL)) other = label + 1;
      }
      this.#spanRow(given, cells[at]!, other).n += 1;
    }
  }

  /** The row of a cell; `other`: the number, and one more, of another label of the prediction. */
  #spanRow({ own, labels }: AuditSpans, cell: number, other: number): SpanRow {
    const ofCell = (this.#ofCells[cell] ??= []);
    const known = ofCell[other];
    if (known !== undefined) return known;
    const { kind, verdict, rule, label, credit, setAside } = own.verdictOf(cell);
    const gold = verdict === 'spurious' ? null : label;
    const predicted = verdict === 'missed' ? null : (labels[other - 1] ?? label);
    const row = this.#rowWith({ scored: true, kind, verdict, setAside, rule, label, gold, predicted });
    const open = (ofCell[other] = { row, credit, n: 0 });
    this.#spanRows.push(open);
    return open;
  }

  /** Adds what is still to be added of plain spans. */
  #settle(): void {
    for (const open of this.#spanRows) {
      open.row.n += open.n;
      open.row.weight += open.n;
      open.row.worth.add(open.credit, open.n);
      open.n = 0;
    }
  }

  #rowOf(own: Verdict, scored: boolean): OpenRow {
    const { verdict, label, gold, predicted, setAside } = own;
    const isOne = (gold === null || gold.label === label) && (predicted === null || predicted.label === label);
    const kind = KIND_PLACES.get(own.kind);
    if (kind === undefined || !isOne) return this.#newRow(own, scored);
    let byRule = this.#ofLabel.get(own.rule);
    if (byRule === undefined) this.#ofLabel.set(own.rule, (byRule = []));
    const sides = (gold === null ? 0 : 1) | (predicted === null ? 0 : 2) | (setAside ? 4 : 0) | (scored ? 8 : 0);
    const at = (kind * 4 + OUTCOME_PLACES[verdict]) * 16 + sides;
    const rows = (byRule[at] ??= new Map());
    let row = rows.get(label);
    if (row === undefined) rows.set(label, (row = this.#newRow(own, scored)));
    return row;
  }

  #newRow(own: Verdict, scored: boolean): OpenRow {
    const { kind, verdict, rule, label, setAside } = own;
    const [gold, predicted] = [own.gold?.label ?? null, own.predicted?.label ?? null];
    return this.#rowWith({ scored, kind, verdict, setAside, rule, label, gold, predicted });
  }

  #rowWith(fields: RowFields): OpenRow {
    const { scored, kind, verdict, setAside, rule, label, gold, predicted } = fields;
    const labels = `${label}\n${gold === null ? '' : `=${gold}`}\n${predicted === null ? '' : `=${predicted}`}`;
    // Labels from a log may be free text, and no check asks for them: one row for all.
    const key = `${kind} ${verdict} ${scored} ${setAside}\n${rule}\n${isPaired(kind) ? labels : ''}`;
    for (const side of SIDES) {
      const own = fields[side];
      if (own === null) continue;
      if (!setAside) entryOf(this.#met[side], kind, () => new LabelNumbers()).add(own);
      this.labels.add(own);
    }
    return entryOf(this.#rows, key, () => ({ ...fields, ...noSums() }));
  }

  /** In the order in which they were first met. */
  rows(pick: (row: VerdictRow) => boolean = () => true): VerdictRow[] {
    this.#settle();
    return [...this.#rows.values()].map((row) => ({ ...row, worth: row.worth.value })).filter(pick);
  }

  /** Whether one side has a label so far, in what was not taken out before pairing. */
  has(side: Side, kind: ItemKind, label: string): boolean {
    return this.#met[side].get(kind)?.numberOf(label) !== undefined;
  }

  /** The number of a label among those that one side has, in the order in which they were first met. */
  numberOf(side: Side, kind: ItemKind, label: string): number {
    return this.#met[side].get(kind)?.numberOf(label) ?? 0;
  }

  /** The same for the label of a plain span, given its number. */
  hasLabel(side: Side, label: number, labels: readonly string[]): boolean {
    const met = this.#metLabels[side];
    return met[label] === true || (met[label] = this.has(side, 'span', labels[label]!));
  }

  save(): unknown {
    this.#settle();
    return this.#state.save();
  }

  merge(saved: unknown): void {
    this.#state.merge(saved);
  }

  /** The first of the primary measures that has a value in the run, with what each unit adds to it. */
  primaryOf(run: Run): PrimarySums | null {
    const measure = this.#primary.find(({ name }) => (overallValue(run, name)?.value ?? null) !== null);
    const sums = this.#sums.byUnit();
    return measure === undefined || sums === undefined ? null : { measure, sums };
  }
}

/** What precision, recall and F1 are made of, weights included; hits are worth less where a scheme gives partial credit. */
type PlainCounts = Record<'hits' | 'worth' | 'missed' | 'spurious', number>;

export function plainCounts(rows: readonly Pick<VerdictRow, 'verdict' | 'weight' | 'worth'>[]): PlainCounts {
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

export function weightOf(rows: readonly Pick<VerdictRow, 'weight'>[]): number {
  return rows.reduce((total, { weight }) => total + weight, 0);
}

const PAIRED: ReadonlySet<string> = new Set(PAIRED_KINDS);

/** Whether items of a kind are paired with gold; the others tell what a system did. */
export function isPaired(kind: string): boolean {
  return PAIRED.has(kind);
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
