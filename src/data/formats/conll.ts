import { skipSpace } from '../../text/characters.ts';
import type { ReadContext } from '../data-options.ts';
import type { Row, TextFormat } from '../format.ts';
import type { Item, Side } from '../item.ts';
import { CaseSize } from '../case-size.ts';
import { describe, wrong } from '../record-fields.ts';
import type { Records } from '../records.ts';
import { COLUMNS_OF_BOTH, type Layout, layoutOf } from './conll-layout.ts';
import { CASE_NAME, CASE_TEXT, cellsOf, conllText, isHeader, sentenceCells } from './conll-text.ts';
import { fitsScheme, type PartedWord, placeWords, TAG, taggedSpans } from './tagged-tokens.ts';

/** The role of a file with only that side. */
const ROLE_OF = { gold: 'gold', predicted: 'predictions' } as const;

interface Token {
  readonly text: string;
  readonly line: number;
  /** Of the columns of the layout, in their order. */
  readonly tags: readonly string[];
}

interface Block {
  readonly id: string | null;
  readonly line: number;
  text: string | null;
  readonly tokens: Token[];
  /** Words of the text that are parted into several tokens: `3-4 zum`. */
  readonly parted: PartedWord[];
  readonly size: CaseSize;
}

/**
 * CoNLL columns with BIO, IOB, BIOES, BILOU or IO tags: one token a line, a blank line between cases. The columns are
 * found by what is in them, or named by number: `--columns token=2,tag=3`, `gold.tag=3`. `# id = x` names a case, else it is its number;
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
    const [first, ...others] = lines.filter((line) => !/^#|^-DOCSTART-/.test(line));
    const plain = first === undefined || isHeader(cellsOf(first)) ? others : [first, ...others];
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
    head: (side) => (side === 'both' ? `${COLUMNS_OF_BOTH}\n` : ''),
    idOf: (id) => id.toWellFormed().replaceAll(/\s+/g, ' ').trim() || '_',
    text: conllText,
  },
};

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
    if (line === this.#layout.header) return;
    if (this.#block?.size.isTooLarge === true && !/^[#-]/.test(text)) return;
    const id = CASE_NAME.exec(text)?.[1]?.trim() ?? '';
    if (id !== '') {
      const before = (this.#block?.tokens.length ?? 0) > 0 ? null : (this.#block?.text ?? null);
      if ((this.#block?.tokens.length ?? 0) > 0) this.finish();
      this.#block = this.#begin(line, id, before);
      return;
    }
    if (text.startsWith('-DOCSTART-')) {
      this.finish();
      return;
    }
    const sentence = this.#layout.cells > 1 ? sentenceCells(text) : null;
    if (sentence !== null) {
      this.finish();
      this.#block = this.#begin(line);
      for (const cells of sentence) this.#takeCells(this.#block, cells, cells.join('|'), line);
      this.finish();
      return;
    }
    const cells = cellsOf(text);
    const isFirst = (this.#block?.tokens.length ?? 0) === 0;
    if (text.startsWith('#') && isFirst && (CASE_TEXT.test(text) || !this.#isToken(cells))) {
      const words = CASE_TEXT.exec(text)?.[1];
      this.#block ??= this.#begin(line);
      if (words !== undefined) this.#block.text = words;
      return;
    }
    this.#block ??= this.#begin(line);
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
    const placed = placeWords(
      tokens.map((token) => token.text),
      block.parted,
      block.text,
    );
    const { tags } = this.#layout;
    const itemsOf = (side: Side): Item[] | null => {
      const at = tags.findIndex((column) => column.side === side);
      if (at < 0) return context.role === ROLE_OF[side] ? [] : null;
      const own = tokens.map((token) => ({ line: token.line, tag: token.tags[at]! }));
      return taggedSpans(own, placed, tags[at]!.scheme, context);
    };
    this.#named += id === null ? 0 : 1;
    // Cases are numbered only if none of them has a name.
    if (context.numbering !== undefined) context.numbering.used = this.#named === 0 ? this.#count : 0;
    this.rows.push({
      id: id ?? String(this.#count),
      line,
      text: placed.text,
      tokens: placed.words,
      fields: {},
      gold: itemsOf('gold'),
      predicted: itemsOf('predicted'),
      failed: null,
      unit: 'utf16',
    });
  }

  #begin(line: number, id: string | null = null, text: string | null = null): Block {
    return { id, line, text, tokens: [], parted: [], size: new CaseSize(this.#limits, line) };
  }

  #isToken(cells: readonly string[]): boolean {
    const { cells: width, tags } = this.#layout;
    return cells.length === width && tags.length > 0 && tags.every(({ at }) => TAG.test(cells[at] ?? ''));
  }

  #takeCells(block: Block, cells: readonly string[], text: string, line: number): void {
    const context = this.#context;
    const { cells: width, token, tags: columns, line: firstLine } = this.#layout;
    // Of a word that CoNLL-U parts (3-4), the parts have the tags; empty nodes (5.1) are no tokens.
    const [, first, mark, last] = (token === 1 && /^(\d+)([-.])(\d+)$/.exec(cells[0] ?? '')) || [];
    if (mark === '-' && block.size.add(1, 0))
      block.parted.push({ from: block.tokens.length, count: 1 + Number(last) - Number(first), text: cells[1] ?? '' });
    if (mark !== undefined) return;
    if (cells.length !== width) {
      wrong(context, line, 'columns', `${width} columns as in line ${firstLine}`, cells.length);
      return;
    }
    if (columns.some(({ at }) => at >= cells.length || at === token) || (cells[token] ?? '') === '') {
      const expected = columns.length > 1 ? 'a token, its gold tag and its predicted tag' : 'a token and its tag';
      wrong(context, line, 'columns', expected, text);
      return;
    }
    const tags = columns.map(({ at }) => cells[at]!);
    const odd = columns.findIndex(({ scheme }, at) => !fitsScheme(tags[at]!, scheme));
    if (odd >= 0) {
      wrong(context, line, 'tag', 'O, or B-, I-, E-, S-, L- or U- with a label', tags[odd]);
      return;
    }
    if (block.size.add(1, tags.filter((tag) => tag !== 'O').length, Buffer.byteLength(text) + 1))
      block.tokens.push({ text: cells[token]!, line, tags });
    // What shows the contents of a refused case.
    else block.tokens.splice(1000);
  }
}
