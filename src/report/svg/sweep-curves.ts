import type { Sweep, SweepAxis, SweepStretch, SweepValue } from '../../compare/sweep/sweep.ts';
import { drawn, estimateText } from './estimate.ts';
import { COLOURS, INK, seriesLook } from './look.ts';
import type { AreaMark, LineMark, Mark, PointMark } from './marks.ts';
import { type Axis, nameAxis, type Panel, valueAxis } from './plot.ts';
import { oneLine } from './text-width.ts';
import { drawable, type Ends } from './ticks.ts';

/** More signs than this make a line unreadable. */
const MOST_SIGNS = 41;

/** A curve a system; behind them where the conclusion holds, or what is not distinguished from the best. */
export function curvePanel(sweep: Sweep, shown: number): Panel {
  const { systems, axes, points, measures } = sweep;
  const axis = placedAxis(axes[0]!);
  const series = systems.slice(0, shown).map((_, system) => points.map((point) => point.systems[system]![0]!));
  const values = series.flat().flatMap((one) => {
    const { value, interval } = drawn(one) ?? {};
    return [value, interval?.low, interval?.high].filter((number) => number !== undefined);
  });
  const [least, most] = measures[0]!.range;
  const best = shown > 1 ? null : systems[0]!.best;
  return {
    height: 160,
    room: shown > 1 ? { top: 18 } : {},
    x: { ...axis, title: axes[0]!.path },
    y: { ...valueAxis(values, 5, [least ?? -Infinity, most ?? Infinity]), grid: true },
    marks: [
      ...(best === null ? [] : plateauMarks(best.alike ?? [], axis)),
      ...stretchMarks(sweep, axis),
      ...ownMarks(axes[0]!, axis),
      ...series.flatMap((one, at) => curveMarks(sweep, one, at, axis)),
      ...(best === null ? [] : [bestMark(sweep, best, axis)]),
    ],
  };
}

/** Numbers are at their distances, other values side by side. */
function placedAxis({ numeric, values, texts }: SweepAxis): Axis {
  const names = texts.map((text) => (text.length > 14 ? `${text.slice(0, 14)}…` : text));
  const numbers = numeric ? values.map(Number) : [];
  if (numbers.length < 2 || !numbers.every(drawable)) return nameAxis(names);
  const ticks = numbers.map((value, at) => ({ value, text: names[at]! }));
  return { ends: [numbers[0]!, numbers.at(-1)!], ticks, inset: 10 };
}

/** The value that the recipe has without the sweep. */
function ownMarks({ own }: SweepAxis, { ticks, ends, inset }: Axis): Mark[] {
  const isNumber = inset !== undefined && typeof own?.value === 'number';
  const x = own?.at != null ? ticks[own.at]!.value : isNumber ? own.value : null;
  if (own === null || x === null || x < Math.min(...ends) || x > Math.max(...ends)) return [];
  return [{ mark: 'rule', x, colour: INK, dashes: '2 2', class: 'own', key: `the recipe’s value, ${own.text}` }];
}

/** Of the values from one place to another: to half way to their neighbours. */
function stretch({ ticks }: Axis, from: number, to: number): Ends {
  const edge = (place: number): number => (ticks[place - 1]!.value + ticks[place]!.value) / 2;
  return [from === 0 ? -Infinity : edge(from), to === ticks.length - 1 ? Infinity : edge(to + 1)];
}

function plateauMarks(alike: readonly number[], axis: Axis): Mark[] {
  const look = { fill: COLOURS.blue, opacity: 0.09, class: 'plateau', key: 'not distinguished from the best' };
  return alike.map((at) => ({ mark: 'bar', x: stretch(axis, at, at), ...look }));
}

/** The intervals as an area, the values as a line; a point that lacks them leaves a gap. */
function curveMarks(
  { points, systems }: Sweep,
  values: readonly SweepValue[],
  system: number,
  { ticks }: Axis,
): Mark[] {
  const look = { ...seriesLook(system), ...(systems.length > 1 ? { key: oneLine(systems[system]!.name) } : {}) };
  const shown = values.map(drawn);
  const isAlone = (at: number): boolean => (shown[at - 1] ?? null) === null && (shown[at + 1] ?? null) === null;
  const band: AreaMark['points'] = shown.map((one, at) =>
    one?.interval ? [ticks[at]!.value, one.interval.low, one.interval.high] : null,
  );
  const line: LineMark['points'] = shown.map((one, at) => (one === null ? null : [ticks[at]!.value, one.value]));
  const signs = shown.flatMap((one, at): PointMark[] => {
    if (one === null || (values.length > MOST_SIGNS && !isAlone(at))) return [];
    const title = `${points[at]!.set.join(', ')}: ${estimateText(values[at]!)}`;
    return [{ mark: 'point', x: ticks[at]!.value, y: one.value, ...look, size: 2.6, title }];
  });
  return [
    { mark: 'area', points: band, colour: look.colour, opacity: 0.15, class: 'band' },
    { mark: 'line', points: line, ...look, class: 'curve' },
    ...signs,
  ];
}

function bestMark({ points }: Sweep, best: { readonly point: number; readonly value: number }, { ticks }: Axis): Mark {
  const look = { shape: 'star', colour: COLOURS.vermilion, rim: INK, size: 4, key: 'best' } as const;
  const title = `best: ${points[best.point]!.set.join(', ')}`;
  return { mark: 'point', x: ticks[best.point]!.value, y: best.value, ...look, title };
}

/** Of two systems: which is better where, in the colour of its line. */
function stretchMarks({ flips, measures, systems }: Sweep, axis: Axis): Mark[] {
  const [first, other] = systems.map(({ name }) => oneLine(name));
  const looks = {
    better: { fill: seriesLook(1).colour, opacity: 0.14, class: 'flip-better', key: `${other ?? ''} better` },
    worse: { fill: seriesLook(0).colour, opacity: 0.14, class: 'flip-worse', key: `${first!} better` },
    'too little data': { fill: INK, opacity: 0.06, class: 'flip-too-little-data', key: '? too little data' },
  };
  const sign = ({ verdict }: SweepStretch, x: number): Mark =>
    verdict === 'too little data'
      ? { mark: 'label', x, y: Infinity, dy: -8, text: '?', anchor: 'middle' }
      : {
          mark: 'point',
          x,
          y: Infinity,
          dy: -7,
          shape: verdict === 'better' ? 'up' : 'down',
          colour: INK,
          title: verdict,
        };
  const flip = flips.find(({ system, measure }) => system === 1 && measure === measures[0]!.name);
  return (systems.length === 2 ? (flip?.stretches ?? []) : []).flatMap((one): Mark[] => {
    if (one.verdict === 'no difference shown') return [];
    const x = stretch(axis, one.from, one.to);
    const middle = (Math.max(x[0], axis.ends[0]) + Math.min(x[1], axis.ends[1])) / 2;
    return [{ mark: 'bar', x, ...looks[one.verdict] }, sign(one, middle)];
  });
}
