import { UNSAFE } from '../../src/data/visible.ts';

/** A piece of hostile text: written as it is, or, where it would be unseen or turn the reading order, named. */
export interface ReadablePiece {
  readonly start: number;
  readonly text: string;
  /** Such as `U+202E`; null where the text shows itself. */
  readonly named: string | null;
}

/**
 * Line feeds, tabs and the carriage return before a line feed stay: they are the layout of the text.
 *
 * @example readablePieces('a\u202eb') // 'a', then U+202E, then 'b'
 */
export function readablePieces(text: string): readonly ReadablePiece[] {
  const pieces: ReadablePiece[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(UNSAFE)) {
    if (character === '\n' || character === '\t' || (character === '\r' && text[index + 1] === '\n')) continue;
    if (index > from) pieces.push({ start: from, text: text.slice(from, index), named: null });
    pieces.push({ start: index, text: character, named: nameOf(character) });
    from = index + character.length;
  }
  if (from < text.length) pieces.push({ start: from, text: text.slice(from), named: null });
  return pieces;
}

/** The same as a single text, for where no piece has to be found again. */
export function readableText(text: string): string {
  return readablePieces(text)
    .map((piece) => piece.named ?? piece.text)
    .join('');
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
