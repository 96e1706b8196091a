import { plural } from '../text/figures.ts';
import { type Cluster, clusters, displayWidth, truncate } from './display-width.ts';
import type { MarkedText, TextMark } from './document.ts';
import { safeText } from './safe-text.ts';
import { makeStyle, type Style, type Tone, VERDICT_LOOKS } from './style.ts';

const GUTTER = 5;
/** Longest run of lines without marks that is shown whole; and how much of a text without any mark. */
const RUN = 3;
const UNMARKED = 12;
const LONGEST_LABEL = 24;
/** On a page. */
export const MARKED_STYLE = makeStyle({ width: 100 });

/** The text wrapped to the width, with the marks of both sides under each line; long runs without any are cut short. */
export function markedLines({ marked, marks }: MarkedText, style: Style): string[] {
  const columns = style.width - GUTTER - 1;
  const lines = wrappedLines(marked, columns);
  const under = lines.map((line) =>
    (['gold', 'predicted'] as const).flatMap((side) => {
      const touching = marks.filter((mark) => mark.side === side && mark.start < line.end && mark.end > line.start);
      const gutter = style.paint(side.slice(0, 4).padEnd(GUTTER), 'quiet');
      return laneLines(line, touching, columns, style).map((lane) => `${gutter}${lane}`);
    }),
  );
  const hasMarks = under.some((lanes) => lanes.length > 0);
  return hasMarks ? withGaps(lines, under, style) : beginning(lines, style);
}

function withGaps(lines: readonly TextLine[], under: readonly (readonly string[])[], style: Style): string[] {
  const out: string[] = [];
  let at = 0;
  while (at < lines.length) {
    let next = at;
    while (next < lines.length && under[next]!.length === 0) next += 1;
    // The line before a marked one and the line after it are kept: they say what it is about.
    const from = at === 0 ? at : at + 1;
    const to = next === lines.length ? next : next - 1;
    for (let row = at; row < next; row += 1) {
      const hidden = to - from > RUN && row >= from && row < to;
      if (!hidden) out.push(textRow(lines[row]!, style));
      else if (row === from)
        out.push(style.paint(`${' '.repeat(GUTTER)}⋯ ${plural(to - from, 'line')} without marks ⋯`, 'quiet'));
    }
    if (next < lines.length) out.push(textRow(lines[next]!, style), ...under[next]!);
    at = next + 1;
  }
  return out;
}

function beginning(lines: readonly TextLine[], style: Style): string[] {
  const left = lines.length - UNMARKED;
  const shown = left > 1 ? lines.slice(0, UNMARKED) : lines;
  const more = left > 1 ? [style.paint(`${' '.repeat(GUTTER)}⋯ ${plural(left, 'more line')}`, 'quiet')] : [];
  return [...shown.map((line) => textRow(line, style)), ...more];
}

function textRow(line: TextLine, style: Style): string {
  return `${' '.repeat(GUTTER)}${style.paint(shownLine(line))}`.trimEnd();
}

interface Drawn {
  readonly from: number;
  readonly text: string;
  readonly tone: Tone;
}

/**
 * The lines of marks under one line of text: as many lanes as it takes so that no two touch. A mark carries its number,
 * verdict and label inside, or beside it if it is too short; one that continues on another line has an open end.
 */
export function laneLines(line: TextLine, marks: readonly TextMark[], columns: number, style: Style): string[] {
  const drawn = marks
    .flatMap((mark) => drawMark(line, mark, columns))
    .sort((a, b) => a.from - b.from || displayWidth(b.text) - displayWidth(a.text));
  const lanes: Drawn[][] = [];
  for (const piece of drawn) {
    const lane = lanes.find((held) => endOf(held) < piece.from);
    if (lane === undefined) lanes.push([piece]);
    else lane.push(piece);
  }
  return lanes.map((lane) => {
    let text = '';
    let at = 0;
    for (const piece of lane) {
      text += ' '.repeat(piece.from - at) + style.paint(piece.text, piece.tone);
      at = piece.from + displayWidth(piece.text);
    }
    return text;
  });
}

function endOf(lane: readonly Drawn[]): number {
  const last = lane.at(-1);
  return last === undefined ? -1 : last.from + displayWidth(last.text);
}

