import { scaleLinear, scaleLog } from 'd3-scale';

import { drawMark, type Frame, UNITS } from './draw-mark.ts';
import { legendKeys } from './legend.ts';
import { AXIS, BOLDER, FONTS, GRID, HEADING, LINE, MARGIN, PAPER, TEXT, WIDTH } from './look.ts';
import { element, group, type Markup } from './markup.ts';
import type { Mark } from './marks.ts';
import { type Box, type NamedPoint, namesBeside, namesInColumn } from './name-points.ts';
import { fitted, singleLine, textWidth, wrapped } from './text-width.ts';
import { type Ends, ticksOver, type Ticks, tickText } from './ticks.ts';

/** A figure as data. */
export interface Plot {
  /** Begins the ids in the document, so that several figures can be on one page. */
  readonly id: string;
  readonly title: string;
  /** For those who cannot see the figure: what it shows, in sentences. */
  readonly about: string;
  /** Text and panels, one below the other. Marks that have a key are in the legend above them. */
  readonly parts: readonly (string | Panel)[];
  /** Words that follow the keys of the legend. */
  readonly legend?: string;
  /** Small print below. */
  readonly notes: readonly string[];
  readonly width: number | undefined;
}

export interface Panel {
  readonly x: Axis;
  readonly y: Axis;
  readonly marks: readonly Mark[];
  /** Of the area of the data; of a matrix it depends on the width. */
  readonly height: number | ((width: number) => number);
  /** Room beside the area, if not as the axes need it. */
  readonly room?: { readonly left?: number; readonly right?: number; readonly top?: number };
  /** The place of the points' names: beside them, or in a column at the right. */
  readonly names?: 'beside' | 'column';
}

export interface Axis {
  /** At the left and the right, or at the bottom and the top. */
  readonly ends: Ends;
  readonly ticks: readonly { readonly value: number; readonly text: string }[];
  /** Above the panel for y, below the numbers for x. */
  readonly title?: string;
  readonly isLog?: boolean;
  /** Lines across the panel. */
  readonly grid?: boolean;
  /** Kept free at both ends. */
  readonly inset?: number;
  /** Of x: names above the panel, level or from below upwards. */
  readonly above?: 'level' | 'upright';
  /** Largest width of a column. */
  readonly most?: number;
}

/** An axis of numbers, at least as long as the values. */
export function valueAxis(values: readonly number[], wanted: number, bounds?: Ends, unit = ''): Axis {
  return axisOf(ticksOver(values, wanted, bounds), unit);
}

/** All numbers that an axis must hold so that points have room with their intervals. */
export function extent(marks: readonly Mark[], axis: 'x' | 'y'): number[] {
  return marks.flatMap((mark) => {
    if (mark.mark !== 'point') return [];
    const interval = axis === 'x' ? mark.xInterval : mark.yInterval;
    return interval == null ? [mark[axis]] : [mark[axis], interval.low, interval.high];
  });
}

export function axisOf({ ends, values, step }: Ticks, unit = ''): Axis {
  return { ends, ticks: values.map((value) => ({ value, text: tickText(value, step) + unit })) };
}

/** Names at 0, 1, 2 …, each in the middle of its stretch. */
export function nameAxis(names: readonly string[]): Axis {
  return { ends: [-0.5, names.length - 0.5], ticks: names.map((text, value) => ({ value, text })) };
}

/** The same from top to bottom. */
export function rowAxis(names: readonly string[]): Axis {
  return { ...nameAxis(names), ends: [names.length - 0.5, -0.5] };
}

export const SHARES: Axis = axisOf(ticksOver([0, 1], 5));

/** A figure without anything to draw shows why in words. */
export function emptyPlot({ why, ...rest }: Pick<Plot, 'width' | 'id' | 'title' | 'notes'> & { why: string }): string {
  const words = `Nothing can be drawn: ${why}.`;
  return plot({ ...rest, about: words, parts: [words] });
}

/** A part of the figure as it is drawn. */
interface Block {
  readonly height: number;
  readonly content: readonly Markup[];
}

const GAP = 5;

