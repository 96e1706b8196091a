import { compareText } from '../../text/compare.ts';
import { count, percent } from '../../text/figures.ts';
import { shortCounts } from './calibration-figure.ts';
import { AXIS, COLOURS, PAPER } from './look.ts';
import type { Mark } from './marks.ts';
import { emptyPlot, nameAxis, plot, rowAxis } from './plot.ts';
import { singleLine } from './text-width.ts';

/** How often gold met a prediction; null: nothing on that side. */
export interface ConfusionCell {
  readonly gold: string | null;
  readonly predicted: string | null;
  readonly n: number;
  /** Whether that is right; if not given, equal names are. */
  readonly right?: boolean;
}

const LARGEST_CELL = 38;

/** Which name of gold met which predicted one: rows add up to gold, the darker the larger the share of the row. */
export function confusionFigure(cells: readonly ConfusionCell[], title: string, width?: number): string {
  const matrix = confusionMatrix(cells);
  const { rows, columns, n, left } = matrix;
  if (rows.length === 0)
    return emptyPlot({ width, id: 'confusion', title, why: 'there is nothing to count', notes: ['n = 0.'] });
  const notes = [
    `n = ${count(n)}. Rows: gold; columns: predicted. Blue is right, orange is not; the darker, the larger its share of the row.`,
    ...(left === 0 ? [] : [`The ${count(left)} least frequent names are together in “${OTHERS}”.`]),
  ];
  return plot({
    width,
    id: 'confusion',
    title,
    about: `${notes[0]!} ${matrix.cells.map(sentence).join(' ')}`,
    parts: [
      {
        height: (area) => rows.length * Math.min(LARGEST_CELL, area / columns.length),
        x: { ...nameAxis(columns), above: 'upright', most: LARGEST_CELL },
        y: { ...rowAxis(rows), title: 'gold ↓ predicted →' },
        marks: [...matrix.cells.map(cellMark), { mark: 'bar', fill: 'none', stroke: AXIS, width: 0.7, class: 'axis' }],
      },
    ],
    notes,
  });
}

function sentence({ gold, predicted, n, share, right }: MatrixCell): string {
  return `Gold ${singleLine(gold.name)}, predicted ${singleLine(predicted.name)}: ${count(n)} (${share} of the row), ${right ? 'right' : 'wrong'}.`;
}

/** So that the numbers stay readable on the darkest cell, on paper and on a dark screen. */
export const DARKEST = 0.6;

function cellMark(cell: MatrixCell): Mark {
  const { row, column, n, gold, predicted, right } = cell;
  const [x, y] = [
    [column - 0.5, column + 0.5],
    [row - 0.5, row + 0.5],
  ] as const;
  const fill = right ? COLOURS.blue : COLOURS.vermilion;
  const opacity = 0.06 + (DARKEST - 0.06) * (n / gold.n);
  return {
    mark: 'group',
    title: sentence(cell),
    class: right ? 'cell-good' : 'cell-bad',
    data: { gold: gold.value, predicted: predicted.value },
    marks: [
      { mark: 'bar', x, y, fill, opacity, stroke: PAPER, width: 0.7 },
      { mark: 'label', x: column, y: row, text: shortCounts(n), anchor: 'middle', width: { over: x } },
    ],
  };
}

interface MatrixName {
  readonly name: string;
  /** As the data has it; null for what stands for several names or for nothing. */
  readonly value: string | null;
  /** Of its row. */
  readonly n: number;
}

interface MatrixCell {
  readonly row: number;
  readonly column: number;
  readonly gold: MatrixName;
  readonly predicted: MatrixName;
  readonly n: number;
  readonly share: string;
  readonly right: boolean;
}

const MOST_NAMES = 12;
const OTHERS = 'others';
const NOTHING = '(nothing)';

/** Counts as a matrix of names, the most frequent first; the rest together, and nothing at the end. */
function confusionMatrix(cells: readonly ConfusionCell[]) {
  const occurring = cells.filter(({ n }) => n > 0);
  const names = byFrequency(occurring);
  const shown = names.slice(0, names.length > MOST_NAMES ? MOST_NAMES - 1 : MOST_NAMES);
  const places = new Map(shown.map((name, at) => [name, at]));
  const placeOf = (value: string | null): number =>
    value === null ? shown.length + 1 : (places.get(value) ?? shown.length);
  const size = shown.length + 2;
  const sums = Array.from({ length: size }, () => Array.from({ length: size }, () => ({ right: 0, wrong: 0 })));
  for (const { gold, predicted, n, right = gold === predicted } of occurring)
    sums[placeOf(gold)]![placeOf(predicted)]![right ? 'right' : 'wrong'] += n;
  const total = (all: readonly { readonly right: number; readonly wrong: number }[]): number =>
    all.reduce((sum, { right, wrong }) => sum + right + wrong, 0);
  const nameOf = (at: number): MatrixName => {
    const value = shown[at] ?? null;
    return { value, name: value ?? (at === shown.length ? OTHERS : NOTHING), n: total(sums[at]!) };
  };
  const all = sums.map((_, at) => at);
  const rows = all.filter((row) => total(sums[row]!) > 0);
  const columns = all.filter((column) => total(sums.map((row) => row[column]!)) > 0);
  return {
    rows: rows.map((row) => nameOf(row).name),
    columns: columns.map((column) => nameOf(column).name),
    cells: rows.flatMap((from, row) =>
      columns.flatMap((to, column): MatrixCell[] => {
        const { right, wrong } = sums[from]![to]!;
        const [n, gold] = [right + wrong, nameOf(from)];
        if (n === 0) return [];
        return [{ row, column, gold, predicted: nameOf(to), n, share: percent(n, gold.n), right: right >= wrong }];
      }),
    ),
    n: total(sums.flat()),
    left: names.length - shown.length,
  };
}

/** Names by how often they occur on either side. */
function byFrequency(cells: readonly ConfusionCell[]): string[] {
  const totals = new Map<string, number>();
  for (const { gold, predicted, n } of cells)
    for (const name of new Set([gold, predicted])) if (name !== null) totals.set(name, (totals.get(name) ?? 0) + n);
  return [...totals].sort(([a, x], [b, y]) => y - x || compareText(a, b)).map(([name]) => name);
}
