import { type Cluster, clusters, displayWidth } from './display-width.ts';
import { safeText } from './safe-text.ts';

/** One character as it is shown, with its place in the text and its column on the line. */
export interface Glyph {
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
export function textLines(text: string, columns: number): TextLine[] {
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
