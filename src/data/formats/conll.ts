import type { ReadContext, Row, TextFormat } from '../format.ts';
import { type Item, makeItem } from '../item.ts';
import { wrong } from '../record-fields.ts';

const TAG = /^(?:O|[BIESLU]-\S+)$/;

interface Block {
  id: string | null;
  line: number;
  readonly tokens: string[];
  /** Tags by column: one for a side's own file, gold then predicted in a case file. */
  readonly tags: [string[], string[]];
  readonly lines: number[];
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
  detects: (lines) => lines.some((line) => TAG.test(line.trim().split(/\s+/).at(-1) ?? '') && /\S\s+\S/.test(line)),
  async *read(lines, context) {
    let block = emptyBlock();
    let blocks = 0;
    let lastLine = 0;
    const finish = (out: Row[]): void => {
      if (block.tokens.length > 0) {
        blocks += 1;
        out.push(blockRow(block, block.id ?? String(blocks), context));
      }
      block = emptyBlock();
    };
    for await (const batch of lines) {
      const out: Row[] = [];
      for (const { text, line } of batch) {
        // Blank lines are not handed on by the line reader: a jump in the numbers is one.
        if (line > lastLine + 1) finish(out);
        lastLine = line;
        takeLine(block, text, line, context);
      }
      yield out;
    }
    const out: Row[] = [];
    finish(out);
    yield out;
  },
};

function emptyBlock(): Block {
  return { id: null, line: 0, tokens: [], tags: [[], []], lines: [] };
}

function takeLine(block: Block, text: string, line: number, context: ReadContext): void {
  if (block.line === 0) block.line = line;
  const named = /^#\s*(?:id|sent_id|doc_id)\s*[=:]\s*(\S.*?)\s*$/.exec(text);
  if (named?.[1] !== undefined) {
    block.id = named[1];
    return;
  }
  if ((text.startsWith('# ') && block.tokens.length === 0) || text.startsWith('-DOCSTART-')) return;
  const cells = text.includes('\t') ? text.split('\t') : text.trim().split(/\s+/);
  const columns = context.role === 'cases' ? 2 : 1;
  if (cells.length < columns + 1) {
    wrong(
      context,
      line,
      'columns',
      columns === 2 ? 'a token, its gold tag and its predicted tag' : 'a token and its tag',
      text,
    );
    return;
  }
  const tags = cells.slice(-columns).map((tag) => tag.trim());
  const odd = tags.find((tag) => !TAG.test(tag));
  if (odd !== undefined) {
    wrong(context, line, 'tag', 'O, or B-, I-, E-, S-, L- or U- with a label', odd);
    return;
  }
  block.tokens.push(cells[0] ?? '');
  block.lines.push(line);
  tags.forEach((tag, column) => block.tags[column === 0 ? 0 : 1].push(tag));
}

function blockRow(block: Block, id: string, context: ReadContext): Row {
  const starts: number[] = [];
  let at = 0;
  for (const token of block.tokens) {
    starts.push(at);
    at += token.length + 1;
  }
  const text = block.tokens.join(' ');
  const side = (column: 0 | 1): Item[] => taggedSpans(block, block.tags[column], starts, text, context);
  const first = side(0);
  return {
    id,
    line: block.line,
    text,
    fields: {},
    gold: context.role === 'predictions' ? null : first,
    predicted: context.role === 'gold' ? null : context.role === 'cases' ? side(1) : first,
    failed: null,
  };
}

/** Spans of a tag sequence; an I- or E- that nothing began begins one (as conlleval reads it), or is a problem. */
function taggedSpans(
  block: Block,
  tags: readonly string[],
  starts: readonly number[],
  text: string,
  context: ReadContext,
): Item[] {
  const items: Item[] = [];
  let from = -1;
  let label = '';
  const close = (to: number): void => {
    if (from < 0) return;
    const start = starts[from] ?? 0;
    const end = (starts[to] ?? 0) + (block.tokens[to] ?? '').length;
    items.push(
      makeItem({
        kind: 'span',
        index: items.length,
        label,
        text: text.slice(start, end),
        start,
        end,
        line: block.lines[from] ?? block.line,
      }),
    );
    from = -1;
  };
  tags.forEach((tag, at) => {
    const mark = tag[0] ?? 'O';
    const own = tag.slice(2);
    const goesOn = (mark === 'I' || mark === 'E' || mark === 'L') && from >= 0 && own === label;
    if (!goesOn) close(at - 1);
    if (mark === 'O') return;
    if (!goesOn) {
      if ((mark === 'I' || mark === 'E' || mark === 'L') && context.options.strayInside === 'error') {
        wrong(
          context,
          block.lines[at] ?? block.line,
          'tag',
          `B-${own} before ${tag}`,
          tag,
          'or read it as a beginning: --set data.strayInside=begin',
        );
      }
      from = at;
      label = own;
    }
    if (mark === 'E' || mark === 'L' || mark === 'S' || mark === 'U') close(at);
  });
  close(tags.length - 1);
  return items;
}
