import { InputError, Problems } from '../../data/problems.ts';
import { groupRatings, type RatedGroups, type RatingCell } from './rating-groups.ts';
import { type Layout, type LayoutOptions, layoutOf } from './ratings-layout.ts';
import { type CellRules, checkCell, MISSING_MARKS } from './rating-value.ts';
import { type NamedRow, readTable } from '../../data/records.ts';
import type { Source } from '../../data/source.ts';

export type { RatingGroup } from './rating-groups.ts';

export interface RatingsOptions extends LayoutOptions, CellRules {}

export interface RatingsFile extends RatedGroups {
  readonly layout: Layout;
  /** Cells that say that there is no rating, by how they say it. */
  readonly missing: readonly { readonly mark: string; readonly count: number }[];
  /** Ratings by raters that were not asked for. */
  readonly notAsked: number;
}

/** Reads ratings, wide (a column per rater) or long (a row per rating). All that is wrong is thrown at once. */
export async function readRatings(source: Source, options: RatingsOptions = {}): Promise<RatingsFile> {
  const file = source.name;
  const problems = new Problems();
  const { columns, rows } = await readTable(source, problems).catch((error: unknown) => {
    // What breaks the reading off belongs to the same message as what was wrong before it.
    problems.addThrown(error);
    problems.throwIfAny();
    throw error;
  });
  const layout = layoutOf(columns, file, options, problems);
  if (rows.length === 0 && problems.count === 0)
    problems.add({ file, line: null, message: 'no row was found below the header' });
  if (layout === null) {
    problems.throwIfAny();
    throw new InputError([{ file, line: null, message: 'cannot tell who rated what' }]);
  }
  if (layout.kind === 'wide' && options.raters === undefined) refuseNameless(columns, rows, file, problems);
  const marks = new Map<string, number>();
  const cells: RatingCell[] = [];
  let notAsked = 0;
  for (const row of rows) {
    for (const { column, ...who } of ratingsIn(row, layout, file, problems)) {
      if (layout.raters !== null && !layout.raters.includes(who.rater)) {
        notAsked += 1;
        continue;
      }
      const read = checkCell(row.values.get(column), { file, line: row.line, field: column }, options, problems);
      if (read === undefined) continue;
      if (read.missing) marks.set(read.text, (marks.get(read.text) ?? 0) + 1);
      cells.push({ ...who, text: read.missing ? null : read.text, line: row.line });
    }
  }
  const made = groupRatings(cells, layout, { file, options, problems });
  problems.throwIfAny();
  return {
    layout,
    ...made,
    missing: MISSING_MARKS.filter((mark) => marks.has(mark)).map((mark) => ({ mark, count: marks.get(mark)! })),
    notAsked,
  };
}

/** Ratings below no name would leave in silence. An index in front, as pandas writes it, and empty columns are let be. */
function refuseNameless(columns: readonly string[], rows: readonly NamedRow[], file: string, problems: Problems): void {
  const at = columns.indexOf('');
  const first = at < 1 ? undefined : rows.find(({ values }) => nameOf(values.get('')) !== null);
  if (first === undefined) return;
  problems.add({
    file,
    line: 1,
    field: `column ${at + 1}`,
    message: `it has no name, but holds values (line ${first.line}): whose ratings are they?`,
    next: 'name it in the header, or say with --raters whom to compare',
  });
}

interface Named {
  readonly by: string | null;
  readonly item: string;
  readonly rater: string;
  /** Where the rating stands. */
  readonly column: string;
}

/** The ratings of one row: of all raters, or of one. */
function ratingsIn({ line, values }: NamedRow, layout: Layout, file: string, problems: Problems): Named[] {
  const name = (column: string, what: string): string | null => {
    const found = nameOf(values.get(column));
    if (found === null) problems.add({ file, line, field: column, message: `expected ${what}, found nothing` });
    return found;
  };
  const item = name(layout.item, 'the id of an item');
  const by = layout.by === null ? null : name(layout.by, 'what the ratings are divided by');
  const rater = layout.kind === 'wide' ? '' : name(layout.rater, 'the name of a rater');
  if (item === null || rater === null || (by === null && layout.by !== null)) return [];
  if (layout.kind === 'long') return [{ by, item, rater, column: layout.label }];
  return layout.raters.map((own) => ({ by, item, rater: own, column: own }));
}

/** The id of an item or the name of a rater, without the space around it; null where there is none. */
function nameOf(cell: unknown): string | null {
  const text = typeof cell === 'number' || typeof cell === 'boolean' ? String(cell) : cell;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null;
}
