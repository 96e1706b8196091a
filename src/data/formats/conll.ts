import { codePointLength } from '../../text/characters.ts';
import type { OffsetUnit } from '../../text/offsets.ts';
import type { ReadContext } from '../data-options.ts';
import type { Row, TextFormat } from '../format.ts';
import { type Item, makeItem } from '../item.ts';
import { mostBytes, reportLong } from '../lines.ts';
import { describe, wrong } from '../record-fields.ts';
import type { Records } from '../records.ts';

const TAG = /^(?:O|[BIESLU]-\S.*)$/;
const BEGIN_STRAY = 'or read it as a beginning: --set data.strayInside=begin';
const NAMED = /^#\s*(?:id|sent_id|doc_id)\s*[=:](.*)$/s;

interface Token {
  readonly text: string;
  readonly line: number;
  /** One for a side's own file, gold then predicted in a case file. */
  readonly tags: readonly string[];
}

interface Block {
  readonly id: string | null;
  readonly line: number;
  readonly tokens: Token[];
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
    const blocks = new Blocks(context, records);
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
  /** Those that are finished. */
  readonly rows: Row[] = [];
  readonly #context: ReadContext;
  readonly #limits: Records['limits'];
  /** How many tag columns there are. */
  readonly #columns: 1 | 2;
  #block: Block | null = null;
  #count = 0;
  /** Cells of the first token's line, which all others must have too. */
  #width: { readonly cells: number; readonly line: number } | null = null;

  constructor(context: ReadContext, { limits }: Records) {
    this.#context = context;
    this.#limits = limits;
    this.#columns = context.role === 'cases' ? 2 : 1;
  }

  take(text: string, line: number): void {
    const id = NAMED.exec(text)?.[1]?.trim() ?? '';
    if (id !== '') {
      if ((this.#block?.tokens.length ?? 0) > 0) this.finish();
      this.#block = { id, line, tokens: [], bytes: 0 };
      return;
    }
    if (text.startsWith('-DOCSTART-')) {
      this.finish();
      return;
    }
    const cells = cellsOf(text);
    if (text.startsWith('#') && (this.#block?.tokens.length ?? 0) === 0 && !this.#isToken(cells)) return;
    this.#block ??= { id: null, line, tokens: [], bytes: 0 };
    this.#takeCells(this.#block, cells, text, line);
  }

  finish(): void {
    const block = this.#block;
    this.#block = null;
    if (block === null) return;
    const context = this.#context;
    const { id, line, tokens } = block;
    if (tokens.length === 0) {
      if (id !== null) wrong(context, line, 'id', `tokens under ${describe(id)}`, undefined);
      return;
    }
    this.#count += 1;
    const sides = Array.from({ length: this.#columns }, (_, column) => taggedSpans(tokens, column, context));
    const { starts, ends } = tokenPlaces(tokens, 'utf16');
    this.rows.push({
      id: id ?? String(this.#count),
      line,
      text: tokens.map((token) => token.text).join(' '),
      tokens: starts.map((start, at) => ({ start, end: ends[at]! })),
      fields: {},
      gold: context.role === 'predictions' ? null : sides[0]!,
      predicted: context.role === 'gold' ? null : sides.at(-1)!,
      failed: null,
    });
  }

  /** Whether a line that begins with # is the token # anyway. */
  #isToken(cells: readonly string[]): boolean {
    const width = this.#width?.cells ?? this.#columns + 1;
    return cells.length === width && cells.slice(-this.#columns).every((tag) => TAG.test(tag));
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
    const tags = cells.slice(-this.#columns);
    const odd = tags.find((tag) => !TAG.test(tag));
    if (odd !== undefined) {
      wrong(context, line, 'tag', 'O, or B-, I-, E-, S-, L- or U- with a label', odd);
      return;
    }
    const most = mostBytes(this.#limits);
    if (block.bytes > most) return;
    block.bytes += Buffer.byteLength(text) + 1;
    if (block.bytes > most) reportLong(block.line, this.#limits);
    else block.tokens.push({ text: cells[0]!, line, tags });
  }
}

/**
 * Spans of a column of IOB1, IOB2, BIOES or BILOU tags over tokens joined by single spaces, with offsets in the unit
 * that the read declares. An I-, E- or L- that nothing began begins one (as conlleval reads it), or is a problem.
 */
function taggedSpans(tokens: readonly Token[], column: number, context: ReadContext): Item[] {
  const items: Item[] = [];
  const { starts, ends } = tokenPlaces(tokens, context.options.offsets);
  let from = -1;
  let label = '';
  const close = (to: number): void => {
    if (from < 0) return;
    const within = tokens.slice(from, to + 1);
    const text = within.map((token) => token.text).join(' ');
    const [start, end, line] = [starts[from]!, ends[to]!, within[0]!.line];
    items.push(makeItem({ kind: 'span', index: items.length, label, text, start, end, line }));
    from = -1;
  };
  tokens.forEach(({ line, tags }, at) => {
    const tag = tags[column]!;
    const mark = tag[0]!;
    const own = tag.slice(2);
    const isInside = mark === 'I' || mark === 'E' || mark === 'L';
    const goesOn = isInside && from >= 0 && own === label;
    if (!goesOn) close(at - 1);
    if (mark === 'O') return;
    if (!goesOn) {
      if (isInside && context.options.strayInside === 'error')
        wrong(context, line, 'tag', `B-${own} before ${tag}`, tag, BEGIN_STRAY);
      from = at;
      label = own;
    }
    if (mark !== 'B' && mark !== 'I') close(at);
  });
  close(tokens.length - 1);
  return items;
}

const LENGTHS: Readonly<Record<OffsetUnit, (text: string) => number>> = {
  utf16: (text) => text.length,
  codepoint: codePointLength,
  byte: (text) => Buffer.byteLength(text),
};

/** Where the tokens are in the text. */
function tokenPlaces(tokens: readonly Token[], unit: OffsetUnit): { starts: number[]; ends: number[] } {
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const { text } of tokens) {
    starts.push(at);
    at += LENGTHS[unit](text);
    ends.push(at);
    at += 1;
  }
  return { starts, ends };
}
