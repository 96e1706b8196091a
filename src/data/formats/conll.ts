import { skipSpace } from '../../text/characters.ts';
import { roleColumns, type ReadContext } from '../data-options.ts';
import type { Row, TextFormat } from '../format.ts';
import { mostBytes, reportLong } from '../lines.ts';
import { UsageError } from '../problems.ts';
import { describe, wrong } from '../record-fields.ts';
import type { Records } from '../records.ts';
import { CASE_NAME, CASE_TEXT, conllText, isComment, withoutSpaces } from './conll-text.ts';
import { type PartedWord, placeWords, schemeOf, TAG, taggedSpans, type TagScheme } from './tagged-tokens.ts';

const LINES_LOOKED_AT = 200;

interface Token {
  readonly text: string;
  readonly line: number;
  /** One for a side's file, gold then predicted in a case file; none in a file without tags. */
  readonly tags: readonly string[];
}

interface Block {
  readonly id: string | null;
  readonly line: number;
  text: string | null;
  readonly tokens: Token[];
  /** Words of the text that are parted into several tokens: `3-4 zum`. */
  readonly parted: PartedWord[];
  bytes: number;
}

/** Which cells hold what: the token, and the tags of each side. */
interface Layout {
  readonly cells: number;
  readonly line: number;
  readonly token: number;
  readonly tags: readonly number[];
  readonly scheme: TagScheme;
}

/**
 * CoNLL columns with BIO, IOB, BIOES, BILOU or IO tags: one token a line, a blank line between cases. The columns are
 * found by what is in them, or named by number: `--columns token=2,tag=3`. `# id = x` names a case, else it is its number;
 * `# text = …` is its text if the tokens are in it, else the text is the tokens joined by single spaces. Also one sentence a
 * line, `Ann|NNP|B-PER met|VBD|O`.
 */
