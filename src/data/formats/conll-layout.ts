import { roleColumns, type ReadContext } from '../data-options.ts';
import { InputError, UsageError } from '../problems.ts';
import type { Side } from '../item.ts';
import { describe } from '../record-fields.ts';
import { cellsOf, type ColumnPlaces, columnPlaces, isComment, isHeader, sentenceCells } from './conll-text.ts';
import { areChunks, tagLabels, schemeOf, TAG, type TagScheme } from './tagged-tokens.ts';

const LINES_LOOKED_AT = 200;

/** A column of tags, and the side that it holds. */
export interface TagColumn {
  readonly side: Side;
  readonly at: number;
  readonly scheme: TagScheme;
}

/** Which cells hold what: the token, and the tags of each side that is read. */
export interface Layout {
  readonly cells: number;
  readonly line: number;
  /** The line that names the columns and holds no token. */
  readonly header: number | null;
  readonly token: number;
  readonly tags: readonly TagColumn[];
}

interface LayoutRow {
  readonly cells: readonly string[];
  readonly line: number;
}

/** A column that may hold the tags of a side. */
interface Candidate {
  readonly at: number;
  readonly scheme: TagScheme;
  readonly labels: ReadonlySet<string>;
}

/** Comment that names the columns, as in CoNLL-U Plus; `convert` writes this one for both sides. */
export const COLUMNS_OF_BOTH = '# global.columns = FORM GOLD PREDICTED';
const COMMENTED_NAMES = /^#\s*global\.columns\s*=(.*)$/m;

/**
 * Finds out how the columns are used: from `--columns`, from a comment or a header that names them, else from the first
 * lines. Of two columns of tags, the last two of a file without numbered tokens are gold and predicted, as conlleval reads
 * them; whatever else they may be is asked about.
 */
export function layoutOf(start: string, context: ReadContext): Layout {
  const lines = firstRows(start);
  const header = lines[0] !== undefined && isHeader(lines[0].cells) ? lines[0] : null;
  const rows = header === null ? lines : lines.slice(1);
  const [first = { cells: [], line: 1 }] = rows;
  const width = first.cells.length;
  const same = rows.filter(({ cells }) => cells.length === width).map(({ cells }) => cells);
  const isIndexed =
    width > 2 &&
    same.every((cells) => /^\d+(?:[-.]\d+)?$/.test(cells[0]!)) &&
    // Tokens may be numbers, but what stands beside them is then no token.
    schemeOf(same.map((cells) => cells[1]!)) === null;
  const names = COMMENTED_NAMES.exec(start)?.[1]?.trim().split(/\s+/) ?? header?.cells ?? [];
  const places = columnPlaces(names);
  const named = namedColumns(places, context);
  const token = named.token ?? (isIndexed ? 1 : 0);
  const layout = { cells: width, line: first.line, header: header?.line ?? null, token };
  const sides = sidesOf(context);
  if (sides.some((side) => named[side] !== undefined))
    return {
      ...layout,
      tags: sides.flatMap((side) => {
        const at = named[side];
        return at === undefined ? [] : [{ side, at, scheme: namedScheme(same.map((cells) => cells[at] ?? 'O')) }];
      }),
    };
  if ((places.gold ?? places.predicted) !== undefined) throw unnamedSide(sides[0]!, names, context);
  const columns = tagColumns(same, token, width);
  const isLast = TAG.test(first.cells.at(-1) ?? '');
  if (columns.length === 0 && !isLast && isIndexed && width >= 5) return { ...layout, tags: [] };
  if (columns.length > 1) {
    const pair = conllevalColumns(columns, width, isIndexed, context);
    if (pair === null) throw unclearColumns(columns, first.line, context);
    return { ...layout, tags: sides.map((side) => ({ side, ...pair[side] })) };
  }
  if (sides.length > 1) throw oneColumn(first, context);
  // Without a column of tags, the last one is meant, and what is wrong with it is reported.
  const { at, scheme } = columns[0] ?? { at: width - 1, scheme: 'prefix' as const };
  return { ...layout, tags: sides.map((side) => ({ side, at, scheme })) };
}

