import { thresholdOf } from '../compare/compare-verdict.ts';
import type { ComparisonVerdict } from '../compare/comparison.ts';
import type { Sweep, SweepDifference, SweepPoint } from '../compare/sweep/sweep.ts';
import { count, endFigure, figure, NONE, pText, signedFigure } from '../text/figures.ts';
import { arrow } from './arrows.ts';
import { COMPARISON_LOOKS } from './comparison-words.ts';
import { type Column, type FilledColumn, filledTable, type Piece, quiet, type Table, type Text } from './document.ts';
import { figureOrNone, rangeText } from './value-text.ts';

/** Beside the recipe's own value. */
export const RECIPE_MARK = '◂';
export const BEST_MARK = '★';

const right = { align: 'right' } as const;
/** Of a curve beside two systems. */
const NARROW = 18;

interface PointRow {
  /** Null: the recipe as it is, if that is none of the points. */
  readonly point: number | null;
  readonly isOwn: boolean;
  /** The value on each axis. */
  readonly texts: readonly string[];
  readonly systems: SweepPoint['systems'];
}

/** The points, with the recipe as it is: along one axis it is in its place. */
function pointRows({ points, own, axes }: Sweep): PointRow[] {
  const rows = points.map(({ at, own: isOwn, systems }, point): PointRow => {
    return { point, isOwn, texts: at.map((place, axis) => axes[axis]!.texts[place]!), systems };
  });
  const values = axes.flatMap((axis) => axis.own ?? []);
  if (own.point !== null || values.length < axes.length) return rows;
  const row = { point: null, isOwn: true, texts: values.map(({ text }) => text), systems: own.systems };
  const [axis, { value }] = [axes[0]!, values[0]!];
  const isPlaced = axes.length === 1 && axis.numeric && typeof value === 'number';
  const after = isPlaced ? axis.values.findIndex((other) => Number(other) > value) : -1;
  return after === -1 ? [...rows, row] : rows.toSpliced(after, 0, row);
}

function axisColumns({ axes }: Sweep): FilledColumn<PointRow>[] {
  return axes.map(({ path }, axis) => [
    { title: path, shrinks: true },
    ({ texts, isOwn }) => ({
      text: axis === 0 ? marked(texts[axis]!, isOwn) : texts[axis]!,
      tone: isOwn ? 'strong' : null,
    }),
  ]);
}

function marked(text: string, isOwn: boolean): string {
  return isOwn ? `${text} ${RECIPE_MARK}` : text;
}

/** A row for each point and system; a terminal has a curve, and intervals of the first measure only. */
export function valueTable(sweep: Sweep): Table {
  const { measures, points, systems } = sweep;
  const curve = curveOf(
    [...points, sweep.own].map((point) => point.systems[0]![0]!),
    (end) => figure(end),
  );
  const rows = pointRows(sweep).flatMap((row) =>
    row.systems.map((values, at) => ({ ...row, values, system: systems[at]! })),
  );
  type Columns = FilledColumn<(typeof rows)[number]>[];
  const named: Columns = [[{ title: 'system' }, ({ system }) => system.name]];
  const drawn: Columns = [[{ title: curve.title, on: 'terminal' }, ({ values }) => curve.row(values[0]!)]];
  return filledTable(
    [
      ...axisColumns(sweep),
      ...(systems.length > 1 ? named : []),
      ...measures.flatMap((measure, at): Columns => {
        const isFirst = at === 0;
        const onPage = isFirst ? {} : ({ on: 'page' } as const);
        return [
          [
            { title: `${measure.name} ${arrow(measure)}`, ...right, drop: at },
            ({ values, system, point }) => {
              const isBest = isFirst && point !== null && system.best?.ties.includes(point) === true;
              return { text: figureOrNone(values[at]!.value), tone: isBest ? 'good' : null };
            },
          ],
          [{ title: 'interval', ...onPage }, ({ values }) => quiet(rangeText(values[at]!.interval))],
          ...(isFirst ? drawn : []),
          [{ title: 'n', ...right, drop: measures.length, ...onPage }, ({ values }) => quiet(count(values[at]!.n))],
        ];
      }),
    ],
    rows,
  );
}

