import { type DrawnColumns, drawnValuesOf } from '../measure/drawn-values.ts';
import { type Measure, type Outcome, valueLike } from '../measure/measure.ts';
import {
  drawnColumnsAt,
  type DrawnSums,
  EMPTY_COLUMN,
  sumsAt,
  totals,
  type UnitColumn,
  type UnitSums,
} from '../measure/unit-sums.ts';
import { eachDraw } from './draw-sums.ts';
import type { Breathe, Draws } from './resample.ts';
import { type MeasuredPart, valueColumns } from './unit-by-unit.ts';

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

/** Lists of zeros, a number for each draw, that are used again. */
class ListPool {
  readonly #lists: Float64Array[] = [];
  #used = 0;
  draws = 0;
  readonly take = (): Float64Array => {
    const list = this.#lists[this.#used]?.fill(0) ?? new Float64Array(this.draws);
    this.#lists[this.#used] = list;
    this.#used += 1;
    return list;
  };

  /** All lists may be used again. */
  release(draws: number): void {
    if (draws !== this.draws) this.#lists.length = 0;
    this.draws = draws;
    this.#used = 0;
  }
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
      return drawnValues(table, part, measure.value(sumsAt(table, all, label)), source);
    });
    workings.set(key, { places: [place], valuesOf });
  }
  return [...workings.values()];
}

/** All draws together where the measure can do that, else one by one. */
function drawnValues(
  table: UnitSums,
  { measure, label }: MeasuredPart,
  whole: Outcome,
  source: DrawnSums,
): Working['valuesOf'][number] {
  const together = drawnValuesOf(measure);
  const fewest = measure.overLabels === true ? whole.n : 0;
  let [size, columns]: [number, DrawnColumns | null] = [0, null];
  if (together !== undefined)
    return ({ draws, take }) => {
      if (columns === null || size !== draws) columns = drawnColumnsAt(table, source, draws, label, take);
      size = draws;
      return together(columns, fewest);
    };
  const view = sumsAt(table, source, label);
  return ({ draws, take }) => {
    const values = take();
    for (let at = 0; at < draws; at += 1) {
      source.at = at;
      values[at] = valueLike(measure, whole, view) ?? NaN;
    }
    return values;
  };
}
