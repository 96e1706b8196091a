import { nearestNames } from '../text/nearest.ts';
import type { Problems } from './problems.ts';
import { describe } from './record-fields.ts';

/** What the user says of the columns. */
export interface LayoutOptions {
  readonly item?: string;
  readonly rater?: string;
  readonly label?: string;
  /** The raters to compare. */
  readonly raters?: readonly string[];
  /** Divides the file: one result for each value of this column. */
  readonly by?: string;
}

/** Wide: a column for each rater. Long: a row for each rating, its rater and its label in columns. */
export type Layout =
  | { readonly kind: 'wide'; readonly item: string; readonly by: string | null; readonly raters: readonly string[] }
  | {
      readonly kind: 'long';
      readonly item: string;
      readonly by: string | null;
      readonly rater: string;
      readonly label: string;
      /** Those that were asked for; null: all. */
      readonly raters: readonly string[] | null;
    };

const ITEM = ['item', 'item_id', 'id', 'case', 'case_id', 'doc_id'];
const RATER = ['rater', 'annotator', 'reviewer', 'expert'];
const LABEL = ['label', 'rating', 'value'];
/** A column of this name divides the file without being asked to. */
const DIMENSION = 'dimension';

/** Whether a table of these columns has a rating in each row. */
export function isLong(columns: readonly string[], { rater, label }: LayoutOptions): boolean {
  if (rater !== undefined || label !== undefined) return true;
  return RATER.some((name) => columns.includes(name)) && LABEL.some((name) => columns.includes(name));
}

/** Where items, raters and ratings stand; null, with the problems noted, where it cannot be told. */
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
  let isComplete = true;
  const find = (flag: string, given: string | undefined, usual: readonly string[]): string => {
    const found =
      given === undefined ? usual.find((name) => columns.includes(name)) : columns.includes(given) ? given : undefined;
    if (found !== undefined) return found;
    isComplete = false;
    const wanted = given ?? usual[0]!;
    const near = nearestNames(wanted, columns, 1);
    problems.add({
      file,
      line: 1,
      field: `column ${wanted}`,
      message: `there is no such column; found ${columns.slice(0, 10).map(describe).join(', ')}`,
      next: `name it with ${flag} ${near[0] ?? 'COLUMN'}`,
    });
    return wanted;
  };
  const by =
    options.by === undefined ? (columns.includes(DIMENSION) ? DIMENSION : null) : find('--by', options.by, [DIMENSION]);
  if (isLong(columns, options)) {
    const layout: Layout = {
      kind: 'long',
      by,
      item: find('--item', options.item, ITEM),
      rater: find('--rater', options.rater, RATER),
      label: find('--label', options.label, LABEL),
      raters: options.raters ?? null,
    };
    return isComplete ? layout : null;
  }
  const item = options.item === undefined ? firstColumn(columns, by) : find('--item', options.item, ITEM);
  const others = columns.filter((name) => name !== item && name !== by && name !== '');
  const raters = options.raters?.map((name) => find('--raters', name, [])) ?? others;
  return isComplete ? { kind: 'wide', by, item, raters } : null;
}

/** The first column; where it has no name, as an index that pandas wrote, a column that says that it holds the items. */
function firstColumn(columns: readonly string[], by: string | null): string {
  const first = columns.find((name) => name !== by) ?? '';
  return first === '' ? (ITEM.find((name) => columns.includes(name)) ?? first) : first;
}
