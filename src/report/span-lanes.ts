import type { VerdictKind } from '../judge/verdict.ts';
import { displayWidth, truncate } from './display-width.ts';
import { safeText } from './safe-text.ts';
import { type Style, type Tone, VERDICT_LOOKS } from './style.ts';
import type { TextLine } from './text-lines.ts';

/** A stretch of the text, in UTF-16 units, that is to be marked under it. */
export interface SpanMark {
  readonly start: number;
  readonly end: number;
  readonly number: number;
  readonly label: string;
  readonly verdict: VerdictKind;
}

interface Drawn {
  readonly from: number;
  readonly text: string;
  readonly tone: Tone;
}

const LONGEST_LABEL = 24;

/**
 * The lines of marks under one line of text: as many lanes as it takes so that no two touch. A mark carries its number,
 * verdict and label inside, or beside it where it is too short; one that goes on from or to another line has an open end.
 */
export function laneLines(line: TextLine, marks: readonly SpanMark[], columns: number, style: Style): string[] {
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

function drawMark(line: TextLine, mark: SpanMark, columns: number): Drawn[] {
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
    // What goes on from the line above has been named there.
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
