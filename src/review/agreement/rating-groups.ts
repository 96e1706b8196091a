import { compareNatural } from '../../text/compare.ts';
import type { Problems } from '../../data/problems.ts';
import { numberOf } from './rating-value.ts';
import type { Layout } from './ratings-layout.ts';
import { describe } from '../../data/record-fields.ts';

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

export interface RatedGroups {
  readonly raters: readonly string[];
  /** Raters of the file who gave no rating at all, and are left out. */
  readonly silent: readonly string[];
  readonly groups: readonly RatingGroup[];
  /** Whether all ratings are numbers. */
  readonly numbers: boolean;
}

interface Context {
  readonly file: string;
  readonly options: { readonly raters?: readonly string[]; readonly categories?: readonly string[] };
  readonly problems: Problems;
}

/** Ratings as a matrix for each dimension. The same rating twice, and fewer than two raters, are problems. */
export function groupRatings(cells: readonly RatingCell[], layout: Layout, context: Context): RatedGroups {
  const named = layout.raters ?? [...new Set(cells.map(({ rater }) => rater))].sort(compareNatural);
  const active = new Set(cells.flatMap(({ rater, text }) => (text === null ? [] : [rater])));
  const raters = named.filter((rater) => active.has(rater));
  const silent = named.filter((rater) => !active.has(rater));
  reportRaters(raters, silent, layout, context);
  // Numbers only where all are: otherwise 1 and "mild" are both words.
  const isNumber = (text: string | null): boolean => text === null || numberOf(text) !== null;
  const numbers = cells.every(({ text }) => isNumber(text)) && (context.options.categories ?? []).every(isNumber);
  const columnOf = new Map(raters.map((rater, column) => [rater, column]));
  const ratingsOf = (own: readonly RatingCell[]): (string | number | null)[] => {
    const values: (string | number | null)[] = raters.map(() => null);
    const lines = new Map<string, number>();
    for (const cell of own) {
      const before = lines.get(cell.rater);
      if (before !== undefined) {
        reportTwice(cell, before, context);
        continue;
      }
      lines.set(cell.rater, cell.line);
      const column = columnOf.get(cell.rater);
      if (column !== undefined && cell.text !== null) values[column] = numbers ? numberOf(cell.text) : cell.text;
    }
    return values;
  };
  const groups = [...Map.groupBy(cells, ({ by }) => by)]
    .sort(([a], [b]) => compareNatural(a ?? '', b ?? ''))
    .map(([by, own]) => {
      const items = [...Map.groupBy(own, ({ item }) => item)];
      return {
        by,
        items: items.map(([id, [first]]) => ({ id, line: first!.line })),
        ratings: items.map(([, ofItem]) => ratingsOf(ofItem)),
      };
    });
  return { raters, silent, numbers, groups };
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
  for (const rater of options.raters ?? [])
    if (silent.includes(rater)) {
      const next = 'leave it out of --raters';
      problems.add({ file, line: null, field: rater, message: 'this rater gave no rating', next });
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
