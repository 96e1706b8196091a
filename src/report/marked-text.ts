import type { Span } from '../text/span.ts';
import { counted } from '../text/figures.ts';
import type { NumberedRecord } from './item-lines.ts';
import { laneLines, type SpanMark } from './span-lanes.ts';
import type { Style } from './style.ts';
import { shownLine, type TextLine, textLines } from './text-lines.ts';

/** A verdict with the places of its two sides in the text, in UTF-16 units; null where a side has none. */
export interface PlacedRecord extends NumberedRecord {
  readonly gold: Span | null;
  readonly predicted: Span | null;
}

const GUTTER = 5;
/** Longest run of lines without marks that is shown whole; and how much of a text without any mark. */
const RUN = 3;
const UNMARKED = 12;

/** The text wrapped to a width, with the items marked under each line; long runs without any are cut short. */
export function markedText(text: string, placed: readonly PlacedRecord[], style: Style, width: number): string[] {
  const columns = width - GUTTER - 1;
  const lines = textLines(text, columns);
  const marks = (side: 'gold' | 'predicted'): SpanMark[] =>
    placed.flatMap(({ record, number, [side]: place }) =>
      place === null ? [] : [{ ...place, number, label: record[side]?.label ?? record.label, verdict: record.verdict }],
    );
  const sides = [
    { name: 'gold', marks: marks('gold') },
    { name: 'pred', marks: marks('predicted') },
  ];
  const under = lines.map((line) =>
    sides.flatMap(({ name, marks: own }) =>
      laneLines(line, touching(own, line), columns, style).map(
        (lane) => `${style.paint(name.padEnd(GUTTER), 'quiet')}${lane}`,
      ),
    ),
  );
  const any = under.some((lanes) => lanes.length > 0);
  return any ? withGaps(lines, under, style) : beginning(lines, style);
}

function touching(marks: readonly SpanMark[], line: TextLine): SpanMark[] {
  return marks.filter((mark) => mark.start < line.end && mark.end > line.start);
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
        out.push(style.paint(`${' '.repeat(GUTTER)}⋯ ${counted(to - from, 'line')} without marks ⋯`, 'quiet'));
    }
    if (next < lines.length) out.push(textRow(lines[next]!, style), ...under[next]!);
    at = next + 1;
  }
  return out;
}

function beginning(lines: readonly TextLine[], style: Style): string[] {
  const left = lines.length - UNMARKED;
  const shown = left > 1 ? lines.slice(0, UNMARKED) : lines;
  const more = left > 1 ? [style.paint(`${' '.repeat(GUTTER)}⋯ ${counted(left, 'more line')}`, 'quiet')] : [];
  return [...shown.map((line) => textRow(line, style)), ...more];
}

function textRow(line: TextLine, style: Style): string {
  return `${' '.repeat(GUTTER)}${style.paint(shownLine(line))}`.trimEnd();
}
