/**
 * What a search asks for: every word has to occur, in any order; what is within quotes is one word.
 *
 * @example searchWords('Lund "Form 7"') // ['lund', 'form 7']
 */
export function searchWords(search: string): readonly string[] {
  const words = search.toLowerCase().matchAll(/"([^"]+)"|[^\s"]+/g);
  return [...new Set(Array.from(words, ([all, quoted]) => quoted ?? all))].filter((word) => word.trim() !== '');
}

/** Finds the words in a text as it is written; null for no words. */
export function wordFinder(words: readonly string[]): RegExp | null {
  if (words.length === 0) return null;
  return new RegExp(words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'), 'giu');
}

/** A stretch of a text, and whether it is one of the words. */
export interface FoundPiece {
  readonly text: string;
  readonly found: boolean;
}

export function foundPieces(text: string, finder: RegExp | null): readonly FoundPiece[] {
  const pieces: FoundPiece[] = [];
  let from = 0;
  for (const { 0: word, index } of finder === null ? [] : text.matchAll(finder)) {
    if (index > from) pieces.push({ text: text.slice(from, index), found: false });
    pieces.push({ text: word, found: true });
    from = index + word.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), found: false });
  return pieces;
}
