import type { Sweep, SweepStretch, SweepValue } from '../../compare/sweep/sweep.ts';
import { type Area, BELOW, bottomAxis, leftAxis, widthOfTicks } from './axes.ts';
import { coordinate } from './coordinate.ts';
import { drawn, estimateText, extent } from './estimate.ts';
import type { Block } from './frame.ts';
import { label } from './label.ts';
import { type LegendEntry, legendBlock, lineEntry, lineStyle } from './legend.ts';
import { marker } from './marker.ts';
import { element, type Markup } from './markup.ts';
import { INK, LINE, MARGIN, PAPER, WIDTH } from './paper.ts';
import { linearScale, type Scale } from './scale.ts';
import { COLOURS, seriesStyle } from './series-style.ts';
import { type PlacedAxis, placedAxis } from './sweep-axis.ts';
import { ticksOver, tickText } from './ticks.ts';
import { oneLine } from './text-width.ts';

const HEIGHT = 190;
/** More signs than this make a line unreadable. */
const MOST_SIGNS = 41;
const PLATEAU = { fill: '#e8eff5' };
/** Where a system is better the ground has the colour of its own line, faintly. */
const SHADES = {
  better: { fill: seriesStyle(1).colour, 'fill-opacity': 0.14 },
  worse: { fill: seriesStyle(0).colour, 'fill-opacity': 0.14 },
  'no difference shown': { fill: PAPER },
  'too little data': { fill: '#f3f3f3' },
} as const;

/** A curve a system; behind them where the conclusion holds, or what cannot be told from the best. */
export function curveBlocks(sweep: Sweep, shown: number): Block[] {
  const { systems, axes } = sweep;
  const names = systems.slice(0, shown).map(({ name }) => oneLine(name));
  const several = names.length > 1;
  const entries: LegendEntry[] = several
    ? [...names.map((name, at) => lineEntry(name, at)), ...shadeEntries(sweep)]
    : [
        ...(systems[0]!.best === null ? [] : [bestEntry()]),
        ...(systems[0]!.best?.alike == null ? [] : [shadeEntry('not told from the best', PLATEAU, 'plateau')]),
      ];
  return [
    legendBlock(entries),
    { height: HEIGHT, content: plot(sweep, shown) },
    ...(axes[0]!.own === null ? [] : [legendBlock([ownEntry(axes[0]!.own.text)])]),
  ];
}

function plot(sweep: Sweep, shown: number): Markup[] {
  const { points, measures, axes, systems } = sweep;
  const measure = measures[0]!;
  const series = systems.slice(0, shown).map((_, system) => points.map((point) => point.systems[system]![0]!));
  const [least, most] = measure.range;
  const yTicks = ticksOver(extent(series.flat().map(drawn)), 5, [least ?? -Infinity, most ?? Infinity]);
  const ticks = yTicks.values.map((value) => ({ value, text: tickText(value, yTicks.step) }));
  const area: Area = {
    left: MARGIN + widthOfTicks(ticks),
    right: WIDTH - MARGIN - 8,
    top: shown > 1 ? 2 + LINE : 8,
    bottom: HEIGHT - BELOW,
  };
  const axis = placedAxis(axes[0]!, area.left, area.right);
  const y = linearScale(yTicks.ends, [area.bottom, area.top]);
  return [
    ...(shown > 1 ? flipShades(sweep, axis, area) : plateauShades(sweep, axis, area)),
    ...leftAxis(area, y, ticks),
    ...bottomAxis(area, axis.scale, axis.ticks, axes[0]!.path),
    ...ownLine(axis, area),
    ...series.flatMap((values, at) => band(values, at, axis.at, y)),
    ...series.flatMap((values, at) => curve(sweep, values, at, axis.at, y)),
    ...(shown > 1 ? [] : bestSign(sweep, axis.at, y)),
  ];
}

/** The intervals as an area; a point without one leaves a gap. */
function band(values: readonly SweepValue[], system: number, x: Scale, y: Scale): Markup[] {
  const { colour } = seriesStyle(system);
  return runsOf(values.map((value) => drawn(value)?.interval ?? null)).map((run) => {
    const high = run.map(({ at, found }) => `${coordinate(x(at))} ${coordinate(y(found.high))}`);
    const low = run.map(({ at, found }) => `${coordinate(x(at))} ${coordinate(y(found.low))}`).reverse();
    const d = `M${[...high, ...low].join('L')}Z`;
    return element('path', { d, fill: colour, opacity: '0.15', class: 'band', 'data-system': String(system) });
  });
}

function curve(sweep: Sweep, values: readonly SweepValue[], system: number, x: Scale, y: Scale): Markup[] {
  const style = seriesStyle(system);
  const places = values.map((value) => drawn(value)?.value ?? null);
  const lines = runsOf(places)
    .filter((run) => run.length > 1)
    .map((run) => {
      const d = `M${run.map(({ at, found }) => `${coordinate(x(at))} ${coordinate(y(found))}`).join('L')}`;
      return element('path', { d, ...lineStyle(style), class: 'curve' });
    });
  const isAlone = (at: number): boolean => (places[at - 1] ?? null) === null && (places[at + 1] ?? null) === null;
  const signs = places.flatMap((value, at) => {
    if (value === null || (values.length > MOST_SIGNS && !isAlone(at))) return [];
    const title = `${sweep.points[at]!.set.join(', ')}: ${estimateText(values[at]!)}`;
    return [marker(style.shape, x(at), y(value), 2.2, style, title)];
  });
  return [...lines, ...signs];
}

