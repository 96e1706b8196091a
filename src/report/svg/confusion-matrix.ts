import { compareText } from '../../text/compare.ts';

/** How often gold met a prediction; null: nothing on that side. */
export interface ConfusionCell {
  readonly gold: string | null;
  readonly predicted: string | null;
  readonly n: number;
  /** Whether that is right; where it is not said, equal names are. */
  readonly right?: boolean;
}

interface Name {
  /** As it is shown. */
  readonly name: string;
  /** As the data has it; null for what stands for several names or for nothing. */
  readonly value: string | null;
  readonly n: number;
}

export interface ConfusionMatrix {
  readonly rows: readonly Name[];
  readonly columns: readonly Name[];
  readonly cells: readonly {
    readonly row: number;
    readonly column: number;
    readonly n: number;
    readonly right: boolean;
  }[];
  readonly n: number;
  /** Names that have no row of their own. */
  readonly left: number;
  readonly others: string;
}

const MOST_NAMES = 12;
const OTHERS = 'others';
const NOTHING = '(nothing)';
/** No name of the data can be one of these. */
const [OTHERS_KEY, NOTHING_KEY] = ['others', 'nothing'] as const;

/** Counts as a square of names, the most frequent first; the rest together, and nothing at the end. */
export function confusionMatrix(cells: readonly ConfusionCell[]): ConfusionMatrix {
  const counted = cells.filter(({ n }) => n > 0);
  const names = frequent(counted);
  const shown = new Set(names.slice(0, names.length > MOST_NAMES ? MOST_NAMES - 1 : MOST_NAMES));
  const keyOf = (value: string | null): string =>
    value === null ? NOTHING_KEY : shown.has(value) ? `=${value}` : OTHERS_KEY;
  const sums = new Map<string, { row: string; column: string; right: number; wrong: number }>();
  for (const { gold, predicted, n, right = gold === predicted } of counted) {
    const [row, column] = [keyOf(gold), keyOf(predicted)];
    const key = JSON.stringify([row, column]);
    const held = sums.get(key) ?? { row, column, right: 0, wrong: 0 };
    held[right ? 'right' : 'wrong'] += n;
    sums.set(key, held);
  }
  const order = [...[...shown].map((name) => `=${name}`), OTHERS_KEY, NOTHING_KEY];
  const rows = namesOf(order, [...sums.values()], 'row');
  const columns = namesOf(order, [...sums.values()], 'column');
  const at = (list: readonly { readonly key: string }[], key: string): number =>
    list.findIndex((one) => one.key === key);
  return {
    rows,
    columns,
    cells: [...sums.values()]
      .map(({ row, column, right, wrong }) => ({
        row: at(rows, row),
        column: at(columns, column),
        n: right + wrong,
        right: right >= wrong,
      }))
      .toSorted((a, b) => a.row - b.row || a.column - b.column),
    n: counted.reduce((sum, { n }) => sum + n, 0),
    left: names.length - shown.size,
    others: OTHERS,
  };
}

/** Names by how often they occur on either side. */
function frequent(cells: readonly ConfusionCell[]): string[] {
  const totals = new Map<string, number>();
  for (const { gold, predicted, n } of cells)
    for (const name of new Set([gold, predicted])) if (name !== null) totals.set(name, (totals.get(name) ?? 0) + n);
  return [...totals].sort(([a, x], [b, y]) => y - x || compareText(a, b)).map(([name]) => name);
}

function namesOf(
  order: readonly string[],
  sums: readonly { readonly row: string; readonly column: string; readonly right: number; readonly wrong: number }[],
  side: 'row' | 'column',
): (Name & { readonly key: string })[] {
  return order.flatMap((key) => {
    const n = sums.filter((one) => one[side] === key).reduce((sum, { right, wrong }) => sum + right + wrong, 0);
    if (n === 0) return [];
    const value = key.startsWith('=') ? key.slice(1) : null;
    return { key, n, value, name: value ?? (key === OTHERS_KEY ? OTHERS : NOTHING) };
  });
}
