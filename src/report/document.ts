import type { VerdictKind } from '../judge/verdict.ts';
import { NONE, plural } from '../text/figures.ts';
import type { Tone } from './style.ts';

/**
 * A result as headings, text, tables, lists and code, without a layout: terminal, Markdown and HTML each have a renderer.
 * All text may come from data, and only the renderers escape it.
 */
export interface Document {
  readonly title: string;
  /** What the result is of, beside the title or below it. */
  readonly about?: Text;
  /** How it ended, in front of the title. */
  readonly mark?: StatusMark;
  readonly sections: readonly Section[];
}

/** Where a part is shown; everywhere if that is not given. A page has room for what a terminal leaves out. */
export type Medium = 'terminal' | 'page';

interface Part {
  readonly on?: Medium;
}

/** Disappears if it has no blocks. */
export interface Section extends Part {
  readonly title?: string;
  /** Beside the title, and quieter. */
  readonly about?: string;
  readonly mark?: StatusMark;
  /** Of the heading on a page: 3 belongs to the section before. */
  readonly level?: 2 | 3;
  /** On a page only its title is shown until it is opened. */
  readonly folded?: boolean;
  readonly blocks: readonly (Block | null)[];
}

export type Block = Paragraph | List | Table | Code | MarkedText | Picture;

export interface Paragraph extends Part {
  readonly text: Text;
  readonly tone?: Tone | null;
  readonly mark?: StatusMark;
  /** A command to copy: it is never broken into lines. */
  readonly whole?: boolean;
}

export interface List extends Part {
  readonly list: readonly ListItem[];
  /** Above it. */
  readonly lead?: string;
  readonly mark?: StatusMark;
  /** Sentences, which need a sign in front of them on a terminal too. */
  readonly bullets?: boolean;
  readonly tone?: Tone | null;
  /** How many a terminal shows. */
  readonly shown?: number;
  /** How many there are, if not all of them are listed. */
  readonly total?: number;
}

export type ListItem = Text | { readonly item: Text; readonly note: string | null; readonly mark?: StatusMark };

/** Without titles it is names with what belongs to each: on a page a list. */
export interface Table extends Part {
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
  /** Its caption, if a section has several. */
  readonly lead?: string;
  /** Below the table. */
  readonly remarks?: readonly string[];
  /** Where columns are that a terminal had no room for. With it, a pipe gets every column, however wide they are. */
  readonly dropped?: string;
  /** How many rows a terminal shows. */
  readonly shown?: number;
  /** How many there are, if not all of them are in the rows. */
  readonly total?: number;
  /** What follows "… and 12 more" there. */
  readonly rest?: string;
  /** As a grid: columns a terminal has no room for are continued below, beside the first column again. */
  readonly continues?: boolean;
}

/** The cells, or a line with what the rows below it have in common. */
export type TableRow = readonly Text[] | { readonly group: string; readonly tone?: Tone | null };

export interface Column extends Part {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** May be cut on a terminal that is too narrow; `last`: only if no other can be left out, and in the middle. */
  readonly shrinks?: boolean | 'last';
  /** May be left out where the width does not suffice; the highest number goes first, equal numbers go together. */
  readonly drop?: number;
  /** The last column, if it holds sentences: on a terminal it takes the rest of the line and wraps. */
  readonly wraps?: boolean;
  /** Of one column: on a terminal it has no place in the row and is on separate lines below it. */
  readonly below?: boolean;
  /** A drawing for a reader at a screen: a pipe does not get it. */
  readonly drawn?: boolean;
  /** Holds values: rows and columns of them that are undefined throughout are not shown. */
  readonly value?: boolean;
}

/** A column with what it shows of a row. */
export type FilledColumn<R> = readonly [Column, (row: R) => Text];

/** Null is a column that this table does not have. */
export function filledTable<R>(columns: readonly (FilledColumn<R> | null)[], rows: readonly R[]): Table {
  const filled = columns.filter((column) => column !== null);
  return {
    columns: filled.map(([column]) => column),
    rows: rows.map((row) => filled.map(([, cell]) => cell(row))),
  };
}

/** Columns of numbers. */
export function numberColumns(...titles: readonly string[]): Column[] {
  return titles.map((title) => ({ title, align: 'right' }));
}

/** Columns of names, which a narrow terminal may cut. */
export function textColumns(...titles: readonly string[]): Column[] {
  return titles.map((title) => ({ title, shrinks: true }));
}

/** What can be done next, with commands or files to copy. */
export function commandTable(rows: readonly (readonly [what: string, command: string])[]): Table {
  return {
    columns: [{ title: '' }, { title: '' }],
    rows: rows.map(([what, command]) => [what, { text: command, tone: 'strong' }]),
  };
}

/** Lines that stay as they are: YAML, a signature, a command. */
export interface Code extends Part {
  readonly code: string;
  readonly language?: string;
  readonly lead?: string;
}

/** An image file next to the page; a terminal shows none. */
export interface Picture extends Part {
  readonly picture: string;
  /** What it shows. */
  readonly alt: string;
}

/** A text with the items that were found in it: on a terminal their marks are under each line. */
export interface MarkedText extends Part {
  readonly marked: string;
  readonly marks: readonly TextMark[];
}

/** A stretch of a text, in UTF-16 units, with the number of its verdict. */
export interface TextMark {
  readonly start: number;
  readonly end: number;
  readonly side: 'gold' | 'predicted';
  readonly number: number;
  readonly label: string;
  readonly verdict: VerdictKind;
}

