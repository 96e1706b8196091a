import { displayWidth, truncate, truncateMiddle, wrapPieces } from './display-width.ts';
import { type Column, type Piece, piecesOf, type Text } from './document.ts';
import { safeText } from './safe-text.ts';
import type { Style, Tone } from './style.ts';

/** One that spans takes the rest of its row and wraps. */
export type Cell = Text | Span;

interface Span {
  readonly span: string | readonly Piece[];
  readonly indent?: string;
  readonly tone?: Tone | null;
}

const GAP = '  ';
const SHORTEST = 8;
const NARROWEST_SPAN = 20;
const BELOW = '    ';
/** A column that may shrink or wrap is still easy to read at this width: it does so before another is left out. */
const READABLE = 24;
/** What is cut last leaves room in 80 columns for a value and its interval. */
const READABLE_LAST = 48;

/** Lines of an aligned table. Text of cells is made safe here. Without titles there is no line for them. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  style: Style,
  indent = '',
): string[] {
  const { natural, kept } = layoutOf(columns, rows, style, indent);
  const widths = style.terminal ? shrunk(columns, natural, kept, style.width - indent.length) : natural;

  const line = (cells: readonly Cell[], tone: Tone | null): string[] => {
    const parts: string[] = [];
    let used = 0;
    for (const at of kept) {
      const cell = cells[at] ?? '';
      if (isSpan(cell)) {
        const { indent: inner = '' } = cell;
        const beside = used + GAP.length * parts.length + inner.length;
        // What would be squeezed beside the other cells is below them.
        const isBeside = style.width - indent.length - beside >= NARROWEST_SPAN;
        const hang = isBeside ? beside : BELOW.length;
        const lead = `${parts.map((part) => `${part}${GAP}`).join('')}${inner}`;
        const wrapped = wrapPieces(spanPieces(cell), Math.max(SHORTEST, style.width - indent.length - hang)).map(
          (pieces) => pieces.map((piece) => style.paint(piece.text, piece.tone ?? cell.tone ?? tone)).join(''),
        );
        const above = isBeside || lead.trim() === '' ? [] : [`${indent}${lead}`.trimEnd()];
        return [
          ...above,
          ...wrapped.map((text, row) => `${indent}${row === 0 && isBeside ? lead : ' '.repeat(hang)}${text}`),
        ];
      }
      const width = widths[at]!;
      used += width;
      parts.push(fitted(cell, width, columns[at]!, style, tone));
    }
    return [`${indent}${parts.join(GAP)}`.trimEnd()];
  };
  const titles = columns.some((column) => column.title !== '')
    ? line(
        columns.map(({ title }, at): Cell => ({ text: title, tone: at === 0 ? 'strong' : 'quiet' })),
        null,
      )
    : [];
  return [...titles, ...rows.flatMap((row) => line(row, null))];
}

/** Whether a table has room for all of its columns. */
export function hasAllColumns(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  style: Style,
  indent = '',
): boolean {
  return layoutOf(columns, rows, style, indent).kept.length === columns.length;
}

function layoutOf(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  style: Style,
  indent: string,
): { readonly natural: readonly number[]; readonly kept: readonly number[] } {
  const natural = naturalWidths(columns, rows);
  const readable = natural.map((width, at) => {
    const { shrinks = false } = columns[at]!;
    return shrinks === false ? width : Math.min(width, shrinks === 'last' ? READABLE_LAST : READABLE);
  });
  return { natural, kept: keptColumns(columns, style.terminal ? readable : natural, style.width - indent.length) };
}

/** Places of the columns in groups that fit the width, the first column in each of them. */
export function columnGroups(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  room: number,
): readonly (readonly number[])[] {
  const [first = 0, ...others] = naturalWidths(columns, rows);
  const groups: number[][] = [[0]];
  let used = Math.min(first, room / 2);
  for (const [at, width] of others.entries()) {
    if (used + GAP.length + width > room && groups.at(-1)!.length > 1) {
      groups.push([0]);
      used = Math.min(first, room / 2);
    }
    groups.at(-1)!.push(at + 1);
    used += GAP.length + width;
  }
  return groups;
}

function naturalWidths(columns: readonly Column[], rows: readonly (readonly Cell[])[]): number[] {
  const last = columns.length - 1;
  return columns.map(({ title }, at) =>
    Math.max(displayWidth(safeText(title)), ...rows.map((row) => (at === last ? lastWidth : cellWidth)(row[at]))),
  );
}

function isSpan(cell: Cell): cell is Span {
  return typeof cell === 'object' && 'span' in cell;
}

function spanPieces({ span }: Span): Piece[] {
  const pieces = typeof span === 'string' ? [{ text: span }] : span;
  return pieces.map((piece) => ({ ...piece, text: safeText(piece.text) }));
}

/** What wraps at the end of a row needs some room, and takes what there is. */
function lastWidth(cell: Cell | undefined): number {
  if (cell === undefined || !isSpan(cell)) return cellWidth(cell);
  const text = spanPieces(cell).map((piece) => piece.text);
  return Math.min(READABLE, displayWidth(text.join('')));
}

function cellWidth(cell: Cell | undefined): number {
  if (cell === undefined || isSpan(cell)) return 0;
  return piecesOf(cell).reduce((sum, piece) => sum + displayWidth(safeText(piece.text)), 0);
}

function totalWidth(widths: readonly number[], kept: readonly number[]): number {
  return kept.reduce((sum, at) => sum + widths[at]!, 0) + GAP.length * Math.max(0, kept.length - 1);
}

function keptColumns(columns: readonly Column[], widths: readonly number[], room: number): number[] {
  let kept = columns.map((_, at) => at);
  while (totalWidth(widths, kept) > room) {
    const first = Math.max(0, ...kept.map((at) => columns[at]!.drop ?? 0));
    if (first === 0) break;
    kept = kept.filter((at) => (columns[at]!.drop ?? 0) !== first);
  }
  return kept;
}

/** The widest column that may shrink gives way first. */
function shrunk(
  columns: readonly Column[],
  natural: readonly number[],
  kept: readonly number[],
  room: number,
): readonly number[] {
  const widths = [...natural];
  while (totalWidth(widths, kept) > room) {
    const widest = kept
      .filter((at) => (columns[at]!.shrinks ?? false) !== false && widths[at]! > SHORTEST)
      .sort((a, b) => widths[b]! - widths[a]!)[0];
    if (widest === undefined) break;
    widths[widest]! -= 1;
  }
  return widths;
}

function fitted(cell: Text, width: number, { align, shrinks }: Column, style: Style, tone: Tone | null): string {
  const pieces = piecesOf(cell);
  const space = ' '.repeat(Math.max(0, width - cellWidth(cell)));
  const painted =
    pieces.length === 1
      ? style.paint(
          (shrinks === 'last' ? truncateMiddle : truncate)(safeText(pieces[0]!.text), width),
          pieces[0]!.tone ?? tone,
        )
      : pieces.map((piece) => style.paint(piece.text, piece.tone ?? tone)).join('');
  return align === 'right' ? space + painted : painted + space;
}