export const conll: TextFormat = {
  kind: 'text',
  name: 'conll',
  about:
    'tokens with BIO / BIOES / IO tags, one per line (CoNLL-2003, CoNLL-U, any columns); in a case file gold, then predicted',
  example: 'Ann B-PER',
  extensions: ['.bio', '.conll', '.conllu', '.iob', '.iob2', '.bioes'],
  detects(lines) {
    if (lines.some((line) => CASE_NAME.test(line) || /^# (?:newdoc|text|global\.columns)\b/.test(line)))
      return lines.some((line) => !line.startsWith('#') && cellsOf(line).length > 1);
    const plain = lines.filter((line) => !/^#|^-DOCSTART-/.test(line));
    if (plain.length > 0 && plain.every((line) => sentenceCells(line) !== null)) return true;
    const tagged = plain.map(cellsOf).map((cells) => cells.length > 1 && TAG.test(cells.at(-1)!));
    // The first line is what parts it from a table, which has a header.
    return tagged[0] === true && tagged.filter(Boolean).length * 2 > tagged.length;
  },
  async *read(records, context) {
    const start = (await records.start())?.text ?? '';
    const blocks = new Blocks(context, records, layoutOf(start, context));
    let lastLine = 0;
    for await (const batch of records.lines()) {
      for (const { text, line } of batch) {
        // Blank lines are not handed on by the line reader: a jump in the numbers is one.
        if (line > lastLine + 1) blocks.finish();
        lastLine = line;
        blocks.take(text, line);
      }
      yield blocks.rows.splice(0);
    }
    blocks.finish();
    yield blocks.rows;
  },
  writer: {
    extension: '.conll',
    offsets: 'utf16',
    layout: 'text',
    holds: ['both', 'pieces'],
    needsText: true,
    idOf: (id) => id.toWellFormed().replaceAll(/\s+/g, ' ').trim() || '_',
    text: conllText,
  },
};

/** Only spaces and tabs part the cells: a no-break space is a character of its token. */
function cellsOf(text: string): string[] {
  return text.includes('\t') ? text.split('\t').map(withoutSpaces) : withoutSpaces(text).split(/ +/);
}

/** The tokens of a sentence that is written on one line, each with its cells; null for any other line. */
function sentenceCells(line: string): string[][] | null {
  if (!line.includes('|') || line.includes('\t')) return null;
  const tokens = withoutSpaces(line).split(/ +/).map(splitAtBars);
  const width = tokens[0]!.length;
  return width > 1 && tokens.every((cells) => cells.length === width && TAG.test(cells.at(-1)!)) ? tokens : null;
}

/** A token may be a bar itself: `||SYM|O`. */
function splitAtBars(word: string): string[] {
  const [first = '', ...rest] = word.startsWith('|') ? ['|', ...word.slice(2).split('|')] : word.split('|');
  return [first, ...rest];
}

/** Finds out how the columns are used, from the first lines. */
function layoutOf(start: string, context: ReadContext): Layout {
  const wanted = context.role === 'cases' ? 2 : 1;
  const rows: { cells: string[]; line: number }[] = [];
  for (const [at, text] of start.split('\n').entries()) {
    const line = text.replace(/\r$/, '');
    if (rows.length >= LINES_LOOKED_AT || line.trim() === '' || line.startsWith('-DOCSTART-')) continue;
    const sentence = sentenceCells(line);
    if (sentence !== null) rows.push(...sentence.map((cells) => ({ cells, line: at + 1 })));
    else if (!/^#(?:\s|$)/.test(line) || (!isComment(line) && isToken(cellsOf(line))))
      rows.push({ cells: cellsOf(line), line: at + 1 });
  }
  const [first = { cells: [], line: 1 }] = rows;
  const width = first.cells.length;
  const same = rows.filter(({ cells }) => cells.length === width).map(({ cells }) => cells);
  const isIndexed =
    width > 2 &&
    same.every((cells) => /^\d+(?:[-.]\d+)?$/.test(cells[0]!)) &&
    // Tokens may be numbers, but what stands beside them is then no token.
    schemeOf(same.map((cells) => cells[1]!)) === null;
  const named = namedColumns(context);
  const token = named.token ?? (isIndexed ? 1 : 0);
  const schemes = Array.from({ length: width }, (_, at) =>
    at <= token ? null : schemeOf(same.map((cells) => cells[at]!)),
  );
  const last = schemes.findLastIndex((scheme) => scheme !== null);
  const isLast = TAG.test(first.cells.at(-1) ?? '');
  // Without a column that is all tags, the last one is meant, and what is wrong with it is reported.
  const end = named.tag ?? (last < 0 || isLast ? width - 1 : last);
  const isUntagged = named.tag === undefined && last < 0 && !isLast && isIndexed && width >= 5;
  const scheme =
    schemes[end] ??
    (named.tag === undefined
      ? 'prefix'
      : (schemeOf(
          same.map((cells) => cells[end] ?? 'O'),
          true,
        ) ?? 'prefix'));
  const tags = isUntagged ? [] : wanted === 1 ? [end] : [end - 1, end];
  return { cells: width, line: first.line, token, tags, scheme };
}

/** `--columns token=2,tag=3`, from 1. */
function namedColumns({ options, role }: ReadContext): { token?: number; tag?: number } {
  const columns = roleColumns(options.columns, role);
  const number = (part: string): number | undefined => {
    const written = columns[part];
    if (written === undefined) return undefined;
    if (/^[1-9]\d{0,3}$/.test(written)) return Number(written) - 1;
    throw new UsageError(`columns: ${part}=${written}: expected the number of a column`, `for example ${part}=2`);
  };
  const [token, tag] = [number('token'), number('tag')];
  return { ...(token === undefined ? {} : { token }), ...(tag === undefined ? {} : { tag }) };
}

/** Whether a line that begins with # is the token # anyway. */
function isToken(cells: readonly string[]): boolean {
  return cells.length > 1 && cells[0] === '#' && TAG.test(cells.at(-1)!);
}

class Blocks {
  /** Those that are finished. */
  readonly rows: Row[] = [];
  readonly #context: ReadContext;
  readonly #limits: Records['limits'];
  readonly #layout: Layout;
  #block: Block | null = null;
  #count = 0;
  #named = 0;

  constructor(context: ReadContext, { limits }: Records, layout: Layout) {
    this.#context = context;
    this.#limits = limits;
    this.#layout = layout;
  }

  take(text: string, line: number): void {
    const id = CASE_NAME.exec(text)?.[1]?.trim() ?? '';
    if (id !== '') {
      const before = (this.#block?.tokens.length ?? 0) > 0 ? null : (this.#block?.text ?? null);
      if ((this.#block?.tokens.length ?? 0) > 0) this.finish();
      this.#block = { id, line, text: before, tokens: [], parted: [], bytes: 0 };
      return;
    }
    if (text.startsWith('-DOCSTART-')) {
      this.finish();
      return;
    }
    const sentence = this.#layout.cells > 1 ? sentenceCells(text) : null;
    if (sentence !== null) {
      this.finish();
      this.#block = { id: null, line, text: null, tokens: [], parted: [], bytes: 0 };
      for (const cells of sentence) this.#takeCells(this.#block, cells, text, line);
      this.finish();
      return;
    }
    const cells = cellsOf(text);
    const isFirst = (this.#block?.tokens.length ?? 0) === 0;
    if (text.startsWith('#') && isFirst && (CASE_TEXT.test(text) || !this.#isToken(cells))) {
      const words = CASE_TEXT.exec(text)?.[1];
      this.#block ??= { id: null, line, text: null, tokens: [], parted: [], bytes: 0 };
      if (words !== undefined) this.#block.text = words;
      return;
    }
    this.#block ??= { id: null, line, text: null, tokens: [], parted: [], bytes: 0 };
    this.#takeCells(this.#block, cells, text, line);
  }

  finish(): void {
    const block = this.#block;
    this.#block = null;
    if (block === null) return;
    const context = this.#context;
    const { id, line, tokens } = block;
    const isBlank = block.text !== null && skipSpace(block.text, 0) === block.text.length;
    if (tokens.length === 0 && !(id !== null && isBlank)) {
      if (id !== null) wrong(context, line, 'id', `tokens under ${describe(id)}`, undefined);
      return;
    }
    this.#count += 1;
    const { scheme, tags } = this.#layout;
    const placed = placeWords(
      tokens.map((token) => token.text),
      block.parted,
      block.text,
    );
    const sides = tags.map((_, at) =>
      taggedSpans(
        tokens.map((token) => ({ line: token.line, tag: token.tags[at]! })),
        placed,
        scheme,
        context,
      ),
    );
    this.#named += id === null ? 0 : 1;
    // Cases are numbered only if none of them has a name.
    if (context.numbering !== undefined) context.numbering.used = this.#named === 0 ? this.#count : 0;
    this.rows.push({
      id: id ?? String(this.#count),
      line,
      text: placed.text,
      tokens: placed.words,
      fields: {},
      gold: context.role === 'predictions' ? null : (sides[0] ?? []),
      predicted: context.role === 'gold' ? null : (sides.at(-1) ?? []),
      failed: null,
      unit: 'utf16',
    });
  }

  #isToken(cells: readonly string[]): boolean {
    const { cells: width, tags } = this.#layout;
    return cells.length === width && tags.length > 0 && tags.every((at) => TAG.test(cells[at] ?? ''));
  }

  #takeCells(block: Block, cells: readonly string[], text: string, line: number): void {
    const context = this.#context;
    const { cells: width, token, tags: at, scheme, line: firstLine } = this.#layout;
    // Of a word that CoNLL-U parts (3-4), the parts have the tags; empty nodes (5.1) are no tokens.
    const [, first, mark, last] = (token === 1 && /^(\d+)([-.])(\d+)$/.exec(cells[0] ?? '')) || [];
    if (mark === '-')
      block.parted.push({ from: block.tokens.length, count: 1 + Number(last) - Number(first), text: cells[1] ?? '' });
    if (mark !== undefined) return;
    if (cells.length <= at.length || at.some((one) => one < 0 || one === token) || (cells[token] ?? '') === '') {
      const both = context.role === 'cases';
      const expected = both ? 'a token, its gold tag and its predicted tag' : 'a token and its tag';
      wrong(context, line, 'columns', expected, text, both ? 'a file of one side is given with --gold' : undefined);
      return;
    }
    if (cells.length !== width) {
      wrong(context, line, 'columns', `${width} columns as in line ${firstLine}`, cells.length);
      return;
    }
    const tags = at.map((one) => cells[one] ?? '');
    const odd = tags.find((tag) => schemeOf([tag], scheme === 'types') === null && !(scheme === 'types' && tag !== ''));
    if (odd !== undefined) {
      wrong(context, line, 'tag', 'O, or B-, I-, E-, S-, L- or U- with a label', odd);
      return;
    }
    const most = mostBytes(this.#limits);
    if (block.bytes > most) return;
    block.bytes += Buffer.byteLength(text) + 1;
    if (block.bytes > most) reportLong(block.line, this.#limits);
    else block.tokens.push({ text: cells[token]!, line, tags });
  }
}
