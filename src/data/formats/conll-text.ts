import { MOST_TOKENS } from '../case-size.ts';
import type { WrittenCase } from '../format.ts';
import type { Side } from '../item.ts';
import { bioTags, TAG } from './tagged-tokens.ts';
import { caseTokens, type CaseTokens } from './token-records.ts';

export const CASE_NAME = /^#\s*(?:id|sent_id|doc_id)\s*[=:](.*)$/s;
export const CASE_TEXT = /^#\s*text\s*=\s?(.*)$/s;

export type ColumnPlaces = Readonly<Partial<Record<'token' | Side, number>>>;

const COLUMN_NAMES: Readonly<Record<'token' | Side | 'other', readonly string[]>> = {
  token: ['token', 'tokens', 'word', 'words', 'form'],
  gold: ['gold', 'gold_tag', 'gold_label', 'true', 'y_true'],
  predicted: ['predicted', 'predicted_tag', 'predicted_label', 'prediction', 'pred', 'pred_tag', 'y_pred'],
  other: ['lemma', 'pos', 'upos', 'xpos', 'chunk'],
};

/** Places of the token and of the tags of each side among the names of the columns. */
export function columnPlaces(names: readonly string[]): ColumnPlaces {
  const parts = (['token', 'gold', 'predicted'] as const).map((part) => {
    return [part, names.findIndex((name) => COLUMN_NAMES[part].includes(name.toLowerCase()))] as const;
  });
  return Object.fromEntries(parts.filter(([, at]) => at >= 0));
}

const HEADER_NAMES: ReadonlySet<string> = new Set(Object.values(COLUMN_NAMES).flat());

/** True if the cells of a first line name the columns instead of holding a token: `token gold predicted`. */
export function isHeader(cells: readonly string[]): boolean {
  const { token, gold, predicted } = columnPlaces(cells);
  return (
    token !== undefined &&
    (gold ?? predicted) !== undefined &&
    cells.every((name) => HEADER_NAMES.has(name.toLowerCase()))
  );
}

/** Comments that are read, whatever they end with. */
export function isComment(line: string): boolean {
  return CASE_NAME.test(line) || CASE_TEXT.test(line);
}

export function withoutSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === ' ') start += 1;
  while (end > start && text[end - 1] === ' ') end -= 1;
  return text.slice(start, end);
}

/** Of a line; no layout has so many. */
const MOST_CELLS = 10_000;

/** Only spaces and tabs part the cells: a no-break space is a character of its token. */
export function cellsOf(text: string): string[] {
  return text.includes('\t')
    ? text.split('\t', MOST_CELLS).map(withoutSpaces)
    : withoutSpaces(text).split(/ +/, MOST_CELLS);
}

/** The tokens of a sentence that is written on one line, each with its cells; null for any other line. */
export function sentenceCells(line: string): string[][] | null {
  if (!line.includes('|') || line.includes('\t')) return null;
  const tokens = withoutSpaces(line)
    .split(/ +/, MOST_TOKENS + 1)
    .map(splitAtBars);
  const width = tokens[0]!.length;
  return width > 1 && tokens.every((cells) => cells.length === width && TAG.test(cells.at(-1)!)) ? tokens : null;
}

/** A token may be a bar itself: `||SYM|O`. */
function splitAtBars(word: string): string[] {
  const [first = '', ...rest] = word.startsWith('|')
    ? ['|', ...word.slice(2).split('|', MOST_CELLS)]
    : word.split('|', MOST_CELLS);
  return [first, ...rest];
}

/**
 * The words of the text with BIO tags. Texts that are not their words joined by spaces are written beside them, with spaces
 * for line breaks and tabs. A space before a word keeps it from being read as a comment or as a border.
 */
export function conllText(given: WrittenCase): string {
  const flat = (given.text ?? '').replaceAll(/[\t\n\r\u2028\u2029]/g, ' ');
  const { words, places, isText } = flatTokens({ text: flat, tokens: given.tokens });
  const sides = [given.items, ...(given.predicted === null ? [] : [given.predicted])].map((own) =>
    bioTags(places, own),
  );
  return [
    `# id = ${given.id}`,
    ...(isText && words.length > 0 ? [] : [`# text = ${flat}`]),
    ...words.map((word, at) => {
      const before = isComment(word) || word.startsWith('-DOCSTART-') ? ' ' : '';
      return before + [word, ...sides.map((tags) => tagText(tags[at]!))].join('\t');
    }),
    '',
    '',
  ].join('\n');
}

/** Tokens of nothing but spaces have no line. */
function flatTokens(given: Pick<WrittenCase, 'text' | 'tokens'>): CaseTokens {
  const tokens = given.tokens?.filter(({ start, end }) => {
    const word = (given.text ?? '').slice(start, end);
    return word !== '' && word === withoutSpaces(word);
  });
  return caseTokens({ text: given.text, tokens: tokens ?? null });
}

/** A cell ends at a tab, and spaces around it are none of it. */
function tagText(tag: string): string {
  return tag.replaceAll(/[\t\n\r\u2028\u2029]|(?<=^.-) +| +$/g, '_');
}
