import type { ReadContext, Row, TextFormat } from '../format.ts';
import { type LineOptions, mostBytes, reportLong } from '../lines.ts';
import { describe, wrong } from '../record-fields.ts';
import { taggedSpans, type Token, tokenPlaces } from './tagged-spans.ts';

const TAG = /^(?:O|[BIESLU]-\S.*)$/;
const NAMED = /^#\s*(?:id|sent_id|doc_id)\s*[=:](.*)$/s;

interface Block {
  readonly id: string | null;
  readonly line: number;
  readonly tokens: Token[];
  /** Tags by column: one for a side's own file, gold then predicted in a case file. */
  readonly tags: readonly [string[], string[]];
  bytes: number;
}

/**
 * CoNLL columns with BIO, IOB, BIOES or BILOU tags: one token a line, the tag last, a blank line between cases.
 * The text of a case is its tokens joined by single spaces. `# id = x` names a case, else it is its number.
 */
export const conll: TextFormat = {
  kind: 'text',
  name: 'conll',
  about: 'tokens with BIO / BIOES tags, one per line; in a case file the last two columns are gold and predicted',
  example: 'Ann B-PER',
  extensions: ['.bio', '.conll', '.iob', '.iob2', '.bioes'],
  detects(lines) {
    const tagged = lines
      .filter((line) => !/^#|^-DOCSTART-/.test(line))
      .map(cellsOf)
      .map((cells) => cells.length > 1 && TAG.test(cells.at(-1)!));
    // The first line is what parts it from a table, which has a header.
    return tagged[0] === true && tagged.filter(Boolean).length * 2 > tagged.length;
  },
  async *read(records, context) {
    const blocks = new Blocks(context, records.limits);
    let lastLine = 0;
    for await (const batch of records.lines()) {
      for (const { text, line } of batch) {
        // Blank lines are not handed on by the line reader: a jump in the numbers is one.
        if (line > lastLine + 1) blocks.finish();
        lastLine = line;
        blocks.take(text, line);
      }
      yield blocks.rows();
    }
    blocks.finish();
    yield blocks.rows();
  },
};

/** Only spaces and tabs part the cells: a no-break space is a character of its token. */
function cellsOf(text: string): string[] {
  return text.includes('\t') ? text.split('\t').map(withoutSpaces) : withoutSpaces(text).split(/ +/);
}

function withoutSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === ' ') start += 1;
  while (end > start && text[end - 1] === ' ') end -= 1;
  return text.slice(start, end);
}

class Blocks {
  readonly #context: ReadContext;
  /** How many tag columns there are. */
  readonly #columns: 1 | 2;
  readonly #limits: LineOptions;
  /** Most bytes a case may have. */
  readonly #most: number;
  #block: Block | null = null;
  #count = 0;
  #rows: Row[] = [];
  /** Cells of the first token's line, which all others must have too. */
  #width: { readonly cells: number; readonly line: number } | null = null;

  constructor(context: ReadContext, limits: LineOptions) {
    this.#context = context;
    this.#limits = limits;
    this.#columns = context.role === 'cases' ? 2 : 1;
    this.#most = mostBytes(limits);
  }

  rows(): Row[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  take(text: string, line: number): void {
    const id = NAMED.exec(text)?.[1]?.trim() ?? '';
    if (id !== '') {
      if (this.#block !== null && this.#block.tokens.length > 0) this.finish();
      this.#block = newBlock(id, line);
      return;
    }
    if (text.startsWith('-DOCSTART-')) {
      this.finish();
      return;
    }
    const cells = cellsOf(text);
    if (text.startsWith('#') && (this.#block?.tokens.length ?? 0) === 0 && !this.#isToken(cells)) return;
    this.#block ??= newBlock(null, line);
    this.#takeCells(this.#block, cells, text, line);
  }

  finish(): void {
    const block = this.#block;
    this.#block = null;
    if (block === null) return;
    const context = this.#context;
    if (block.tokens.length === 0) {
      if (block.id !== null) wrong(context, block.line, 'id', `tokens under ${describe(block.id)}`, undefined);
      return;
    }
    this.#count += 1;
    const first = taggedSpans(block.tokens, block.tags[0], context);
    this.#rows.push({
      id: block.id ?? String(this.#count),
      line: block.line,
      text: block.tokens.map((token) => token.text).join(' '),
      tokens: tokenPlaces(block.tokens),
      fields: {},
      gold: context.role === 'predictions' ? null : first,
      predicted:
        context.role === 'gold'
          ? null
          : this.#columns === 1
            ? first
            : taggedSpans(block.tokens, block.tags[1], context),
      failed: null,
    });
  }

  /** Whether a line that begins with # is the token # all the same. */
  #isToken(cells: readonly string[]): boolean {
    return (
      cells.length === (this.#width?.cells ?? this.#columns + 1) && this.#tagsOf(cells).every((tag) => TAG.test(tag))
    );
  }

  #tagsOf(cells: readonly string[]): readonly string[] {
    return cells.slice(-this.#columns);
  }

  #takeCells(block: Block, cells: readonly string[], text: string, line: number): void {
    const context = this.#context;
    if (cells.length <= this.#columns || cells[0] === '') {
      const both = this.#columns === 2;
      const expected = both ? 'a token, its gold tag and its predicted tag' : 'a token and its tag';
      wrong(context, line, 'columns', expected, text, both ? 'a file of one side is given with --gold' : undefined);
      return;
    }
    this.#width ??= { cells: cells.length, line };
    if (cells.length !== this.#width.cells) {
      wrong(context, line, 'columns', `${this.#width.cells} columns as in line ${this.#width.line}`, cells.length);
      return;
    }
    const tags = this.#tagsOf(cells);
    const odd = tags.find((tag) => !TAG.test(tag));
    if (odd !== undefined) {
      wrong(context, line, 'tag', 'O, or B-, I-, E-, S-, L- or U- with a label', odd);
      return;
    }
    if (block.bytes > this.#most) return;
    block.bytes += Buffer.byteLength(text) + 1;
    if (block.bytes > this.#most) {
      reportLong(block.line, this.#limits);
      return;
    }
    block.tokens.push({ text: cells[0]!, line });
    tags.forEach((tag, column) => block.tags[column]!.push(tag));
  }
}

function newBlock(id: string | null, line: number): Block {
  return { id, line, tokens: [], tags: [[], []], bytes: 0 };
}
