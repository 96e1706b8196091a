const CONTINUES = /^(?:\p{M}|\u200D|[\u{1F3FB}-\u{1F3FF}])/u;

/**
 * Where a text has these words closest to a place; null if it does not have them. A word before an accent that belongs to
 * its last letter is another word.
 *
 * @example closestWords('tea, tea', 'tea', 4) // { start: 5, ambiguous: true }
 */
export function closestWords(text: string, words: string, start: number): { start: number; ambiguous: boolean } | null {
  const isCut = (at: number): boolean => CONTINUES.test(text.slice(at + words.length, at + words.length + 2));
  const next = (from: number): number => {
    let at = text.indexOf(words, from);
    while (at >= 0 && isCut(at)) at = text.indexOf(words, at + 1);
    return at;
  };
  const last = (from: number): number => {
    let at = text.lastIndexOf(words, from);
    while (at >= 0 && isCut(at)) at = at === 0 ? -1 : text.lastIndexOf(words, at - 1);
    return at;
  };
  const [before, after] = [last(start), next(start)];
  if (before < 0 && after < 0) return null;
  const at = after < 0 || (before >= 0 && start - before <= after - start) ? before : after;
  return { start: at, ambiguous: next(0) !== last(text.length) };
}
