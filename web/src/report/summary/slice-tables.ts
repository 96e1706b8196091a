import { VERDICTS, type VerdictKind } from '../../../../src/judge/verdict.ts';
import type { MeasureValue } from '../../../../src/measure/results.ts';
import { labelCounts } from '../../../../src/report/label-counts.ts';
import type { Measures } from '../../../../src/score/run.ts';
import { compareNatural } from '../../../../src/text/compare.ts';

export type Counts = Readonly<Record<VerdictKind, number>>;

/** One value of what a table goes by, such as a label. */
export interface SliceRow {
  /** As in the slice, in the order of its keys. */
  readonly values: readonly string[];
  readonly measures: ReadonlyMap<string, MeasureValue>;
  /** Only of labels. */
  readonly counts: Counts | null;
}

/** Measures side by side: a row for each label, scheme or value of a column. */
export interface SliceTable {
  /** `label`, or the columns, joined. */
  readonly title: string;
  /** What the rows go by. */
  readonly keys: readonly string[];
  /** The kind of item of a table of labels, where a run has several; else null. */
  readonly kind: string | null;
  /** Measures that have a value in any row, the primary ones first. */
  readonly measures: readonly string[];
  readonly rows: readonly SliceRow[];
}

/** Overall values, the primary ones first. */
export function overallMeasures(measures: Measures, primary: readonly string[]): readonly MeasureValue[] {
  const whole = measures.measures.filter(({ slice }) => Object.keys(slice).length === 0);
  return [
    ...primary.flatMap((name) => whole.filter((value) => value.name === name)),
    ...whole.filter(({ name }) => !primary.includes(name)),
  ];
}

/** A table for each thing that the run was sliced by; labels come first, one table for each kind of item. */
export function sliceTables(run: Measures, primary: readonly string[]): readonly SliceTable[] {
  const groups = new Map<string, { keys: readonly string[]; values: MeasureValue[] }>();
  for (const value of run.measures) {
    const keys = Object.keys(value.slice);
    if (keys.length === 0) continue;
    const name = JSON.stringify(keys);
    const group = groups.get(name) ?? { keys, values: [] };
    group.values.push(value);
    groups.set(name, group);
  }
  return [...groups.values()]
    .toSorted((a, b) => rank(a.keys) - rank(b.keys))
    .flatMap(({ keys, values }) =>
      keys.length === 1 && keys[0] === 'label' ? labelTables(run, values, primary) : [tableOf(keys, values, primary)],
    )
    .filter(({ measures, rows }) => rows.length > 0 && measures.length > 0);
}

/** Why values of some measures are undefined, each reason once. */
export function undefinedReasons(rows: readonly SliceRow[], measures: readonly string[]): readonly string[] {
  const reasons = rows.flatMap((row) => measures.map((name) => row.measures.get(name)?.undefined ?? null));
  return [...new Set(reasons.filter((reason) => reason !== null))];
}

export function totalOf(counts: Counts): number {
  return VERDICTS.reduce((sum, verdict) => sum + counts[verdict], 0);
}

function labelTables(run: Measures, values: readonly MeasureValue[], primary: readonly string[]): SliceTable[] {
  const table = tableOf(['label'], values, primary);
  const kinds = labelCounts(run);
  const tables = [...kinds].flatMap(([kind, labels]) => {
    const rows = table.rows
      .flatMap((row) => {
        const counts = labels.get(row.values[0] ?? '');
        return counts === undefined ? [] : [{ ...row, counts }];
      })
      .toSorted((a, b) => totalOf(b.counts) - totalOf(a.counts));
    const measures = table.measures.filter((name) =>
      rows.some((row) => (row.measures.get(name)?.value ?? null) !== null),
    );
    return [{ ...table, kind: kinds.size > 1 ? kind : null, measures, rows }];
  });
  return tables.length === 0 ? [table] : tables;
}

function tableOf(keys: readonly string[], values: readonly MeasureValue[], primary: readonly string[]): SliceTable {
  const rows = new Map<string, { values: readonly string[]; measures: Map<string, MeasureValue> }>();
  for (const value of values) {
    const own = keys.map((key) => value.slice[key] ?? '');
    const name = JSON.stringify(own);
    const row = rows.get(name) ?? { values: own, measures: new Map<string, MeasureValue>() };
    row.measures.set(value.name, value);
    rows.set(name, row);
  }
  const names = [...new Set(values.map(({ name }) => name))];
  const shown = names.filter((name) => values.some((value) => value.name === name && value.value !== null));
  return {
    title: keys.join(' and '),
    keys,
    kind: null,
    measures: [...primary.filter((name) => shown.includes(name)), ...shown.filter((name) => !primary.includes(name))],
    rows: [...rows.values()]
      .map((row) => ({ ...row, counts: null }))
      .toSorted((a, b) => compareNatural(a.values.join('\u0000'), b.values.join('\u0000'))),
  };
}

/** Labels, then columns, then schemes, then what has two keys. */
function rank(keys: readonly string[]): number {
  if (keys.length > 1) return 3;
  return keys[0] === 'label' ? 0 : keys[0] === 'scheme' ? 2 : 1;
}
