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
export function phraseFinder(phrases: readonly string[]): RegExp | null {
  const sources = phrases.map(sourceOf).filter((source) => source !== '');
  if (sources.length === 0) return null;
  // The longest first, so that what is shown as found is all of it.
  const ordered = sources.toSorted((a, b) => b.length - a.length);
  return new RegExp(`(?<!${EDGE})(?:${ordered.join('|')})(?!${EDGE})`, 'iu');
}

function sourceOf(phrase: string): string {
  return phrase
    .normalize('NFC')
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => {
      const isOpen = word.endsWith('*');
      const plain = (isOpen ? word.slice(0, -1) : word).replaceAll(SPECIAL, (sign) =>
        sign === '-' ? String.raw`[-\u2010-\u2013\s]?` : `\\${sign}`,
      );
      return isOpen ? `${plain}${EDGE}*` : plain;
    })
    .join(String.raw`\s+`);
}

/** Phrases by which a text says that it does not speak of something. */
export interface DenialPhrases {
  /** They stand before what they deny: "nothing about". */
  readonly before: readonly string[];
  /** They stand after it: "are not discussed". */
  readonly after: readonly string[];
  /** Words that begin another clause, which a denial does not reach: "but". */
  readonly ends: readonly string[];
}

interface Clause extends Span {
  /** The first phrase that denies what follows it, and the last that denies what stands before it. */
  readonly from: RegExpExecArray | null;
  readonly until: RegExpExecArray | null;
}

/** By which phrase a stretch of a text is denied; null where it is not. */
export type DeniedBy = (span: Span) => string | null;

/**
 * Looks for denials in a text whose sentences are known. A denial reaches to the end of its clause, or from the start of
 * it: a clause ends with its sentence, at a semicolon, and before a word of `ends`. Takes time in proportion to the text,
 * and little for each stretch that is asked for.
 *
 * @example denialFinder(phrases)('I say nothing about diet, but eat rice.', sentences)({ start: 20, end: 24 }) // 'nothing about'
 */
export function denialFinder({ before, after, ends }: DenialPhrases) {
  const [first, last, end] = [everyMatch(before), everyMatch(after), everyMatch(ends)];
  return (text: string, sentences: readonly Span[]): DeniedBy => {
    const clauses = sentences.flatMap((sentence) =>
      clausesOf(text, sentence, end).map((span): Clause => {
        const words = text.slice(span.start, span.end);
        return { ...span, from: first?.(words)[0] ?? null, until: last?.(words).at(-1) ?? null };
      }),
    );
    return (span) => {
      const clause = clauses[lastAtOrBefore(clauses, span.start)];
      if (clause === undefined || span.end > clause.end) return null;
      const { start, from, until } = clause;
      if (from !== null && span.start >= start + from.index) return from[0];
      return until !== null && span.end <= start + until.index + until[0].length ? until[0] : null;
    };
  };
}

/** Finds all places of phrases; null where there is no phrase. */
export function everyMatch(phrases: readonly string[]): ((text: string) => RegExpExecArray[]) | null {
  const finder = phraseFinder(phrases);
  if (finder === null) return null;
  const every = new RegExp(finder, 'giu');
  return (text) => [...text.matchAll(every)];
}

function clausesOf(text: string, { start, end }: Span, ends: ((text: string) => RegExpExecArray[]) | null): Span[] {
  const words = text.slice(start, end);
  const cuts = [...words.matchAll(/;/g), ...(ends?.(words) ?? [])].map(({ index }) => start + index);
  const starts = [...new Set([start, ...cuts])].sort((a, b) => a - b);
  return starts.map((from, at) => ({ start: from, end: starts[at + 1] ?? end }));
}
