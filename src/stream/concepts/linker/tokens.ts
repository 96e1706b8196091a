import { words, wordSpans } from '../../../plugin.ts';

/** A word, or a single sign that is not white space. Places are in UTF-16 units. */
export interface Token {
  readonly start: number;
  readonly end: number;
  readonly lower: string;
  readonly isWord: boolean;
  readonly isFunction: boolean;
  readonly hasLetter: boolean;
  /** What is before it: nothing, white space, or white space with the end of a line. */
  readonly gap: 'none' | 'space' | 'line';
}

/** Tokens from `first` to `last`, both included. */
export interface TokenRange {
  readonly first: number;
  readonly last: number;
}

/**
 * How an alias and a piece of text are compared: lower case, white space as single spaces, none at the ends. Two texts
 * that are the same by this have the same trigrams and so the same candidates.
 *
 * @example comparedText(' Type 2\n Diabetes') // 'type 2 diabetes'
 */
export function comparedText(text: string): string {
  return words(text.toLowerCase(), 'whitespace').join(' ');
}

const STARTS_WORD = /^[\p{L}\p{N}]/u;
const LETTER = /\p{L}/u;
const LINE_END = /[\n\r\u0085\u2028\u2029]/;

export function tokensOf(text: string): Token[] {
  let before = 0;
  return wordSpans(text, 'unicode').map(({ start, end }): Token => {
    const token = text.slice(start, end);
    const lower = token.toLowerCase();
    const gap = start === before ? 'none' : LINE_END.test(text.slice(before, start)) ? 'line' : 'space';
    before = end;
    return {
      start,
      end,
      lower,
      isWord: STARTS_WORD.test(token),
      isFunction: FUNCTION_WORDS.has(lower.replaceAll('’', "'")),
      hasLetter: LETTER.test(token),
      gap,
    };
  });
}

/**
 * English words that name nothing: articles, pronouns, prepositions, conjunctions, auxiliaries, and adverbs that connect
 * or grade. A run of other words may be a name.
 */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those each every either neither some any no none all both few many much more most less least
  other another such same own several enough
  i me my mine we us our ours you your yours he him his she her hers it its they them their theirs one ones who whom
  whose which what myself ourselves yourself himself herself itself themselves someone something anyone anything nothing
  about above across after against along among amid around as at before behind below beneath beside besides between
  beyond but by concerning despite down during except for from in inside into like near of off on onto out outside over
  past per regarding since through throughout till to toward towards under until up upon versus via vs with within
  without
  and or nor so yet if unless because although though while whereas whether when whenever where wherever than then thus
  hence therefore however moreover furthermore otherwise instead meanwhile
  am is are was were be been being have has had having do does did doing done can could may might must shall should will
  would ought cannot let lets get gets got
  not only also too very quite rather just even still already again once ever never often sometimes usually always
  perhaps maybe here there now today how why well almost nearly especially particularly likely unlikely further
  etc ie eg e.g i.e please yes
  isn't aren't wasn't weren't don't doesn't didn't can't couldn't won't wouldn't shouldn't hasn't haven't hadn't it's
  there's that's let's here's what's i'm i've i'd i'll we're we've we'd we'll you're you've they're they've he's she's`.split(
    /\s+/,
  ),
);
