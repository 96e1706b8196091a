import { count } from '../text/figures.ts';
import { displayWidth, truncate, wrapPieces } from './display-width.ts';
import {
  type Block,
  type Code,
  type Document,
  listEntry,
  hasTitles,
  type List,
  type StatusMark,
  MARKS,
  type Paragraph,
  type Piece,
  piecesOf,
  unstyledText,
  shownOn,
  type Table,
  type Text,
  withColumns,
} from './document.ts';
import { markedLines } from './render-marked-text.ts';
import { safeText } from './safe-text.ts';
import type { Style, Tone } from './style.ts';
import { type Cell, columnGroups, hasAllColumns, tableLines } from './render-terminal-table.ts';

/** Lines of running text do not grow with the window. */
const WIDEST = 100;
/** Of a cell that wraps, or a piece of it. */
const LONGEST_CELL = 400;
const INDENT = '  ';

/** A document for a terminal or a pipe: sections with a blank line between them, blocks below their title. */
export function renderTerminal(document: Document, style: Style): string {
  const { title, about, mark } = document;
  const head = [
    ...(mark === undefined
      ? prose(title, style, { tone: 'strong' })
      : prose(title, style, { lead: `${symbolOf(mark, style)} `, indent: INDENT, tone: MARKS[mark].tone })),
    ...(about === undefined ? [] : prose(about, style, {})),
  ];
  const sections = shownOn('terminal', document).map(({ title: heading, about: beside, mark: sign, blocks }) => {
    if (heading === undefined) return blocks.flatMap((block) => blockLines(block, style, ''));
    const [first, ...others] = blocks;
    // The title of a section is that of the first column, if a table with titles is what it is for.
    const isTable =
      first !== undefined &&
      'rows' in first &&
      hasTitles(first) &&
      first.lead === undefined &&
      sign === undefined &&
      beside === undefined;
    return isTable
      ? [...tableText(first, style, '', heading), ...others.flatMap((block) => blockLines(block, style, INDENT))]
      : [...titleLines(heading, beside, sign, style), ...blocks.flatMap((block) => blockLines(block, style, INDENT))];
  });
  return `${[head, ...sections].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** What is beside a title is below it where the line has no room. */
function titleLines(title: string, about: string | undefined, mark: StatusMark | undefined, style: Style): string[] {
  const text = mark === undefined ? title : `${MARKS[mark].symbol} ${title}`;
  const heading = prose(text, style, { indent: INDENT, tone: mark === undefined ? 'strong' : MARKS[mark].tone });
  if (about === undefined) return heading;
  return displayWidth(safeText(`${text}${INDENT}${about}`)) <= style.width
    ? [`${heading.join(' ')}${INDENT}${style.paint(about, 'quiet')}`]
    : [...heading, ...prose(about, style, { lead: INDENT, indent: INDENT, tone: 'quiet' })];
}

function symbolOf(mark: StatusMark, style: Style): string {
  return style.paint(MARKS[mark].symbol, MARKS[mark].tone);
}

/** Blocks on their own, for what is not a document yet. */
export function terminalLines(blocks: readonly Block[], style: Style): string[] {
  return blocks.flatMap((block) => blockLines(block, style, ''));
}

function blockLines(block: Block, style: Style, indent: string): string[] {
  if ('rows' in block) return tableText(block, style, indent);
  if ('list' in block) return listLines(block, style, indent);
  if ('code' in block) return codeLines(block, style, indent);
  if ('picture' in block) return [];
  if ('marked' in block) return markedLines(block, style);
  return paragraphLines(block, style, indent);
}

function paragraphLines({ text, tone, mark, whole = false }: Paragraph, style: Style, indent: string): string[] {
  if (whole) return [`${indent}${painted(text, style, tone)}`];
  if (mark !== undefined)
    return prose(text, style, { lead: `${indent}${symbolOf(mark, style)} `, indent: `${indent}${INDENT}`, tone });
  return prose(text, style, { lead: indent, indent, tone });
}

function listLines({ list, lead, mark, bullets, tone, shown, total }: List, style: Style, indent: string): string[] {
  const own = cutTo(list, shown);
  const inner = lead === undefined ? indent : `${indent}${INDENT}`;
  const rest = (total ?? list.length) - own.length;
  return [
    ...(lead === undefined ? [] : prose(lead, style, { lead: indent, indent, tone: 'quiet' })),
    ...own.flatMap((entry) => {
      const { item, note, mark: sign = mark } = listEntry(entry);
      const symbol = sign === undefined ? (bullets === true ? '- ' : '') : `${symbolOf(sign, style)} `;
      return [
        ...prose(item, style, { lead: `${inner}${symbol}`, indent: `${inner}${INDENT}`, tone }),
        ...(note === null ? [] : paragraphLines({ text: note }, style, `${inner}${INDENT}`)),
      ];
    }),
    ...(rest > 0 ? [`${inner}${style.paint(`… and ${count(rest)} more`, 'quiet')}`] : []),
  ];
}

function codeLines({ code, lead }: Code, style: Style, indent: string): string[] {
  const inner = lead === undefined ? indent : `${indent}${INDENT}`;
  return [
    ...(lead === undefined ? [] : [`${indent}${style.paint(lead, 'quiet')}`]),
    ...code.split('\n').map((line) => `${inner}${style.paint(line, 'quiet')}`),
  ];
}

function tableText(table: Table, style: Style, indent: string, title?: string): string[] {
  const {
    columns,
    rows,
    lead: caption,
    remarks = [],
    dropped,
    shown: most,
    total = rows.length,
    rest: where = '',
  } = drawnFor(style, table);
  const own = cutTo(rows, most);
  const shown = columns
    .map((column, at) => (at === 0 && title !== undefined ? { ...column, title } : column))
    .map(({ drop = 0, ...column }) => (dropped !== undefined && !style.terminal ? column : { ...column, drop }));
  const isIndented = title !== undefined || rows.some((row) => 'group' in row);
  const lead = isIndented ? INDENT : '';
  const isBeside = (_: unknown, at: number): boolean => columns[at]?.below !== true;
  const cells = own.flatMap((row): (readonly Cell[])[] => {
    if ('group' in row) return [[{ span: row.group, tone: row.tone ?? null }]];
    const beside = row.map((cell, at): Cell => {
      if (columns[at]?.wraps === true) return { span: cellPieces(cell) };
      if (at > 0 || !isIndented) return cell;
      const [first, ...others] = piecesOf(cell);
      return [{ ...first, text: `${lead}${first?.text ?? ''}` }, ...others];
    });
    const beneath = row.filter((cell, at) => !isBeside(cell, at) && unstyledText(cell) !== '').map(cellPieces);
    // Under a last cell that wraps, or else under the row.
    const lastWraps = columns.findLast(isBeside)?.wraps === true;
    const blanks = lastWraps
      ? beside
          .filter(isBeside)
          .slice(1)
          .map(() => '')
      : [];
    return [
      beside.filter(isBeside),
      ...beneath.map((span) => [
        ...blanks,
        lastWraps ? { span } : { span, indent: `${lead}${INDENT}`, tone: 'quiet' as const },
      ]),
    ];
  });
  const left = total - own.length;
  const below = title === undefined ? indent : `${indent}${INDENT}`;
  const beside = shown.filter(isBeside);
  const all = [
    ...(left > 0 ? [`… and ${count(left)} more${where}`] : []),
    ...remarks,
    ...(dropped === undefined || hasAllColumns(beside, cells, style, indent) ? [] : [dropped]),
  ];
  return [
    ...(caption === undefined ? [] : ['', ...prose(caption, style, { lead: indent, indent, tone: 'strong' })]),
    ...(table.continues === true ? gridLines : tableLines)(beside, cells, style, indent),
    ...all.flatMap((text) => prose(text, style, { lead: below, indent: below, tone: 'quiet' })),
  ];
}

/** A pipe gets no drawings. */
function drawnFor({ terminal }: Style, table: Table): Table {
  return terminal ? table : withColumns(table, ({ drawn }) => drawn !== true);
}

/** As tables below each other, if one is too wide. */
function gridLines(...[columns, rows, style, indent = '']: Parameters<typeof tableLines>): string[] {
  return columnGroups(columns, rows, style.width - indent.length).flatMap((group, nth) => [
    ...(nth === 0 ? [] : ['']),
    ...tableLines(
      group.map((at) => columns[at]!),
      rows.map((row) => group.map((at) => row[at] ?? '')),
      style,
      indent,
    ),
  ]);
}

/** What wraps, and is cut if it is very long. */
function cellPieces(cell: Text): Piece[] {
  return piecesOf(cell).map((piece) => ({ ...piece, text: truncate(safeText(piece.text), LONGEST_CELL) }));
}

/** One more than asked for takes no more room than saying that there is one more. */
function cutTo<T>(all: readonly T[], most = Infinity): readonly T[] {
  return all.length > most + 1 ? all.slice(0, most) : all;
}

interface ProseOptions {
  /** Before the first line; `indent` is before the others. */
  readonly lead?: string;
  readonly indent?: string;
  readonly tone?: Tone | null | undefined;
}

/** Wrapped text with a hanging indent. */
function prose(text: Text, style: Style, { lead = '', indent = '', tone = null }: ProseOptions): string[] {
  const width = Math.min(style.width, WIDEST) - displayWidth(indent);
  const pieces = piecesOf(text).map((piece) => ({ ...piece, text: safeText(piece.text) }));
  return wrapPieces(pieces, width).map((line, at) => `${at === 0 ? lead : indent}${painted(line, style, tone)}`);
}

function painted(text: Text, style: Style, tone: Tone | null = null): string {
  return piecesOf(text)
    .map((piece) => style.paint(piece.text, piece.tone ?? tone))
    .join('');
}
