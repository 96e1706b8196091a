import { codePointLength } from '../../../../text/characters.ts';
import { compareText } from '../../../../text/compare.ts';
import { abbreviations } from './abbreviations.ts';
import { aliasMatches, type TokenRange } from './alias-matches.ts';
import { comparedText } from './compared-text.ts';
import type { LinkerIndex } from './linker-index.ts';
import { nounRuns } from './noun-runs.ts';
import { type Token, tokensOf } from './tokens.ts';

/** A piece of a text that may mean a concept. */
export interface Mention {
  /** Where it lies, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** As the text has it. */
  readonly surface: string;
  /** What is looked up: the surface, or the long form of an abbreviation. */
  readonly text: string;
  /** Why it is one: an alias letter by letter, words that may be a name, or an abbreviation that the text explains. */
  readonly by: 'alias' | 'words' | 'abbreviation';
}

export interface MentionOptions {
  /** Without one, no aliases are looked for. */
  readonly index?: LinkerIndex | null;
  /** Shorter surfaces, in characters, are no mentions: 3. */
  readonly minEntityLength?: number;
  /** How many words a name may have that is not an alias letter by letter: 3. */
  readonly maxWords?: number;
  /** Whether an abbreviation that the text explains is looked up by its long form: yes. */
  readonly resolveAbbreviations?: boolean;
}

export const USUAL_MENTIONS = { minEntityLength: 3, maxWords: 3, resolveAbbreviations: true } as const;

/** The mentions of a text in the order of their places, longer ones first where they begin together. */
export function mentions(text: string, options: MentionOptions = {}): Mention[] {
  const {
    index = null,
    minEntityLength = USUAL_MENTIONS.minEntityLength,
    maxWords = USUAL_MENTIONS.maxWords,
    resolveAbbreviations = USUAL_MENTIONS.resolveAbbreviations,
  } = options;
  const tokens = tokensOf(text);
  const long = resolveAbbreviations ? abbreviations(text, tokens) : new Map<string, string>();
  const isShort = ({ first, last }: TokenRange): boolean => first === last && long.has(textAt(text, tokens, first));
  const aliases = index === null ? [] : aliasMatches(index, tokens).filter((range) => !isShort(range));
  const shorts = shortRanges(text, tokens, aliases, long);
  const found: Mention[] = [];
  const add = (by: Mention['by'], ranges: readonly TokenRange[]): void => {
    for (const { first, last } of ranges) {
      const [start, end] = [tokens[first]!.start, tokens[last]!.end];
      const surface = text.slice(start, end);
      if (codePointLength(surface) < minEntityLength) continue;
      found.push({ start, end, surface, text: by === 'abbreviation' ? long.get(surface)! : surface, by });
    }
  };
  add('alias', aliases);
  add('abbreviation', shorts);
  add('words', nounRuns(tokens, [...aliases, ...shorts], maxWords));
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** The different surfaces of a text's mentions as a stoplist has them: lower case, single spaces, in text order. */
export function mentionSurfaces(text: string, options: MentionOptions = {}): string[] {
  return [...new Set(mentions(text, options).map(({ surface }) => comparedText(surface)))].sort(compareText);
}

/** Abbreviations that are no part of a longer alias. */
function shortRanges(
  text: string,
  tokens: readonly Token[],
  aliases: readonly TokenRange[],
  long: ReadonlyMap<string, string>,
): TokenRange[] {
  if (long.size === 0) return [];
  const taken = new Set<number>();
  for (const { first, last } of aliases) for (let at = first; at <= last; at += 1) taken.add(at);
  return tokens.flatMap((_, at) =>
    !taken.has(at) && long.has(textAt(text, tokens, at)) ? [{ first: at, last: at }] : [],
  );
}

function textAt(text: string, tokens: readonly Token[], at: number): string {
  return text.slice(tokens[at]!.start, tokens[at]!.end);
}
