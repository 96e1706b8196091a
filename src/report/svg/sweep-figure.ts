import type { Sweep, SweepAxis, SweepDifference, SweepStretch, SweepValue } from '../../compare/sweep/sweep.ts';
import { improvement } from '../../measure/measure.ts';
import { plural, figure, levelText, signedFigure } from '../../text/figures.ts';
import { arrowLegend } from '../arrows.ts';
import { sweepSentences } from '../sweep-sentences.ts';
import { DARKEST } from './confusion-figure.ts';
import { SMALLEST } from './draw-mark.ts';
import { drawn, estimateText, leftOutNote, NO_CLAIM, rangeOf } from './estimate.ts';
import { COLOURS, GREY, INK, MOST_SERIES, PAPER, seriesLook, TEXT, WIDTH } from './look.ts';
import type { AreaMark, BarMark, LineMark, Mark, PointMark, Sign } from './marks.ts';
import { type Axis, emptyPlot, nameAxis, type Panel, type Plot, plot, rowAxis, valueAxis } from './plot.ts';
import { singleLine, textWidth } from './text-width.ts';
import { drawable, type Ends } from './ticks.ts';

/** Sentences below the figure; all of them are in its description. */
const SENTENCES = 3;

/** The first measure over one parameter as curves with their intervals, over two as a map of numbers. */
export function recipeSweepFigure(sweep: Sweep, width?: number): string {
  const { axes, measures, points, systems } = sweep;
  const measure = measures[0]!;
  const title = `${measure.name} over ${axes.map(({ path }) => path).join(' and ')}`;
  if (!points.some((point) => point.systems.some(([value]) => drawable(value!.value)))) {
    const notes = ['No interval, n = 0.', NO_CLAIM];
    const why = `${measure.name} has no value at any point`;
    return emptyPlot({ width, id: 'sweep', title, why, notes });
  }
  const sentences = sweepSentences(sweep);
  const [better = '↑ higher is better'] = arrowLegend([measure]);
  const shown = Math.min(systems.length, MOST_SERIES);
  return plot({
    width,
    id: 'sweep',
    title,
    about: `${sweep.recipe}, ${plural(points.length, 'point')}. ${sentences.join(' ')}`,
    parts: [
      ...(axes.length === 1 ? [curvePanel(sweep, shown)] : heatParts(sweep, width)),
      `${sweep.recipe}. ${better}.`,
    ],
    notes: [
      ...sentences.slice(0, SENTENCES),
      ...(axes.length === 1 ? [bandNote(sweep)] : []),
      ...leftOutNote(systems.length, shown, 'systems'),
    ],
  });
}

function bandNote({ points }: Sweep): string {
  const values = points.flatMap((point) => point.systems.map(([value]) => value!));
  const interval = values.find((value) => value.interval !== null)?.interval ?? null;
  if (interval === null) return 'No intervals.';
  return `Bands: ${levelText(interval.level)} intervals; n = ${rangeOf(values.map(({ n }) => n))}.`;
}

/** More signs than this make a line unreadable. */
const MOST_SIGNS = 41;

