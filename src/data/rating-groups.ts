import { compareNatural } from '../text/compare.ts';
import type { Problems } from './problems.ts';
import { numberOf } from './rating-value.ts';
import type { Layout } from './ratings-layout.ts';
import { describe } from './record-fields.ts';

/** One rating as the file gives it. */
export interface RatingCell {
  readonly by: string | null;
  readonly item: string;
  readonly rater: string;
  /** Null where it is missing. */
  readonly text: string | null;
  readonly line: number;
}

/** The ratings of all items of one dimension, or of all there are. */
export interface RatingGroup {
  /** The value of the column that divides the file; null where none does. */
  readonly by: string | null;
  readonly items: readonly { readonly id: string; readonly line: number }[];
  /** One row an item, one column a rater, null where it is missing. */
  readonly ratings: readonly (readonly (string | number | null)[])[];
}

interface Grouped {
  readonly raters: readonly string[];
  readonly silent: readonly string[];
  readonly groups: readonly RatingGroup[];
  readonly numbers: boolean;
}

interface Context {
  readonly file: string;
  readonly options: { readonly raters?: readonly string[]; readonly categories?: readonly string[] };
  readonly problems: Problems;
}

interface ItemRow {
  readonly line: number;
  readonly values: (string | number | null)[];
  /** The line of each rater's rating. */
  readonly lines: Map<string, number>;
}

/** Ratings as a matrix for each dimension. The same rating twice, and fewer than two raters, are problems. */
export function groupRatings(cells: readonly RatingCell[], layout: Layout, context: Context): Grouped {
  const named = layout.raters ?? [...new Set(cells.map(({ rater }) => rater))].sort(compareNatural);
  const active = new Set(cells.flatMap(({ rater, text }) => (text === null ? [] : [rater])));
  const raters = named.filter((rater) => active.has(rater));
  const silent = named.filter((rater) => !active.has(rater));
  reportRaters(raters, silent, layout, context);
  // Numbers only where all are: otherwise 1 and "mild" are both words.
  const isNumber = (text: string | null): boolean => text === null || numberOf(text) !== null;
  const numbers = cells.every(({ text }) => isNumber(text)) && (context.options.categories ?? []).every(isNumber);
  const columnOf = new Map(raters.map((rater, column) => [rater, column]));
  const groups = new Map<string | null, Map<string, ItemRow>>();
  for (const cell of cells) {
    const items = held(groups, cell.by, () => new Map<string, ItemRow>());
    const row = held(items, cell.item, () => ({ line: cell.line, values: raters.map(() => null), lines: new Map() }));
    const before = row.lines.get(cell.rater);
    if (before !== undefined) {
      reportTwice(cell, before, context);
      continue;
    }
    row.lines.set(cell.rater, cell.line);
    const column = columnOf.get(cell.rater);
    if (column !== undefined && cell.text !== null) row.values[column] = numbers ? numberOf(cell.text) : cell.text;
  }
  const sorted = [...groups].sort(([a], [b]) => compareNatural(a ?? '', b ?? ''));
  return {
    raters,
    silent,
    numbers,
    groups: sorted.map(([by, items]) => ({
      by,
      items: [...items].map(([id, { line }]) => ({ id, line })),
      ratings: [...items.values()].map(({ values }) => values),
    })),
  };
}

function held<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const own = map.get(key) ?? make();
  map.set(key, own);
  return own;
}

function reportTwice({ by, item, rater, line }: RatingCell, before: number, { file, problems }: Context): void {
  const where = before === line ? 'the same line' : `line ${before}`;
  problems.add({
    file,
    line,
    field: rater,
    message: `a second rating of ${describe(item)}${by === null ? '' : ` for ${describe(by)}`}; the first is on ${where}`,
    next: 'one rating per item and rater is expected; --by COLUMN divides the file where items have several dimensions',
  });
}

function reportRaters(raters: readonly string[], silent: readonly string[], layout: Layout, context: Context): void {
  const { file, options, problems } = context;
  // What is wrong with the cells may be why nobody is left.
  if (problems.count > 0) return;
  for (const rater of options.raters ?? []) {
    if (silent.includes(rater))
      problems.add({
        file,
        line: null,
        field: rater,
        message: 'this rater gave no rating',
        next: 'leave it out of --raters',
      });
  }
  if (raters.length >= 2 || problems.count > 0) return;
  const found = raters.length === 0 ? 'nobody gave a rating' : `there is only one rater, ${describe(raters[0])}`;
  const others = silent.length === 0 ? '' : ` (${silent.map(describe).join(', ')} gave none)`;
  problems.add({
    file,
    line: null,
    message: `${found}${others}; agreement needs two`,
    next:
      layout.kind === 'wide'
        ? 'expected a column for each rater, or a row for each rating with the columns item, rater and label'
        : `raters are read from the column ${layout.rater}`,
  });
}
