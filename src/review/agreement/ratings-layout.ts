import { closestNames } from '../../text/closest-names.ts';
import type { Problems } from '../../data/problems.ts';
import { describe } from '../../data/record-fields.ts';

/** What the user specifies about the columns. */
export interface LayoutOptions {
  readonly item?: string;
  readonly rater?: string;
  readonly label?: string;
  /** The raters to compare. */
  readonly raters?: readonly string[];
  /** Divides the file: one result for each value of this column. */
  readonly by?: string;
}

interface Columns {
  readonly item: string;
  readonly by: string | null;
}

/** Wide: a column for each rater. Long: a row for each rating, its rater and its label in columns. */
export type Layout =
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
export function layoutOf(
  columns: readonly string[],
  file: string,
  options: LayoutOptions,
  problems: Problems,
): Layout | null {
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
