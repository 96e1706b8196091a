import { InputError, Problems } from '../../data/problems.ts';
import { describe } from '../../data/record-fields.ts';
import { type NamedRow, readTable } from '../../data/record-table.ts';
import type { Source } from '../../data/source.ts';
import { closestNames } from '../../text/closest-names.ts';
import { compareNatural } from '../../text/compare.ts';
import { type CellRules, checkCell, MISSING_MARKS, numberOf } from './rating-value.ts';

export interface RatingsFileOptions extends LayoutOptions, CellRules {}

export interface RatingsFile extends RatedGroups {
  readonly layout: Layout;
  /** Cells that say that there is no rating, by how they say it. */
  readonly missing: readonly { readonly mark: string; readonly count: number }[];
  readonly notAsked: number;
}

/** Reads ratings, wide (a column per rater) or long (a row per rating). All that is wrong is thrown at once. */
export async function readRatings(source: Source, options: RatingsFileOptions = {}): Promise<RatingsFile> {
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
    throw new InputError([{ file, line: null, message: 'it is not clear who rated what' }]);
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
  readonly column: string;
}

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

/** The id of an item or the name of a rater, without the space around it; null if absent. */
function nameOf(cell: unknown): string | null {
  const text = typeof cell === 'number' || typeof cell === 'boolean' ? String(cell) : cell;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null;
}

interface RatingCell {
  readonly by: string | null;
  readonly item: string;
  readonly rater: string;
  readonly text: string | null;
  readonly line: number;
}

/** The ratings of all items of one dimension, or of all there are. */
export interface RatingGroup {
  /** The value of the column that divides the file; null if none does. */
  readonly by: string | null;
  readonly items: readonly { readonly id: string; readonly line: number }[];
  /** One row an item, one column a rater, null if it is missing. */
  readonly ratings: readonly (readonly (string | number | null)[])[];
}

interface RatedGroups {
  readonly raters: readonly string[];
  /** Raters of the file who gave no rating at all, and are left out. */
  readonly silent: readonly string[];
  readonly groups: readonly RatingGroup[];
  readonly numbers: boolean;
}

interface Context {
  readonly file: string;
  readonly options: { readonly raters?: readonly string[]; readonly categories?: readonly string[] };
  readonly problems: Problems;
}

/** Ratings as a matrix for each dimension. The same rating twice, and fewer than two raters, are problems. */
function groupRatings(cells: readonly RatingCell[], layout: Layout, context: Context): RatedGroups {
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

interface LayoutOptions {
  readonly item?: string;
  readonly rater?: string;
  readonly label?: string;
  readonly raters?: readonly string[];
  /** Divides the file: one result for each value of this column. */
  readonly by?: string;
}

interface Columns {
  readonly item: string;
  readonly by: string | null;
}

/** Wide: a column for each rater. Long: a row for each rating, its rater and its label in columns. */
type Layout =
  | (Columns & { readonly kind: 'wide'; readonly raters: readonly string[] })
  | (Columns & {
      readonly kind: 'long';
      readonly rater: string;
      readonly label: string;
      /** Those that were asked for; null: all. */
      readonly raters: readonly string[] | null;
    });

const ITEM = ['item', 'item_id', 'id', 'case', 'case_id', 'doc_id'];
const RATER = ['rater', 'annotator', 'reviewer', 'expert'];
const LABEL = ['label', 'rating', 'value'];
/** A column of this name divides the file without being asked to. */
const DIMENSION = 'dimension';

/** The columns of items, raters and ratings; null, with the problems noted, if they are not clear. */
function layoutOf(columns: readonly string[], file: string, options: LayoutOptions, problems: Problems): Layout | null {
  if (columns.length === 0) {
    if (problems.count === 0)
      problems.add({ file, line: 1, message: 'expected a header with the names of the columns' });
    return null;
  }
  const before = problems.count;
  const known = (names: readonly string[]): string | undefined => names.find((name) => columns.includes(name));
  const find = (flag: string, given: string | undefined, defaults: readonly string[]): string => {
    const found = known(given === undefined ? defaults : [given]);
    if (found !== undefined) return found;
    const wanted = given ?? defaults[0]!;
    problems.add({
      file,
      line: 1,
      field: `column ${wanted}`,
      message: `there is no such column; found ${columns.slice(0, 10).map(describe).join(', ')}`,
      next: `name it with ${flag} ${closestNames(wanted, columns, 1)[0] ?? 'COLUMN'}`,
    });
    return wanted;
  };
  const by = options.by === undefined ? (known([DIMENSION]) ?? null) : find('--by', options.by, []);
  const isLong = options.rater !== undefined || options.label !== undefined;
  if (isLong || (known(RATER) !== undefined && known(LABEL) !== undefined)) {
    const item = find('--item', options.item, ITEM);
    const rater = find('--rater', options.rater, RATER);
    const label = find('--label', options.label, LABEL);
    return problems.count > before ? null : { kind: 'long', by, item, rater, label, raters: options.raters ?? null };
  }
  // The first column; if it has no name, like an index that pandas wrote, one whose name means items.
  const first = columns.find((name) => name !== by) ?? '';
  const usual = first === '' ? (known(ITEM) ?? first) : first;
  const item = options.item === undefined ? usual : find('--item', options.item, ITEM);
  const others = columns.filter((name) => name !== item && name !== by && name !== '');
  const raters = options.raters?.map((name) => find('--raters', name, [])) ?? others;
  return problems.count > before ? null : { kind: 'wide', by, item, raters };
}