function drawMark(line: TextLine, mark: TextMark, columns: number): Drawn[] {
  const under = line.glyphs.filter((glyph) => glyph.start < mark.end && glyph.end > mark.start);
  const first = under[0];
  const last = under.at(-1);
  if (first === undefined || last === undefined) return [];
  const from = first.column;
  const width = last.column + last.width - from;
  if (width === 0) return [];
  const { line: stroke, symbol, tone } = VERDICT_LOOKS[mark.verdict];
  const opens = mark.start >= line.start;
  const closes = mark.end <= line.end;
  const short = `${mark.number}${symbol}`;
  const full = `${short} ${truncate(safeText(mark.label), LONGEST_LABEL)}`;
  const bare = stretch(width, stroke, opens, closes, '');
  for (const name of [full, short]) {
    const length = displayWidth(name);
    if (width >= length + 2) return [{ from, tone, text: stretch(width, stroke, opens, closes, name) }];
    // What continues the line above has been named there.
    if (!opens) continue;
    if (closes && from + width + length <= columns) return [{ from, tone, text: bare + name }];
    if (closes && from >= length) return [{ from: from - length, tone, text: name + bare }];
  }
  return [{ from, tone, text: bare }];
}

/** `├─3✓ LOC──┤`; a single column is `│`. */
function stretch(width: number, stroke: string, opens: boolean, closes: boolean, name: string): string {
  if (width === 1) return '│';
  const inner = width - 2 - displayWidth(name);
  const before = name === '' ? inner : Math.min(1, inner);
  const left = opens ? '├' : '‹';
  const right = closes ? '┤' : '›';
  return left + stroke.repeat(before) + name + stroke.repeat(inner - before) + right;
}

/** One character as it is shown, with its place in the text and its column on the line. */
interface Glyph {
  readonly shown: string;
  readonly start: number;
  readonly end: number;
  readonly column: number;
  readonly width: number;
}

/** A line of wrapped text. `start` to `end` is all of the text it stands for, line break included. */
export interface TextLine {
  readonly glyphs: readonly Glyph[];
  readonly start: number;
  readonly end: number;
}

const BREAK = /^\r?\n$|^\r$/;
const SPACE = /^\s$/u;

/**
 * Wraps a text to a number of columns, keeping every character's place, so that marks can be set under it. Breaks at
 * the text's own line breaks, else after a space or beside a wide character, else where it must. What a terminal would
 * act on is shown instead.
 */
export function wrappedLines(text: string, columns: number): TextLine[] {
  const lines: TextLine[] = [];
  let open: Glyph[] = [];
  let start = 0;
  const close = (glyphs: readonly Glyph[], end: number): void => {
    lines.push({ glyphs, start, end });
    start = end;
  };
  for (const cluster of clusters(text)) {
    if (BREAK.test(cluster.text)) {
      close(open, cluster.end);
      open = [];
      continue;
    }
    const width = columnsOf(open);
    const glyph = glyphOf(cluster, width);
    // A space may hang over the edge: nobody sees it.
    if (width + glyph.width > columns && open.length > 0 && !SPACE.test(cluster.text)) {
      const at = breakBefore(open, cluster);
      const rest = open.slice(at);
      close(open.slice(0, at), rest[0]?.start ?? cluster.start);
      open = [];
      for (const moved of rest) open.push({ ...moved, column: columnsOf(open) });
      open.push({ ...glyph, column: columnsOf(open) });
    } else open.push(glyph);
  }
  if (open.length > 0 || lines.length === 0) close(open, text.length);
  return lines;
}

export function shownLine(line: TextLine): string {
  return line.glyphs
    .map(({ shown }) => shown)
    .join('')
    .trimEnd();
}

function glyphOf(cluster: Cluster, column: number): Glyph {
  const shown = safeText(cluster.text);
  const width = shown === cluster.text ? cluster.width : displayWidth(shown);
  return { shown, start: cluster.start, end: cluster.end, column, width };
}

function columnsOf(glyphs: readonly Glyph[]): number {
  const last = glyphs.at(-1);
  return last === undefined ? 0 : last.column + last.width;
}

/** Index of the first glyph that goes to the next line. */
function breakBefore(open: readonly Glyph[], next: Cluster): number {
  if (next.width > 1) return open.length;
  for (let at = open.length; at > 0; at -= 1) {
    const before = open[at - 1]!;
    if (SPACE.test(before.shown) || before.width > 1) return at;
  }
  return open.length;
}
