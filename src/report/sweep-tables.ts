import { thresholdOf } from '../compare/compare-verdict.ts';
import type { Sweep, SweepDifference, SweepPoint, SweepValue } from '../compare/sweep/sweep.ts';
import { count, endFigure, figure, NONE, pText, signedFigure } from '../text/figures.ts';
import { arrow } from './arrows.ts';
import { COMPARISON_LOOKS } from './comparison-words.ts';
import type { Column, Piece, Table, Text } from './document.ts';
import { curveEnds, curveRow, curveScale } from './sweep-curve.ts';

/** Beside the recipe's own value. */
export const OWN_MARK = '◂';
export const BEST_MARK = '★';

const right = { align: 'right' } as const;
/** Of a curve beside two systems. */
const NARROW = 18;

/** A column and what it shows of a row. */
type Filled<Row> = readonly [Column, (row: Row) => Text];

function filledTable<Row>(columns: readonly Filled<Row>[], rows: readonly Row[]): Table {
  return {
    columns: columns.map(([column]) => column),
    rows: rows.map((row) => columns.map(([, cell]) => cell(row))),
  };
}

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

function axisColumns({ axes }: Sweep): Filled<PointRow>[] {
  return axes.map(({ path }, axis) => [
    { title: path, shrinks: true },
    ({ texts, isOwn }) => ({
      text: axis === 0 ? marked(texts[axis]!, isOwn) : texts[axis]!,
      tone: isOwn ? 'strong' : null,
    }),
  ]);
}

function marked(text: string, isOwn: boolean): string {
  return isOwn ? `${text} ${OWN_MARK}` : text;
}

/** A row for each point and system; a terminal has a curve, and intervals of the first measure only. */
export function valueTable(sweep: Sweep): Table {
  const { measures, points, systems } = sweep;
  const ends = curveEnds([...points, sweep.own].map((point) => point.systems[0]![0]!));
  const rows = pointRows(sweep).flatMap((row) =>
    row.systems.map((values, at) => ({ ...row, values, system: systems[at]! })),
  );
  type Row = (typeof rows)[number];
  const isBest = ({ point, system }: Row): boolean => system.best?.ties.includes(point ?? -1) === true;
  const columns: Filled<Row>[] = [
    ...axisColumns(sweep),
    ...(systems.length > 1 ? [[{ title: 'system' }, ({ system }) => system.name] satisfies Filled<Row>] : []),
    ...measures.flatMap((measure, at): Filled<Row>[] => {
      const isFirst = at === 0;
      return [
        [
          { title: `${measure.name} ${arrow(measure)}`, ...right, drop: at },
          (row) => ({ text: valueText(row.values[at]!), tone: isFirst && isBest(row) ? 'good' : null }),
        ],
        [{ title: 'interval', ...(isFirst ? {} : { on: 'page' }) }, ({ values }) => quiet(intervalText(values[at]!))],
        ...(isFirst && ends !== null
          ? [
              [
                { title: curveScale(ends.map((end) => figure(end))), on: 'terminal' },
                ({ values }) => curveRow(values[0]!, ends),
              ] satisfies Filled<Row>,
            ]
          : []),
        [
          { title: 'n', ...right, ...(isFirst ? { drop: measures.length } : { on: 'page' }) },
          ({ values }) => quiet(count(values[at]!.n)),
        ],
      ];
    }),
  ];
  return filledTable(columns, rows);
}

/** One system beside the first: values and their difference, with its test on a page and its curve on a terminal. */
export function differenceTable(sweep: Sweep, system: number, name: string): Table {
  const { systems, measures, tests, points } = sweep;
  const alpha = thresholdOf(tests!.level);
  const place = measures.findIndex((measure) => measure.name === name);
  const differences = points.map((_, point) => differenceAt(sweep, point, system, name));
  const curves = differences.map((one) => ({ value: one?.difference ?? null, interval: one?.interval ?? null }));
  const ends = curveEnds(curves, [0]);
  const compared =
    (cell: (difference: SweepDifference | undefined, point: number) => Text) =>
    ({ point }: PointRow): Text =>
      point === null ? '' : cell(differences[point], point);
  const columns: Filled<PointRow>[] = [
    ...axisColumns(sweep),
    ...[0, system].map((at): Filled<PointRow> => [
      { title: systems[at]!.name, ...right, shrinks: true },
      (row) => valueText(row.systems[at]![place]!),
    ]),
    [{ title: 'diff.', ...right }, compared((one) => signedFigure(one?.difference ?? null))],
    [
      { title: 'interval' },
      ({ point }) => quiet(point === null ? 'not compared' : differenceInterval(differences[point])),
    ],
    [{ title: 'p', ...right, on: 'page' }, compared((one) => pText(one?.permutation.pValue ?? null, alpha))],
    [{ title: 'p Holm', ...right, on: 'page' }, compared((one) => pText(one?.adjusted ?? null, alpha))],
    [{ title: 'verdict', on: 'page' }, compared((one) => one?.verdict ?? NONE)],
    [{ title: '', on: 'terminal' }, compared(verdictSymbol)],
    ...(ends === null
      ? []
      : [
          [
            { title: curveScale(ends.map(endFigure), NARROW), drop: 1, on: 'terminal' },
            compared((_, point) => curveRow(curves[point]!, ends, NARROW, true)),
          ] satisfies Filled<PointRow>,
        ]),
  ];
  return filledTable(columns, pointRows(sweep));
}

function differenceAt({ points }: Sweep, point: number, system: number, name: string): SweepDifference | undefined {
  return points[point]!.differences.find((one) => one.system === system && one.name === name);
}

function verdictSymbol(difference: SweepDifference | undefined): Piece {
  const { symbol, tone } = COMPARISON_LOOKS[difference?.verdict ?? 'too little data'];
  return { text: symbol, tone };
}

/** Values of the first measure over two parameters. */
export function valueGrid(sweep: Sweep): Table {
  const best = sweep.systems[0]!.best?.ties ?? [];
  return gridTable(sweep, (point) => {
    const text = valueText(sweep.points[point]!.systems[0]![0]!);
    return best.includes(point) ? `${BEST_MARK}${text}` : text;
  });
}

/** Differences between a system and the first over two parameters. */
export function differenceGrid(sweep: Sweep, system: number, name: string): Table {
  return gridTable(sweep, (point) => {
    const difference = differenceAt(sweep, point, system, name);
    const { text, tone = null } = verdictSymbol(difference);
    return { text: `${signedFigure(difference?.difference ?? null)} ${text}`, tone };
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
    continues: true,
  };
}

function quiet(text: string): Piece {
  return { text, tone: 'quiet' };
}

function valueText({ value }: SweepValue): string {
  return value === null ? NONE : figure(value);
}

function intervalText({ interval }: SweepValue): string {
  return interval === null ? NONE : `${figure(interval.low)} to ${figure(interval.high)}`;
}

function differenceInterval(one: SweepDifference | undefined): string {
  return one === undefined || one.interval === null
    ? NONE
    : `${endFigure(one.interval.low)} to ${endFigure(one.interval.high)}`;
}
