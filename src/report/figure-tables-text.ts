import type { RunFigures } from '../figures/run-figures.ts';
import { type FigureTable, figureTables } from './figure-tables.ts';
import { markdownTable, markdownText } from './markdown-text.ts';
import { wrapWords } from './display-width.ts';
import { safeText } from './safe-text.ts';
import type { Style } from './style.ts';
import { tableLines } from './table.ts';

/** The tables as sections of report.md. */
export function figureSections(figures: RunFigures): string[] {
  return figureTables(figures).flatMap(({ title, columns, rows, notes }) => [
    `## ${markdownText(title)}`,
    markdownTable(
      columns.map((column) => column.title),
      columns.map(({ align }) => align),
      rows,
    ),
    ...(notes.length === 0 ? [] : [notes.map(markdownText).join(' ')]),
  ]);
}

/** The tables for a terminal, an empty line between them. */
export function figureLines(figures: RunFigures, style: Style): string[] {
  return figureTables(figures).flatMap((table, at) => [...(at === 0 ? [] : ['']), ...linesOf(table, style)]);
}

/** What a type of error means is told last and goes first where there is no room; then the number of cases. */
const DROPPED: Readonly<Record<string, number>> = { 'what it is': 2, cases: 1 };

function linesOf({ title, columns, rows, notes }: FigureTable, style: Style): string[] {
  return [
    style.paint(safeText(title), 'strong'),
    ...tableLines(
      columns.map((column) => ({
        title: column.title,
        align: column.align,
        shrinks: column.align === 'left',
        ...(DROPPED[column.title] === undefined ? {} : { drop: DROPPED[column.title]! }),
      })),
      rows,
      style,
      '  ',
    ),
    ...notes.flatMap((note) =>
      wrapWords(safeText(note), style.width - 2).map((line) => `  ${style.paint(line, 'quiet')}`),
    ),
  ];
}