function firstRows(start: string): LayoutRow[] {
  const rows: LayoutRow[] = [];
  for (const [at, text] of start.split('\n').entries()) {
    const line = text.replace(/\r$/, '');
    if (rows.length >= LINES_LOOKED_AT || line.trim() === '' || line.startsWith('-DOCSTART-')) continue;
    const sentence = sentenceCells(line);
    if (sentence !== null) rows.push(...sentence.map((cells) => ({ cells, line: at + 1 })));
    else if (!/^#(?:\s|$)/.test(line) || (!isComment(line) && isSign(cellsOf(line))))
      rows.push({ cells: cellsOf(line), line: at + 1 });
  }
  return rows;
}

/** Whether a line that begins with # is the token # anyway. */
function isSign(cells: readonly string[]): boolean {
  return cells.length > 1 && cells[0] === '#' && TAG.test(cells.at(-1)!);
}

function sidesOf({ role }: ReadContext): readonly Side[] {
  return role === 'cases' ? ['gold', 'predicted'] : [role === 'predictions' ? 'predicted' : 'gold'];
}

/** `--columns token=2,tag=3`, from 1, or `gold.tag=3,predicted.tag=4`; else what the file names. */
function namedColumns(places: ColumnPlaces, context: ReadContext): ColumnPlaces {
  const columns = roleColumns(context.options.columns, context.role);
  const number = (part: string): number | undefined => {
    const written = columns[part];
    if (written === undefined) return undefined;
    if (/^[1-9]\d{0,3}$/.test(written)) return Number(written) - 1;
    throw new UsageError(`columns: ${part}=${written}: expected the number of a column`, `for example ${part}=2`);
  };
  const [tag, gold, predicted] = [number('tag'), number('gold.tag'), number('predicted.tag')];
  const isByFlag = [tag, gold, predicted].some((at) => at !== undefined);
  const side = (name: Side, at: number | undefined): ColumnPlaces => (at === undefined ? {} : { [name]: at });
  const plain = context.role === 'predictions' ? 'predicted' : 'gold';
  const token = number('token') ?? places.token;
  return {
    ...(token === undefined ? {} : { token }),
    ...(isByFlag
      ? { ...side(plain, tag), ...side('gold', gold), ...side('predicted', predicted) }
      : { ...side('gold', places.gold), ...side('predicted', places.predicted) }),
  };
}

function namedScheme(tags: readonly string[]): TagScheme {
  return schemeOf(tags) ?? schemeOf(tags, true) ?? 'prefix';
}

/** The columns after the token that hold tags, even if some of their cells are wrong. */
function tagColumns(rows: readonly (readonly string[])[], token: number, width: number): readonly Candidate[] {
  const columns = Array.from({ length: width }, (_, at): Candidate[] => {
    const tags = rows.map((cells) => cells[at]!);
    const isMostlyTags = tags.filter((tag) => TAG.test(tag)).length * 2 > tags.length;
    const scheme = at <= token ? null : (schemeOf(tags) ?? (isMostlyTags ? 'prefix' : null));
    return scheme === null ? [] : [{ at, scheme, labels: tagLabels(tags, scheme) }];
  }).flat();
  const others = columns.filter(({ labels }) => !areChunks(labels));
  return others.length > 0 ? others : columns;
}

/** Gold and predicted tags in the last two columns; null if what is in them may be something else for a file of this role. */
function conllevalColumns(
  columns: readonly Candidate[],
  width: number,
  isIndexed: boolean,
  { role }: ReadContext,
): Readonly<Record<Side, Candidate>> | null {
  const [gold, predicted, ...more] = columns;
  const isLayout = !isIndexed && gold?.at === width - 2 && predicted?.at === width - 1 && more.length === 0;
  if (!isLayout) return null;
  const isEmpty = ({ labels }: Candidate): boolean => labels.size === 0;
  const [wanted, other] = role === 'predictions' ? [predicted, gold] : [gold, predicted];
  // An empty column may also be filler, or an inner layer that these lines lack.
  const isClear =
    isEmpty(gold) || isEmpty(predicted)
      ? role === 'cases' || (isEmpty(other) && !isEmpty(wanted))
      : !gold.labels.isDisjointFrom(predicted.labels);
  return isClear ? { gold, predicted } : null;
}

function unclearColumns(columns: readonly Candidate[], line: number, { file, role }: ReadContext): InputError {
  const numbers = columns.map(({ at }) => at + 1);
  const [first = 0, second = 0] = numbers;
  const what = `columns ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1) ?? 0} hold tags, and nothing shows which`;
  const ask = (question: string, next: string): InputError =>
    new InputError([{ file, line, message: `${what} ${question}`, next }]);
  if (role === 'gold' || role === 'predictions') {
    const side = role === 'gold' ? 'gold' : 'predicted';
    const choices = numbers.map((at) => `${side}.tag=${at}`).join(' or ');
    return ask(`is ${side}`, `name the column: --columns ${choices}`);
  }
  const both = `gold.tag=${first},predicted.tag=${second}`;
  return ask('is gold and which is predicted', `name the columns: --columns ${both}; or only one of them`);
}

function unnamedSide(side: Side, names: readonly string[], { file }: ReadContext): InputError {
  const message = `the columns are ${names.map((name) => describe(name)).join(', ')}: none of them is ${side}`;
  return new InputError([
    { file, line: null, message, next: `name the column: --columns ${side}.tag=${names.length}` },
  ]);
}

function oneColumn({ cells, line }: LayoutRow, { file }: ReadContext): InputError {
  const message = `expected a token, its gold tag and its predicted tag, found ${describe(cells.join(' '))}`;
  return new InputError([{ file, line, field: 'columns', message, next: 'a file of one side is given with --gold' }]);
}