/** One system beside the first: values and their difference, with its test on a page and its curve on a terminal. */
export function differenceTable(sweep: Sweep, system: number, name: string): Table {
  const { systems, measures, tests } = sweep;
  const alpha = thresholdOf(tests!.level);
  const place = measures.findIndex((measure) => measure.name === name);
  const rows = pointRows(sweep).map((row) => ({ ...row, difference: differenceAt(sweep, row.point, system, name) }));
  const curve = curveOf(
    rows.flatMap(({ difference }) => (difference === undefined ? [] : [curveValue(difference)])),
    endFigure,
    NARROW,
    true,
  );
  type Row = (typeof rows)[number];
  const compared = (cell: (difference: SweepDifference) => Text, none = ''): ((row: Row) => Text) => {
    return ({ difference }) => (difference === undefined ? quiet(none) : cell(difference));
  };
  return filledTable<Row>(
    [
      ...axisColumns(sweep),
      ...[0, system].map((at): FilledColumn<Row> => [
        { title: systems[at]!.name, ...right, shrinks: true },
        (row) => figureOrNone(row.systems[at]![place]!.value),
      ]),
      [{ title: 'diff.', ...right }, compared(({ difference }) => signedFigure(difference))],
      [{ title: 'interval' }, compared(({ interval }) => quiet(rangeText(interval, endFigure)), 'not compared')],
      [{ title: 'p', ...right, on: 'page' }, compared(({ permutation }) => pText(permutation.pValue, alpha))],
      [{ title: 'p Holm', ...right, on: 'page' }, compared(({ adjusted }) => pText(adjusted, alpha))],
      [{ title: 'verdict', on: 'page' }, compared(({ verdict }) => verdict)],
      [{ title: '', on: 'terminal' }, compared(({ verdict }) => withSymbol('', verdict))],
      [{ title: curve.title, drop: 1, on: 'terminal' }, compared((difference) => curve.row(curveValue(difference)))],
    ],
    rows,
  );
}

/** Undefined if a point is not among those compared, or its recipe lacks the measure. */
function differenceAt(
  { points }: Sweep,
  point: number | null,
  system: number,
  name: string,
): SweepDifference | undefined {
  return points[point ?? -1]?.differences.find((one) => one.system === system && one.name === name);
}

function curveValue({ difference, interval }: SweepDifference): CurveValue {
  return { value: difference, interval };
}

function withSymbol(text: string, verdict: ComparisonVerdict): Piece {
  const { symbol, tone } = COMPARISON_LOOKS[verdict];
  return { text: `${text} ${symbol}`.trim(), tone };
}

/** Values of the first measure over two parameters. */
export function valueGrid(sweep: Sweep): Table {
  const best = sweep.systems[0]!.best?.ties ?? [];
  return gridTable(sweep, (point) => {
    const text = figureOrNone(sweep.points[point]!.systems[0]![0]!.value);
    return best.includes(point) ? `${BEST_MARK}${text}` : text;
  });
}

/** Differences between a system and the first over two parameters. */
export function differenceGrid(sweep: Sweep, system: number, name: string): Table {
  return gridTable(sweep, (point) => {
    const found = differenceAt(sweep, point, system, name);
    return found === undefined ? NONE : withSymbol(signedFigure(found.difference), found.verdict);
  });
}

/** The first parameter across, the second down. */
function gridTable({ axes }: Sweep, cell: (point: number) => Text): Table {
  const [across, down] = [axes[0]!, axes[1]!];
  const width = across.texts.length;
  return {
    columns: [
      { title: down.path, shrinks: true },
      ...across.texts.map((text, at): Column => ({ title: marked(text, across.own?.at === at), ...right })),
    ],
    rows: down.texts.map((text, row) => [
      marked(text, down.own?.at === row),
      ...across.texts.map((_, at) => cell(row * width + at)),
    ]),
    remarks: [`${across.path} across, ${down.path} down`],
    continues: true,
  };
}

/** A value with its interval, or nothing. */
interface CurveValue {
  readonly value: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** Characters of a curve. */
const CURVE = 24;

interface Curve {
  /** The lowest value at the left and the highest at the right. */
  readonly title: string;
  readonly row: (value: CurveValue) => string;
}

/** A curve that runs downwards, over all values and intervals; empty if there is nothing to draw. */
function curveOf(all: readonly CurveValue[], endText: (end: number) => string, width = CURVE, zero = false): Curve {
  const numbers = all
    .flatMap(({ value, interval }) => (value === null ? [] : [value, interval?.low ?? value, interval?.high ?? value]))
    .concat(zero ? 0 : [])
    .filter(Number.isFinite);
  if (numbers.length === 0) return { title: '', row: () => '' };
  const low = numbers.reduce((a, b) => Math.min(a, b));
  const high = numbers.reduce((a, b) => Math.max(a, b));
  const title = `${endText(low).padEnd(width - endText(high).length)}${endText(high)}`;
  return { title, row: (value) => curveRow(value, [low, high], width, zero) };
}

/**
 * One row of a curve: the value within its interval, and a line where 0 is.
 *
 * @example curveRow({ value: 0.5, interval: { low: 0.25, high: 0.75 } }, [0, 1], 9) // '  ├─●─┤'
 */
export function curveRow(
  { value, interval }: CurveValue,
  [low, high]: readonly [number, number],
  width = CURVE,
  zero = false,
): string {
  if (value === null) return '';
  const at = (number: number): number =>
    high === low ? Math.floor(width / 2) : Math.round(((number - low) / (high - low)) * (width - 1));
  const cells = Array.from({ length: width }, () => ' ');
  if (zero) cells[at(0)] = '¦';
  if (interval !== null) {
    for (let column = at(interval.low); column <= at(interval.high); column += 1) cells[column] = '─';
    cells[at(interval.low)] = '├';
    cells[at(interval.high)] = '┤';
  }
  cells[at(value)] = '●';
  return cells.join('').trimEnd();
}
