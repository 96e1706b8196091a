import { codePointLength } from '../../../plugin.ts';
import { abbreviations } from './abbreviations.ts';
import { aliasMatches } from './alias-dictionary.ts';
import type { LinkerIndex } from './linker-index.ts';
import { nounRuns } from './noun-runs.ts';
import { type TokenRange, tokensOf } from './tokens.ts';

/** A piece of a text that may mean a concept. */
export interface Mention {
  /** In UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** As the text has it. */
  readonly surface: string;
  /** What is looked up: the surface, or the long form of an abbreviation. */
  readonly text: string;
  /** Why it is one: an alias letter by letter, words that may be a name, or an abbreviation that the text explains. */
  readonly by: 'alias' | 'words' | 'abbreviation';
}

export interface MentionSettings {
  /** Shorter surfaces, in characters, are not mentions. */
  readonly minEntityLength: number;
  /** How many words a name may have that is not an alias letter by letter. */
  readonly maxWords: number;
  /** Whether an abbreviation that the text explains is looked up by its long form. */
  readonly resolveAbbreviations: boolean;
}

/** The mentions of a text in the order of their places, longer ones first if they begin together. */
export function mentions(
  text: string,
  index: LinkerIndex,
  { minEntityLength, maxWords, resolveAbbreviations }: MentionSettings,
): Mention[] {
  const tokens = tokensOf(text);
  const long = resolveAbbreviations ? abbreviations(text, tokens) : new Map<string, string>();
  const isShort = (at: number): boolean => long.has(text.slice(tokens[at]!.start, tokens[at]!.end));
  const aliases = aliasMatches(index, tokens).filter(({ first, last }) => first !== last || !isShort(first));
  const taken = new Set<number>();
  for (const { first, last } of aliases) for (let at = first; at <= last; at += 1) taken.add(at);
  // Abbreviations that are not part of a longer alias.
  const shorts =
    long.size === 0 ? [] : tokens.flatMap((_, at) => (!taken.has(at) && isShort(at) ? [{ first: at, last: at }] : []));
  const all: Mention[] = [];
  const add = (by: Mention['by'], ranges: readonly TokenRange[]): void => {
    for (const { first, last } of ranges) {
      const [start, end] = [tokens[first]!.start, tokens[last]!.end];
      const surface = text.slice(start, end);
      if (codePointLength(surface) < minEntityLength) continue;
      all.push({ start, end, surface, text: by === 'abbreviation' ? long.get(surface)! : surface, by });
    }
  };
  add('alias', aliases);
  add('abbreviation', shorts);
  add('words', nounRuns(tokens, [...aliases, ...shorts], maxWords));
  return all.sort((a, b) => a.start - b.start || b.end - a.end);
}
