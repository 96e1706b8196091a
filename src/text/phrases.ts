import { lastAtOrBefore, type Span } from './span.ts';

const SPECIAL = /[.*+?^${}()|[\]\\/-]/g;
const EDGE = String.raw`[\p{L}\p{M}\p{N}]`;

/**
 * An expression that finds phrases as whole words, whatever their case: `eat` is not found in "treatment". A star at the
 * end of a word stands for any ending (`aggravat*`), a space for any white space, and a hyphen also for a space or none.
 * Letters, marks and digits of any script make words. Null where there is no phrase.
 *
 * @example phraseFinder(['follow-up', 'eat*'])?.exec('Eating well: follow up soon')?.[0] // 'Eating'
 */
export function phraseFinder(phrases: readonly string[], flags = 'iu'): RegExp | null {
  const sources = phrases.map(sourceOf).filter((source) => source !== '');
  if (sources.length === 0) return null;
  // The longest first, so that what is shown as found is all of it.
  const ordered = sources.toSorted((a, b) => b.length - a.length);
  return new RegExp(`(?<!${EDGE})(?:${ordered.join('|')})(?!${EDGE})`, flags);
}

function sourceOf(phrase: string): string {
  return phrase
    .normalize('NFC')
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) =>
      word.replaceAll(SPECIAL, (sign, at) => {
        if (sign === '*' && at === word.length - 1) return `${EDGE}*`;
        return sign === '-' ? String.raw`[-\u2010-\u2013\s]?` : `\\${sign}`;
      }),
    )
    .join(String.raw`\s+`);
}

/** A place of a phrase in a text. */
export type PhraseMatch = Span & { readonly words: string };

/** Finds all places of phrases in a text. */
export function everyMatch(phrases: readonly string[]): (text: string) => PhraseMatch[] {
  const finder = phraseFinder(phrases, 'giu');
  if (finder === null) return () => [];
  return (text) =>
    Array.from(text.matchAll(finder), ({ index, 0: words }) => ({ start: index, end: index + words.length, words }));
}

/** By which phrase a stretch of a text is denied; null where it is not. */
export type DeniedBy = (span: Span) => string | null;

/**
 * Looks for denials in a text whose sentences are known: phrases that stand `before` what they deny ("nothing about") or
 * `after` it ("are not discussed"). A denial reaches to the end of its clause, or from the start of it: a clause ends with
 * its sentence, at a semicolon, and before a word of `ends` ("but"). Takes time in proportion to the text, and little for
 * each stretch that is asked for.
 *
 * @example denialFinder(phrases)('I say nothing about diet, but eat rice.', sentences)({ start: 20, end: 24 }) // 'nothing about'
 */
export function denialFinder({
  before,
  after,
  ends,
}: Readonly<Record<'before' | 'after' | 'ends', readonly string[]>>) {
  const [denialsOfNext, denialsOfLast, cuts] = [everyMatch(before), everyMatch(after), everyMatch(ends)];
  return (text: string, sentences: readonly Span[]): DeniedBy => {
    const clauses = sentences.flatMap(({ start, end }) => {
      const words = text.slice(start, end);
      const semicolons = words.matchAll(/;/g).map(({ index }) => index);
      const starts = new Set([0, ...semicolons, ...cuts(words).map((cut) => cut.start)]);
      return [...starts]
        .sort((a, b) => a - b)
        .map((from, at, all) => {
          const clause = words.slice(from, all[at + 1]);
          const [first, last] = [denialsOfNext(clause)[0], denialsOfLast(clause).at(-1)];
          return { start: start + from, end: start + from + clause.length, first, last };
        });
    });
    return (span) => {
      const clause = clauses[lastAtOrBefore(clauses, span.start)];
      if (clause === undefined || span.end > clause.end) return null;
      const { start, first, last } = clause;
      if (first !== undefined && span.start >= start + first.start) return first.words;
      return last !== undefined && span.end <= start + last.end ? last.words : null;
    };
  };
}
