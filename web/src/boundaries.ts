/** A stretch of a text, in UTF-16 units. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

export type Edge = keyof Stretch;

const CHARACTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * A stretch with one of its boundaries a character or a word further on or back: characters as people see them, so that
 * an emoji or a letter with its marks stays whole. It never becomes empty, nor leaves the text.
 *
 * @example moveEdge('Ann Lee met', { start: 0, end: 3 }, 'end', 'word', 1) // { start: 0, end: 7 }
 */
export function moveEdge(text: string, from: Stretch, edge: Edge, by: 'character' | 'word', step: 1 | -1): Stretch {
  const at = from[edge];
  const place = by === 'character' ? stepOver(CHARACTERS, text, at, step) : wordEdge(text, at, edge, step);
  const moved = { ...from, [edge]: place };
  return moved.start < moved.end ? moved : from;
}

/** The next boundary of a segment, up to the ends of the text. */
function stepOver(segmenter: Intl.Segmenter, text: string, at: number, step: 1 | -1): number {
  const segment = segmenter.segment(text).containing(step > 0 ? at : at - 1);
  if (segment === undefined) return at;
  return step > 0 ? segment.index + segment.segment.length : segment.index;
}

/** The start of a stretch stops where a word begins, its end where one ends. */
function wordEdge(text: string, from: number, edge: Edge, step: 1 | -1): number {
  const segments = WORDS.segment(text);
  const isThere = (at: number): boolean => segments.containing(edge === 'start' ? at : at - 1)?.isWordLike === true;
  let at = stepOver(WORDS, text, from, step);
  while (at > 0 && at < text.length && !isThere(at)) at = stepOver(WORDS, text, at, step);
  return at;
}

/** The stretch without white space around it, with characters whole that it cuts; null if nothing is left. */
export function wholeStretch(text: string, { start, end }: Stretch): Stretch | null {
  const words = text.slice(start, end);
  if (words.trim() === '') return null;
  const from = start + words.length - words.trimStart().length;
  const to = start + words.trimEnd().length;
  const segments = CHARACTERS.segment(text);
  const last = segments.containing(to - 1);
  return {
    start: segments.containing(from)?.index ?? from,
    end: last === undefined ? to : last.index + last.segment.length,
  };
}