/** The finished document: no script, no style sheet, no reference to anything outside. */
export function plot({ id: name, title, about, parts, legend = '', notes, width = WIDTH }: Plot): string {
  const panels = parts.filter((part) => typeof part !== 'string');
  const blocks = [
    textBlock([title], width, true),
    legendBlock(
      panels.flatMap(({ marks }) => marks),
      legend,
      width,
    ),
    ...parts.map((part) => (typeof part === 'string' ? textBlock([part], width) : panelBlock(part, width))),
    textBlock(notes, width),
  ].filter(({ height }) => height > 0);
  const content: Markup[] = [];
  let y = MARGIN;
  for (const block of blocks) {
    content.push(group(block.content, 0, y));
    y += block.height + GAP;
  }
  const height = Math.ceil(y - GAP + MARGIN);
  const id = name.replaceAll(/[^A-Za-z0-9_-]/g, '-');
  const size = { width, height, viewBox: `0 0 ${width} ${height}` };
  const label = { role: 'img', 'aria-labelledby': `${id}-title ${id}-desc` };
  const font = { 'font-family': FONTS, 'font-size': TEXT };
  const figure = element('svg', { xmlns: 'http://www.w3.org/2000/svg', ...size, ...label, ...font }, [
    element('title', { id: `${id}-title` }, [singleLine(title)]),
    element('desc', { id: `${id}-desc` }, [about]),
    element('rect', { class: 'paper', width, height, fill: PAPER }),
    ...content,
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${figure.markup}\n`;
}

/** Beside the title, for what a page offers to do with the figure. */
const TITLE_ROOM = 60;

function textBlock(sentences: readonly string[], width: number, bold = false): Block {
  const room = bold ? (width - 2 * MARGIN - TITLE_ROOM) / BOLDER : width - 2 * MARGIN;
  const lines = wrapped(sentences.map(singleLine).join(' '), room, bold ? HEADING : TEXT);
  const content = lines.flatMap((text, at) =>
    drawMark({ mark: 'label', x: MARGIN, y: (at + 0.5) * LINE, text, bold }, UNITS),
  );
  return { height: lines.length * LINE, content };
}

/** The keys of marks side by side, in as many rows as they need. */
function legendBlock(marks: readonly Mark[], words: string, width: number): Block {
  const room = width - 2 * MARGIN;
  const content: Markup[] = [];
  let [x, row] = [0, 0];
  const keys = legendKeys(marks);
  if (words !== '') keys.set(words, []);
  for (const [name, samples] of keys) {
    const wide = Math.max(-5, ...samples.map((sample) => sample.wide));
    const nameRoom = room - wide - 5;
    const taken = wide + 5 + textWidth(fitted(singleLine(name), nameRoom, TEXT), TEXT);
    if (x > 0 && x + taken > room) [x, row] = [0, row + 1];
    const [left, y] = [MARGIN + x, (row + 0.5) * LINE];
    const drawn = samples.flatMap(({ mark }) => drawMark(mark, UNITS));
    if (drawn.length > 0) content.push(group(drawn, left + wide / 2, y));
    content.push(...drawMark({ mark: 'label', x: left + wide + 5, y, text: name, width: nameRoom }, UNITS));
    x += taken + 13;
  }
  return { height: content.length === 0 ? 0 : (row + 1) * LINE, content };
}

/** What most numbers need, so that panels one below the other begin at the same place. */
const LEAST_LEFT = 38;
/** Longer names of rows and columns are cut. */
const NAME_ROOM = 100;
/** Longer names of points are in the legend only. */
const MOST_NAME = { beside: 150, column: 50 } as const;

function panelBlock({ x, y, room = {}, marks, names, height }: Panel, width: number): Block {
  const points = marks.filter((mark) => mark.mark === 'point');
  const named = points.filter(
    (point): point is NamedPoint =>
      names !== undefined && point.name !== undefined && textWidth(point.name, TEXT) <= MOST_NAME[names],
  );
  const column = names === 'column' && named.length > 0 ? 16 + widest(named.map(({ name }) => name)) : 0;
  const nameRoom = room.left ?? Math.min(NAME_ROOM, Math.max(LEAST_LEFT, widest(textsOf(y)) + 7));
  const heading = textBlock(y.title === undefined ? [] : [y.title], width);
  const above = { none: 0, level: LINE, upright: Math.min(NAME_ROOM, widest(textsOf(x)) + 6) }[x.above ?? 'none'];
  const left = MARGIN + nameRoom;
  const most = x.most === undefined ? Infinity : left + x.ticks.length * x.most;
  const right = Math.min(width - MARGIN - (room.right ?? 8) - column, most);
  const top = heading.height + above + (room.top ?? (above === 0 ? 7 : 0));
  const bottom = top + (typeof height === 'number' ? height : height(right - left));
  const area: Box = { left, right, top, bottom };
  const frame: Frame = { x: scaleOf(x, [left, right]), y: scaleOf(y, [bottom, top]) };
  const below = above > 0 || x.ticks.length === 0 ? 2 : LINE + 2 + (x.title === undefined ? 0 : LINE);
  const nameMarks =
    names === 'beside' ? namesBeside(named, marks, frame, area) : column > 0 ? namesInColumn(named, frame, area) : [];
  return {
    height: bottom + below,
    content: [
      ...heading.content,
      ...[...gridMarks(x, y), ...leftTexts(y, nameRoom), ...marks].flatMap((mark) => drawMark(mark, frame)),
      ...[...xTexts(x, frame, area, width), ...nameMarks].flatMap((mark) => drawMark(mark, UNITS)),
    ],
  };
}

function textsOf({ ticks }: Axis): string[] {
  return ticks.map(({ text }) => singleLine(text));
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, textWidth(text, TEXT)), 0);
}

function scaleOf({ ends, isLog, inset = 0 }: Axis, [start, end]: Ends): (value: number) => number {
  const aside = start < end ? inset : -inset;
  const scale = (isLog === true ? scaleLog() : scaleLinear()).domain(ends).range([start + aside, end - aside]);
  return (value) => (value === -Infinity ? start : value === Infinity ? end : scale(value));
}

const AXIS_LINE = { mark: 'rule', colour: AXIS, class: 'axis' } as const;
const GRID_LINE = { mark: 'rule', colour: GRID, width: 0.8, class: 'grid' } as const;

function gridMarks(x: Axis, y: Axis): Mark[] {
  return [
    ...(y.grid === true ? y.ticks.map(({ value }) => ({ ...GRID_LINE, y: value })) : []),
    ...(x.grid === true ? x.ticks.map(({ value }) => ({ ...GRID_LINE, x: value })) : []),
    ...(y.ticks.length > 0 && x.above === undefined ? [{ ...AXIS_LINE, x: -Infinity }] : []),
  ];
}

function leftTexts({ ticks }: Axis, room: number): Mark[] {
  const place = { mark: 'label', x: -Infinity, dx: -5, anchor: 'end', width: room - 5 } as const;
  return ticks.map(({ value, text }) => ({ ...place, y: value, text }));
}

/** Below the panel a line with short strokes, the numbers that have room and a title; or above it names of columns. */
function xTexts({ ticks, title, above }: Axis, frame: Frame, area: Box, width: number): Mark[] {
  if (ticks.length === 0) return [];
  const { left, right, top, bottom } = area;
  const marks: Mark[] = above === undefined ? [{ ...AXIS_LINE, x: [left, right], y: bottom }] : [];
  let free = -Infinity;
  for (const { value, text } of ticks) {
    const at = frame.x(value);
    if (above === undefined) marks.push({ ...AXIS_LINE, x: at, y: [bottom, bottom + 4] });
    const half = above === 'upright' ? TEXT / 2 : Math.min(NAME_ROOM, textWidth(singleLine(text), TEXT)) / 2;
    const x = Math.max(half + 2, Math.min(width - 2 - half, at));
    if (x - half < free) continue;
    free = x + half + 3;
    if (above === 'upright') marks.push({ mark: 'label', x, y: top - 4, text, upright: true, width: NAME_ROOM - 4 });
    else {
      const y = above === undefined ? bottom + LINE / 2 + 3 : top - LINE / 2;
      marks.push({ mark: 'label', x, y, text, anchor: 'middle', width: NAME_ROOM });
    }
  }
  if (title !== undefined) {
    const half = Math.min(width / 2 - MARGIN, textWidth(singleLine(title), TEXT) / 2);
    const x = Math.min(width - MARGIN - half, (left + right) / 2);
    marks.push({ mark: 'label', x, y: bottom + 1.5 * LINE + 2, text: title, anchor: 'middle', width: 2 * half });
  }
  return marks;
}
