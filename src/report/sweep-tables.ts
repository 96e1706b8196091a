import type { Sweep, SweepDifference, SweepPoint, SweepValue } from '../compare/sweep/sweep.ts';
import { count, endFigure, figure, NONE, signedFigure } from '../text/figures.ts';
import { COMPARISON_LOOKS } from './comparison-words.ts';
import { prose } from './prose.ts';
import type { Style } from './style.ts';
import { CURVE, curveEnds, curveRow } from './sweep-curve.ts';
import { pointText } from './sweep-places.ts';
import { type Cell, type Column, type Piece, tableLines } from './table.ts';

/** Stands before the recipe's own value. */
export const OWN_MARK = '▸';

const RIGHT = 'right' as const;
/** Columns of a curve that stands beside two systems. */
const NARROW = 18;

interface Row {
  /** Null: the recipe as it stands, where it is no point. */
  readonly point: number | null;
  readonly name: Piece;
  readonly systems: SweepPoint['systems'];
}

/** The points of the only axis, with the recipe's own value where it lies among them. */
function rowsOf(sweep: Sweep): Row[] {
  const { points, own, axes } = sweep;
  const rows = points.map((point, at): Row => ({
    point: at,
    name: { text: `${point.own ? OWN_MARK : ' '} ${pointText(sweep, at)}`, tone: point.own ? 'strong' : null },
    systems: point.systems,
  }));
  const axis = axes[0]!;
  if (own.point !== null || axis.own === null) return rows;
  const { value, text } = axis.own;
  const after = axis.numeric && typeof value === 'number' ? axis.values.findIndex((one) => Number(one) > value) : -1;
  const row: Row = { point: null, name: { text: `${OWN_MARK} ${text}`, tone: 'strong' }, systems: own.systems };
  return after === -1 ? [...rows, row] : rows.toSpliced(after, 0, row);
}

/** One system over one parameter: a row a value, with the curve beside it. */
export function valueTable(sweep: Sweep, style: Style): string[] {
  const { axes, measures, points, systems } = sweep;
  const first = [...points, sweep.own].map((point) => point.systems[0]![0]!);
  const ends = curveEnds(first);
  const best = systems[0]!.best?.ties ?? [];
  const columns: Column[] = [
    { title: `  ${axes[0]!.path}`, shrinks: true },
    { title: measures[0]!.name, align: RIGHT },
    { title: 'interval', align: 'left' },
    { title: ends === null ? '' : `${figure(ends[0]).padEnd(CURVE - figure(ends[1]).length)}${figure(ends[1])}` },
    ...measures.slice(1).map(({ name }, at) => ({ title: name, align: RIGHT, drop: at + 1 })),
    { title: 'n', align: RIGHT, drop: measures.length + 1 },
  ];
  const rows = rowsOf(sweep).map(({ point, name, systems: [values] }): Cell[] => {
    const [value, ...rest] = values!;
    return [
      name,
      { text: valueText(value!), tone: best.includes(point ?? -1) ? 'good' : null },
      { text: intervalText(value!), tone: 'quiet' },
      ends === null ? '' : curveRow(value!, ends),
      ...rest.map((one): Cell => ({ text: valueText(one) })),
      { text: count(value!.n), tone: 'quiet' },
    ];
  });
  return tableLines(columns, rows, style);
}

/** One system beside the first over one parameter. */
export function differenceTable(sweep: Sweep, system: number, style: Style): string[] {
  const { axes, systems, tests } = sweep;
  return (tests?.measures ?? []).flatMap((name, nth) => {
    const found = sweep.points.map(({ differences }) =>
      differences.find((one) => one.system === system && one.name === name),
    );
    const curves = found.map((one) => ({ value: one?.difference ?? null, interval: one?.interval ?? null }));
    const ends = curveEnds(curves, [0]);
    const columns: Column[] = [
      { title: `  ${axes[0]!.path}`, shrinks: true },
      { title: systems[0]!.name, align: RIGHT, shrinks: true },
      { title: systems[system]!.name, align: RIGHT, shrinks: true },
      { title: 'diff.', align: RIGHT },
      { title: 'interval' },
      { title: '' },
      { title: ends === null ? '' : `${endFigure(ends[0]).padEnd(NARROW - 6)}${endFigure(ends[1])}`, drop: 1 },
    ];
    const place = sweep.measures.findIndex((measure) => measure.name === name);
    const rows = rowsOf(sweep).map(({ point, name: text, systems: values }): Cell[] => {
      const pair = [text, valueText(values[0]![place]!), valueText(values[system]![place]!)];
      if (point === null) return [...pair, '', { text: 'not compared', tone: 'quiet' }];
      const one = found[point];
      const look = COMPARISON_LOOKS[one?.verdict ?? 'too little data'];
      return [
        ...pair,
        signedFigure(one?.difference ?? null),
        { text: differenceInterval(one), tone: 'quiet' },
        { text: look.symbol, tone: look.tone },
        ends === null ? '' : curveRow(curves[point]!, ends, NARROW, true),
      ];
    });
    const head = prose(`${name}; diff. is ${systems[system]!.name} minus ${systems[0]!.name}`, style, '', '', 'strong');
    return [...(nth === 0 ? [] : ['']), ...head, ...tableLines(columns, rows, style)];
  });
}

export function valueText({ value }: SweepValue): string {
  return value === null ? NONE : figure(value);
}

export function intervalText({ interval }: SweepValue): string {
  return interval === null ? NONE : `${figure(interval.low)} to ${figure(interval.high)}`;
}

export function differenceInterval(one: SweepDifference | undefined): string {
  return one === undefined || one.interval === null
    ? NONE
    : `${endFigure(one.interval.low)} to ${endFigure(one.interval.high)}`;
}
