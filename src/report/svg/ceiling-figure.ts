import type { Ceiling } from '../../figures/run-figures.ts';
import { CEILING_MEANINGS } from '../figure-tables.ts';
import { count, counted } from '../../text/figures.ts';
import { type Area, BELOW, bottomAxis } from './axes.ts';
import { type Drawn, drawn, type Estimate, estimateText, extent } from './estimate.ts';
import { type Block, svgFigure, textBlock } from './frame.ts';
import { intervalBar } from './interval-bar.ts';
import { label } from './label.ts';
import { marker, type Shape } from './marker.ts';
import { element, type Markup } from './markup.ts';
import { AXIS, GRID, INK, MARGIN, TEXT, WIDTH } from './paper.ts';
import { linearScale } from './scale.ts';
import { COLOURS } from './series-style.ts';
import { intervalNote } from './small-print.ts';
import { oneLine, textWidth } from './text-width.ts';
import { ticksOver, tickText } from './ticks.ts';

const MOST_PEOPLE = 12;
const ROW = 18;
const NAMES = 96;

interface Row {
  readonly name: string;
  readonly estimate: Estimate;
  readonly shape: Shape;
  readonly colour: string;
  readonly strong: boolean;
}

/** The system among the people who made the gold, each against the others’ gold. */
export function ceilingFigure(ceiling: Ceiling): string {
  const { measure, human, system, cases } = ceiling;
  const title = `The system among people: ${measure}`;
  const verdict = CEILING_MEANINGS[ceiling.verdict];
  const people = ceiling.people
    .slice(0, MOST_PEOPLE)
    .map(({ name, value, n, interval }) =>
      row(
        oneLine(name),
        { value, undefined: value === null ? 'nothing to compare' : null, n, interval },
        'circle',
        AXIS,
      ),
    );
  const rows = [
    row('the system', { ...system, n: cases }, 'diamond', COLOURS.vermilion, true),
    row('people', { ...human, n: cases }, 'square', COLOURS.blue, true),
    ...people,
  ];
  const left = ceiling.people.length - people.length;
  const notes = [
    verdict,
    ceiling.about,
    ...(rows.some(({ estimate }) => estimate.interval !== null)
      ? [intervalNote(rows.map(({ estimate }) => estimate))]
      : []),
    ...(left === 0 ? [] : [`${counted(left, 'more person is', 'more people are')} not drawn.`]),
  ];
  const desc = [verdict, ...rows.map(({ name, estimate }) => `${name}: ${estimateText(estimate)}.`)];
  const values = extent(rows.map(({ estimate }) => drawn(estimate)));
  return svgFigure({
    id: 'ceiling',
    title,
    desc: desc.join(' '),
    blocks: [
      values.length === 0
        ? textBlock([`Nothing can be drawn: ${human.undefined ?? system.undefined ?? 'there are no values'}.`])
        : panel(rows, values, measure),
    ],
    notes: [
      ...notes,
      `n = ${counted(cases, 'case')}; ${count(ceiling.people.length)} people. The axis need not begin at 0.`,
    ],
  });
}

function row(name: string, estimate: Estimate, shape: Shape, colour: string, strong = false): Row {
  return { name, estimate, shape, colour, strong };
}

function panel(rows: readonly Row[], values: readonly number[], measure: string): Block {
  const ticks = ticksOver(values, 4, [0, 1]);
  const names = Math.min(NAMES, rows.reduce((most, { name }) => Math.max(most, textWidth(name, TEXT)), 0) + 8);
  const bottom = rows.length * ROW + 6;
  const area: Area = { left: MARGIN + names, right: WIDTH - MARGIN - 12, top: 2, bottom };
  const x = linearScale(ticks.ends, [area.left, area.right]);
  const human = drawn(rows[1]!.estimate);
  return {
    height: bottom + BELOW,
    content: [
      ...ticks.values.map((value) =>
        element('line', {
          x1: x(value),
          y1: area.top,
          x2: x(value),
          y2: bottom,
          stroke: GRID,
          'stroke-width': 0.7,
          class: 'grid',
        }),
      ),
      ...(human === null
        ? []
        : [
            element('line', {
              x1: x(human.value),
              y1: area.top,
              x2: x(human.value),
              y2: bottom,
              stroke: COLOURS.blue,
              'stroke-width': 1,
              'stroke-dasharray': '4 3',
            }),
          ]),
      ...rows.flatMap((one, at) => drawnRow(one, at * ROW + ROW / 2 + 4, x, area, names)),
      ...bottomAxis(
        area,
        x,
        ticks.values.map((value) => ({ value, text: tickText(value, ticks.step) })),
        `${measure} (higher is better)`,
      ),
    ],
  };
}

function drawnRow(
  { name, estimate, shape, colour, strong }: Row,
  y: number,
  x: (value: number) => number,
  area: Area,
  names: number,
): Markup[] {
  const found: Drawn | null = drawn(estimate);
  const title = `${name}: ${estimateText(estimate)}`;
  const written = label(area.left - 6, y + 4, name, { anchor: 'end', width: names - 6 });
  if (found === null) return [written, label(area.left + 4, y + 4, 'no value', { width: area.right - area.left - 4 })];
  const { interval, value } = found;
  return [
    written,
    ...(interval === null ? [] : [intervalBar(x(interval.low), y, x(interval.high), y, strong ? colour : INK)]),
    marker(shape, x(value), y, strong ? 4 : 2.8, { colour }, title),
  ];
}