/** Plain text, or pieces of different weight. */
export type Text = string | Piece | readonly Piece[];

export interface Piece {
  readonly text: string;
  readonly tone?: Tone | null;
  /** A name, a path or a setting: set apart on a page. */
  readonly code?: boolean;
  /** An address: a link on a page, if it is one of the web. */
  readonly link?: boolean;
  /** Drawn below the text in HTML. */
  readonly bar?: IntervalBar | null;
}

/** A value with its interval on a line between two ends, and the value to aim at. It shows no more than the text. */
export interface IntervalBar {
  readonly value: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly ends: readonly [number, number];
  readonly aim: number | null;
}

/** A list without the entries that do not apply: `condition && entry`. */
export function present<T>(entries: readonly (T | null | false)[]): T[] {
  return entries.filter((entry): entry is T => entry !== null && entry !== false);
}

export function quiet(text: string): Piece {
  return { text, tone: 'quiet' };
}

/** Signs that need no colour: `symbol` on a terminal, `sign` on a page. */
export const MARKS = {
  error: { symbol: '✗', tone: 'bad', sign: '❌' },
  warning: { symbol: '!', tone: 'warn', sign: '⚠️' },
  note: { symbol: '·', tone: 'quiet', sign: 'ℹ️' },
  passed: { symbol: '✓', tone: 'good', sign: '✅' },
  inconclusive: { symbol: '?', tone: 'warn', sign: '❔' },
  skipped: { symbol: '–', tone: 'quiet', sign: '➖' },
} as const satisfies Readonly<Record<string, { symbol: string; tone: Tone; sign: string }>>;

export type StatusMark = keyof typeof MARKS;

export function piecesOf(text: Text): readonly Piece[] {
  if (typeof text === 'string') return [{ text }];
  return 'text' in text ? [text] : text;
}

export function unstyledText(text: Text): string {
  return piecesOf(text)
    .map((piece) => piece.text)
    .join('');
}

/** A text as an address of the web, if it can be nothing else. */
export function webAddress(text: string): string | null {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !/[<>\s]/.test(url.href) ? url.href : null;
}

/** A list of terms, each with what it means. */
export function termList(terms: readonly (readonly [term: string, meaning: string])[]): List {
  return { list: terms.map(([term, meaning]) => [{ text: term, tone: 'strong' }, { text: `: ${meaning}` }]) };
}

/** An entry of a list in its long form. */
export function listEntry(entry: ListItem): Exclude<ListItem, Text> {
  return typeof entry === 'object' && 'item' in entry ? entry : { item: entry, note: null };
}

export function hasTitles({ columns }: Table): boolean {
  return columns.some(({ title }) => title !== '');
}

type ShownSection = Omit<Section, 'blocks'> & { readonly blocks: readonly Block[] };

/** What of a document a medium shows: sections that have blocks there, and of tables the columns. */
export function shownOn(medium: Medium, { sections }: Document): ShownSection[] {
  const isShown = ({ on = medium }: Part): boolean => on === medium;
  return sections.filter(isShown).flatMap((section) => {
    const blocks = section.blocks
      .filter((block) => block !== null && isShown(block) && !isEmpty(block))
      .map((block) => ('rows' in block! ? withoutUndefined(withColumns(block, isShown)) : block!));
    return blocks.length === 0 ? [] : [{ ...section, blocks }];
  });
}

function isEmpty(block: Block): boolean {
  return ('rows' in block && block.rows.length === 0) || ('list' in block && block.list.length === 0);
}

/** The table without the columns that a test leaves out. */
export function withColumns(table: Table, isKept: (column: Column) => boolean): Table {
  const kept = table.columns.map(isKept);
  if (kept.every(Boolean)) return table;
  const only = <T>(cells: readonly T[]): T[] => cells.filter((_, at) => kept[at]);
  const rows = table.rows.map((row) => ('group' in row ? row : only(row)));
  return { ...table, columns: only(table.columns), rows };
}

/**
 * The table without rows and columns whose values are all undefined, and a remark with what is missing; a table without
 * any value stays as it is. The maker of the table states the reasons.
 */
function withoutUndefined(table: Table): Table {
  const places = table.columns.flatMap(({ value = false }, at) => (value ? [at] : []));
  const isOpen = (row: TableRow, at: number): boolean => 'group' in row || unstyledText(row[at] ?? '').trim() === NONE;
  const rows = table.rows.filter((row) => 'group' in row || places.some((at) => !isOpen(row, at)));
  const open = new Set(places.filter((at) => table.rows.every((row) => isOpen(row, at))));
  const missing = table.rows.length - rows.length;
  if (open.size === places.length || (missing === 0 && open.size === 0)) return table;
  const columns = [...open].map((at) => table.columns[at]!.title);
  const parts = present([missing > 0 && plural(missing, 'row'), columns.length > 0 && `column ${columns.join(', ')}`]);
  const remark = `Not shown, undefined throughout: ${parts.join('; ')}`;
  const kept = { ...table, rows: withoutEmptyGroups(rows), remarks: [remark, ...(table.remarks ?? [])] };
  return withColumns(kept, (column) => !open.has(table.columns.indexOf(column)));
}

/** Rows without the headings that nothing is left below. */
function withoutEmptyGroups(rows: readonly TableRow[]): TableRow[] {
  return rows.filter((row, at) => !('group' in row) || !('group' in (rows[at + 1] ?? { group: '' })));
}
