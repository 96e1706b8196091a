import lists from './word-lists.json' with { type: 'json' };

/**
 * Steps in their order, each of which sees what the one before it left. First letters that are not heard go: the e that
 * ends the first word of a compound (life-time, fore-head) or a stem (state-ment, care-ful; but set-tle-ment), that of
 * walked, makes and base (but want-ed, wish-es, cou-pled). Then a stroke goes between vowels that are heard apart.
 */
const STEPS = [...lists.silentLetters, ...lists.vowelsApart].map(
  ([pattern = '', flags, replacement = '']) => [new RegExp(pattern, flags), replacement] as const,
);
/** English words that the rules count wrongly, with how many syllables they have. Plurals in -s are found too. */
const EXCEPTIONS = new Map(
  Object.entries(lists.syllables).flatMap(([count, words]) => words.split(' ').map((word) => [word, Number(count)])),
);
const WHOLE_NEGATIONS = new Set(['ca', 'wo', 'do', 'ai', 'are', 'were', 'sha', 'mai']);
const GROUP = /[aeiouy]+/g;
/** Prism, rhythm: a vowel is heard that nobody writes. */
const UNWRITTEN = /(?:[aeiouy]s|th)ms?$/;
/** No word of English is longer; what is, is not worth the rules. */
const LONGEST = 45;

/**
 * How many syllables an English word has: groups of vowels, less the letters that are not heard, plus the vowels that are
 * heard apart, with a list of exceptions. At least 1 for a word with a letter; the parts of a hyphenated word are added up.
 * Vowels that many drop in speech count (fam-i-ly); -ire and -our are one (fire, hour).
 *
 * @example syllables('platypus') // 3
 */
export function syllables(word: string): number {
  return word
    .normalize('NFD')
    .replaceAll(/e\u0301(?![a-z])/giu, 'ay')
    .replaceAll(/[\u0300-\u036f]/gu, '')
    .replaceAll(/[’ʼ]/gu, "'")
    .toLowerCase()
    .split(/[^a-z']+/u)
    .reduce((sum, part) => sum + ofPart(part.replaceAll(/^'+|'+$/gu, '')), 0);
}

function ofPart(part: string): number {
  if (part === '') return 0;
  const [, stem = part, ending = ''] = /^([a-z]+)'([a-z]{1,2})$/u.exec(part) ?? [];
  if (ending === '') return ofLetters(part.replaceAll("'", ''));
  // Can't, don't; but did-n't, is-n't.
  if (ending === 't' && stem.endsWith('n')) {
    const verb = stem.slice(0, -1);
    return WHOLE_NEGATIONS.has(verb) ? 1 : ofLetters(verb) + 1;
  }
  return ofLetters(stem) + (isHeard(stem, ending) ? 1 : 0);
}

/** It's, I've, we'd, you're add none; course's, it'll, could've do. */
function isHeard(stem: string, ending: string): boolean {
  if (ending === 's') return /(?:[sxz]|[sc]h|[cgs]e)$/u.test(stem);
  if (ending === 'd') return /[td]$/u.test(stem);
  return ending !== 'm' && !/[aeiouyw]$/u.test(stem);
}

function ofLetters(letters: string): number {
  const listed = EXCEPTIONS.get(letters) ?? EXCEPTIONS.get(letters.replace(/s$/u, ''));
  if (listed !== undefined) return listed;
  if (letters.length > LONGEST) return groups(letters);
  const heard = STEPS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), letters);
  return Math.max(1, groups(heard) + (UNWRITTEN.test(letters) ? 1 : 0));
}

function groups(letters: string): number {
  return letters.match(GROUP)?.length ?? 0;
}