/** A curve a system; behind them where the conclusion holds, or what is not distinguished from the best. */
function curvePanel(sweep: Sweep, shown: number): Panel {
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
  const look = { ...seriesLook(system), ...(systems.length > 1 ? { key: singleLine(systems[system]!.name) } : {}) };
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
  const [first, other] = systems.map(({ name }) => singleLine(name));
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

interface HeatCell {
  /** The number in full, and as short as possible. */
  readonly texts: readonly [string, string];
  readonly title: string;
  readonly colour: string;
  /** 0 to 1: how dark it is. */
  readonly share: number;
  readonly sign: (Sign & { readonly key: string }) | null;
}

const BEST = { shape: 'star', colour: COLOURS.vermilion, size: 2.8, key: 'the best' } as const;
const VERDICTS: Readonly<Partial<Record<SweepDifference['verdict'], HeatCell['sign']>>> = {
  better: { shape: 'up', colour: COLOURS.green, size: 2.8, key: 'shown to be better' },
  worse: { shape: 'down', colour: COLOURS.vermilion, size: 2.8, key: 'shown to be worse' },
};

/** A map of the first measure over two parameters; with several systems, of each one's difference from the first. */
function heatParts(sweep: Sweep, width: number = WIDTH): Plot['parts'] {
  const { systems } = sweep;
  if (systems.length === 1) return [heatPanel(sweep, valueCells(sweep), width)];
  return systems
    .slice(1)
    .flatMap(({ name }, at) => [
      `${singleLine(name)} minus ${singleLine(systems[0]!.name)}`,
      heatPanel(sweep, differenceCells(sweep, at + 1), width),
    ]);
}

function valueCells({ points, systems }: Sweep): HeatCell[] {
  const values = points.map((point) => point.systems[0]![0]!);
  const numbers = values.map(({ value }) => value).filter(drawable);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const best = systems[0]!.best?.ties ?? [];
  return points.map((point, at) => {
    const { value } = values[at]!;
    const title = `${point.set.join(', ')}: ${estimateText(values[at]!)}`;
    if (!drawable(value)) return emptyCell(title);
    const share = high === low ? 0.5 : (value - low) / (high - low);
    const sign = best.includes(at) ? BEST : null;
    return { texts: [figure(value), hundredths(value)], title, colour: COLOURS.blue, share, sign };
  });
}

function differenceCells({ points, measures }: Sweep, system: number): HeatCell[] {
  const { name } = measures[0]!;
  const all = points.map(({ differences }) => differences.find((one) => one.system === system && one.name === name));
  const most = Math.max(...all.map((one) => Math.abs(one?.difference ?? 0)));
  return points.map((point, at) => {
    const one = all[at];
    const result = one === undefined ? 'no value' : `${signedFigure(one.difference)}, ${one.verdict}`;
    const title = `${point.set.join(', ')}: ${result}`;
    if (one === undefined || !drawable(one.difference)) return emptyCell(title);
    const isAhead = improvement(one, one.baseline ?? 0, one.other ?? 0) > 0;
    return {
      texts: [signedFigure(one.difference), `${one.difference > 0 ? '+' : ''}${hundredths(one.difference)}`],
      title,
      colour: isAhead ? COLOURS.blue : COLOURS.vermilion,
      share: most === 0 ? 0 : Math.abs(one.difference) / most,
      sign: VERDICTS[one.verdict] ?? null,
    };
  });
}

function emptyCell(title: string): HeatCell {
  return { texts: ['–', '–'], title, colour: GREY, share: 0, sign: null };
}

const OWN_EDGE = { fill: 'none', stroke: INK, width: 1.5, inset: 1, class: 'own', key: 'the recipe as it is' };

function heatPanel({ axes, own }: Sweep, cells: readonly HeatCell[], width: number): Panel {
  const [across, down] = [axes[0]!, axes[1]!];
  const boxOf = (point: number) => {
    const [column, row] = [point % across.texts.length, Math.floor(point / across.texts.length)];
    return { x: [column - 0.5, column + 0.5], y: [row - 0.5, row + 0.5] } as const;
  };
  // One form for all cells: the longer one if it fits everywhere.
  const cellRoom = (width - 120) / across.texts.length;
  const form = cells.every(({ texts: [whole] }) => textWidth(whole, TEXT) <= cellRoom) ? 0 : 1;
  const isNarrow = cells.some(({ texts: [, short] }) => textWidth(short, SMALLEST) > cellRoom);
  const title = `rows: ${down.path}; columns: ${across.path}${isNarrow ? '; there is no room for the numbers' : ''}`;
  return {
    height: down.texts.length * 32,
    room: { right: 0 },
    x: { ...nameAxis(across.texts), above: 'level' },
    y: { ...rowAxis(down.texts), title },
    marks: [
      ...cells.flatMap((cell, point) => cellMarks(cell, cell.texts[form], boxOf(point), point)),
      ...(own.point === null ? [] : [{ mark: 'bar', ...boxOf(own.point), ...OWN_EDGE } as const]),
    ],
  };
}

function cellMarks({ title, colour, share, sign }: HeatCell, text: string, box: Box, point: number): Mark[] {
  const look = { fill: colour, opacity: 0.06 + (DARKEST - 0.06) * share, stroke: PAPER, width: 0.7 };
  const [x, y] = [(box.x[0] + box.x[1]) / 2, (box.y[0] + box.y[1]) / 2];
  return [
    { mark: 'bar', ...box, ...look, title, class: 'cell', data: { point: String(point) } },
    { mark: 'label', x, y, dy: 5, text, anchor: 'middle', width: { over: box.x } },
    ...(sign === null ? [] : [{ mark: 'point', x, y, dy: -9, ...sign } as const]),
  ];
}

type Box = Required<Pick<BarMark, 'x' | 'y'>>;

/** In hundredths, without the 0 before the point: `.81`. */
function hundredths(value: number): string {
  return Math.abs(value) < 10 ? value.toFixed(2).replace(/^(-?)0\./, '$1.') : figure(value);
}
