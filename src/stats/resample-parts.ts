import type { Measure } from '../measure/measure.ts';
import { type DrawnSums, EMPTY_COLUMN, sumsAt, totals, type UnitColumn, type UnitSums } from '../measure/unit-sums.ts';
import { eachDraw } from './draw-sums.ts';
import type { Breathe, Draws } from './resample.ts';
import { drawnValues, ListPool, type MeasuredPart, valueColumns } from './unit-by-unit.ts';

/** A part of one table, or of several that are aligned. */
export interface ResampledPart extends MeasuredPart {
  readonly tables: readonly UnitSums[];
}

/**
 * Draws units, of which all tables have as many, and recomputes the parts, so that a ratio is a ratio of sums, never a mean
 * of ratios. `visit` is given the values of some more draws, table by table, NaN if undefined, and the places of the parts
 * that have them: several if their measure and sums are the same. The lists are used again.
 */
export async function resampleParts(
  parts: readonly ResampledPart[],
  { resamples, seed }: Draws,
  visit: (places: readonly number[], values: readonly Float64Array[]) => void,
  breathe?: Breathe,
): Promise<void> {
  if (parts.length === 0) return;
  const tables = [...new Set(parts.flatMap((part) => part.tables))];
  const units = tables[0]!.units.length;
  const columns: UnitColumn[] = [];
  const first = new Map<UnitSums, number>();
  for (const table of tables) {
    first.set(table, columns.length);
    // Columns that no measure looks at are not added up.
    const own = parts.filter((part) => part.tables.includes(table));
    const wanted = new Set(own.flatMap((part) => valueColumns(table, part)));
    for (const [at, column] of table.columns.entries()) columns.push(wanted.has(at) ? column : EMPTY_COLUMN);
  }
  let workings: Working[] | null = null;
  const lists = new ListPool();
  const readBlock = (drawn: DrawnSums, draws: number): void => {
    // The same sums are filled again for every block of draws, so the views on them are made once.
    workings ??= workingsOf(parts, drawn, first);
    for (const { places, valuesOf } of workings) {
      lists.release(draws);
      visit(
        places,
        valuesOf.map((of) => of(lists)),
      );
    }
  };
  await eachDraw(units, columns, resamples, { seed }, readBlock, breathe);
}

/** How values are worked out, table by table, and of which parts they are. */
interface Working {
  readonly places: number[];
  readonly valuesOf: readonly ((lists: ListPool) => Float64Array)[];
}

function workingsOf(
  parts: readonly ResampledPart[],
  { sums, starts }: DrawnSums,
  first: ReadonlyMap<UnitSums, number>,
): Working[] {
  const sources = new Map(
    [...first].map(([table, from]) => {
      const source: DrawnSums = { sums, starts: starts.subarray(from), at: 0 };
      return [table, { source, all: totals(table) }];
    }),
  );
  const measures = new Map<Measure, number>();
  const workings = new Map<string, Working>();
  for (const [place, part] of parts.entries()) {
    const { measure, label, tables } = part;
    if (!measures.has(measure)) measures.set(measure, measures.size);
    const looked = tables.map((table) => valueColumns(table, part).map((column) => starts[first.get(table)! + column]));
    // Measures that have no value by label may look at the labels.
    const key = JSON.stringify([measures.get(measure), measure.byLabel || tables[0]!.labels, looked]);
    const known = workings.get(key);
    known?.places.push(place);
    if (known !== undefined) continue;
    const valuesOf = tables.map((table) => {
      const { source, all } = sources.get(table)!;
      // A mean over labels that has lost one of them is another quantity.
      const fewest = measure.overLabels === true ? measure.value(sumsAt(table, all, label)).n : 0;
      return drawnValues(table, part, fewest, source);
    });
    workings.set(key, { places: [place], valuesOf });
  }
  return [...workings.values()];
}
