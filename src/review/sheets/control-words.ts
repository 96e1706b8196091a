/** A cell with this takes an answer back: an empty one changes nothing. */
export const CLEAR = '[clear]';
/** A claim with this label is none of the answer's claims. */
export const REMOVE = '[remove]';
/** The cell of a question that is not asked of a row. */
export const NOT_ASKED = '(not asked)';

/** In place of the claims of an item that has none: the person who sends the row has seen it. */
export const NOTHING_FOUND = '(nothing was found)';

const WORDS = 'clear|remove';
const ONE_OR_MORE = new RegExp(`^\\s*\\[+(?:${WORDS})\\]+\\s*$`, 'i');
const TWO_OR_MORE = new RegExp(`^(\\s*)\\[(\\[+(?:${WORDS})\\]+)\\](\\s*)$`, 'i');

export function isClear(cell: string): boolean {
  return isWord(cell, CLEAR);
}

export function isRemove(cell: string): boolean {
  return isWord(cell, REMOVE);
}

export function isNotAsked(cell: string): boolean {
  return isWord(cell, NOT_ASKED);
}

export function isNothingFound(cell: string): boolean {
  return isWord(cell, NOTHING_FOUND);
}

/**
 * Somebody's own words as a cell: those that would be taken for a word of ours get one more pair of brackets.
 *
 * @example ownWords('[clear]') // '[[clear]]'
 */
export function ownWords(text: string): string {
  return ONE_OR_MORE.test(text) ? text.replace(/\[/, '[[').replace(/\](\s*)$/, ']]$1') : text;
}

/** The words that a cell stands for: `wordsIn(ownWords(text))` is `text`, for any text. */
export function wordsIn(cell: string): string {
  return cell.replace(TWO_OR_MORE, '$1$2$3');
}

function isWord(cell: string, word: string): boolean {
  return cell.trim().toLowerCase() === word;
}