/** Neighbours that are there. */
function runsOf<T>(all: readonly (T | null)[]): { readonly at: number; readonly found: T }[][] {
  const runs: { at: number; found: T }[][] = [];
  let open = false;
  for (const [at, found] of all.entries()) {
    if (found !== null) {
      if (open) runs.at(-1)!.push({ at, found });
      else runs.push([{ at, found }]);
    }
    open = found !== null;
  }
  return runs;
}

function bestSign({ systems, points }: Sweep, x: Scale, y: Scale): Markup[] {
  const best = systems[0]?.best ?? null;
  if (best === null) return [];
  const title = `best: ${points[best.point]!.set.join(', ')}`;
  return [marker('star', x(best.point), y(best.value), 4.5, { colour: COLOURS.vermilion, rim: INK }, title)];
}

function plateauShades({ systems }: Sweep, axis: PlacedAxis, area: Area): Markup[] {
  const alike = systems[0]?.best?.alike ?? [];
  const marks = axis.texts.map((_, at) => (alike.includes(at) ? true : null));
  return runsOf(marks).map((run) => shade(axis, area, run[0]!.at, run.at(-1)!.at, PLATEAU, 'plateau'));
}

/** Of two systems: who is shown to be better where. */
function flipShades({ flips, measures, systems }: Sweep, axis: PlacedAxis, area: Area): Markup[] {
  const own = flips.find(({ system, measure }) => system === 1 && measure === measures[0]!.name);
  if (systems.length > 2 || own === undefined) return [];
  return own.stretches.flatMap((stretch) => [
    shade(
      axis,
      area,
      stretch.from,
      stretch.to,
      SHADES[stretch.verdict],
      `flip-${stretch.verdict.replaceAll(' ', '-')}`,
    ),
    ...stretchSign(stretch, axis, area),
  ]);
}

function stretchSign({ verdict, from, to }: SweepStretch, axis: PlacedAxis, area: Area): Markup[] {
  const x = (axis.edge(from) + axis.edge(to + 1)) / 2;
  if (verdict === 'better') return [marker('up', x, area.top - 5, 2.8, { colour: INK }, verdict)];
  if (verdict === 'worse') return [marker('down', x, area.top - 5, 2.8, { colour: INK }, verdict)];
  return verdict === 'too little data' ? [label(x, area.top - 2, '?', { anchor: 'middle' })] : [];
}

type Look = Readonly<Record<string, string | number>>;

function shade(axis: PlacedAxis, area: Area, from: number, to: number, look: Look, name: string): Markup {
  const x = axis.edge(from);
  const place = { x, y: area.top, width: axis.edge(to + 1) - x, height: area.bottom - area.top };
  return element('rect', { ...place, ...look, class: name });
}

const OWN_LINE = { stroke: INK, 'stroke-width': 0.9, 'stroke-dasharray': '2 2', class: 'own' };

function ownLine({ own }: PlacedAxis, area: Area): Markup[] {
  return own === null ? [] : [element('line', { x1: own, y1: area.top, x2: own, y2: area.bottom, ...OWN_LINE })];
}

function ownEntry(text: string): LegendEntry {
  const sample = element('line', { x1: 0, y1: -5, x2: 0, y2: 5, ...OWN_LINE });
  return { name: `the recipe’s own value, ${text}`, wide: 8, sample };
}

function bestEntry(): LegendEntry {
  return { name: 'best', wide: 12, sample: marker('star', 0, 0, 4, { colour: COLOURS.vermilion, rim: INK }) };
}

function shadeEntry(name: string, look: Look, cls: string): LegendEntry {
  const sample = element('rect', {
    x: -6,
    y: -5,
    width: 12,
    height: 10,
    ...look,
    stroke: INK,
    'stroke-width': 0.3,
    class: cls,
  });
  return { name, wide: 12, sample };
}

function shadeEntries({ systems, flips, measures }: Sweep): LegendEntry[] {
  if (systems.length > 2) return [];
  const found = new Set(
    flips
      .filter(({ measure }) => measure === measures[0]!.name)
      .flatMap(({ stretches }) => stretches.map(({ verdict }) => verdict)),
  );
  const [first, other] = systems.map(({ name }) => oneLine(name));
  return [
    ...(found.has('better') ? [shadeEntry(`${other!} better`, SHADES.better, 'flip-better')] : []),
    ...(found.has('worse') ? [shadeEntry(`${first!} better`, SHADES.worse, 'flip-worse')] : []),
    ...(found.has('too little data')
      ? [shadeEntry('? too little data', SHADES['too little data'], 'flip-too-little-data')]
      : []),
  ];
}
