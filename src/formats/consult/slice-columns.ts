import type { Plan } from '../../recipe/plan.ts';
import { compareText } from '../../text/compare.ts';
import type { ConsultFiles } from './consult-reader.ts';

const EVERY_COLUMN = '*';
/** A column with more values than this identifies cases rather than groups them. */
const MOST_VALUES = 20;

/**
 * The plan with `*` among its slices replaced by the columns that group cases: those with at least two values, one of
 * which two cases share, and not too many of them. Columns that do not (notes, free text) are named in `left`.
 */
export function withSliceColumns(plan: Plan, files: readonly ConsultFiles[]): { plan: Plan; left: readonly string[] } {
  if (!plan.slices.includes(EVERY_COLUMN)) return { plan, left: [] };
  const rows = files[0]?.cases.rows ?? [];
  // In text order, so that the order of the rows, some of which lack a value, changes nothing.
  const names = [...new Set(rows.flatMap(({ columns }) => Object.keys(columns)))].sort(compareText);
  const languages = new Set(files.flatMap(({ answers }) => answers.rows.map(({ language }) => language)));
  const groups = (name: string): boolean => {
    const values = rows.flatMap(({ columns }) => columns[name] ?? []);
    const different = new Set(values).size;
    return different > 1 && different <= MOST_VALUES && different < values.length;
  };
  const chosen = [...names.filter(groups), ...(languages.size > 1 ? ['language'] : [])];
  const slices = plan.slices.flatMap((slice) => (slice === EVERY_COLUMN ? chosen : [slice]));
  return {
    plan: { ...plan, slices, resolved: { ...plan.resolved, slice: slices } },
    left: names.filter((name) => !groups(name)),
  };
}
