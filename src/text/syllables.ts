import lists from './word-lists.json' with { type: 'json' };

type Step = readonly [pattern: RegExp, replacement: string];

const HEADS =
  'some|life|home|time|house|base|face|side|space|fire|wire|line|name|note|grape|nose|bone|cheese|care|white|wide|safe|' +
  'love|live|take|make|ice|spice|store|score|gate|game|hope|trade|price|whole|lime|rose|horse|nurse|where|there';
const TAILS =
  'ments?|mentally?|ly|liness|lihood|ful|fully|less|lessly|lessness|ness|some|things?|works?|m[ae]n|wards?|wise|ship|hood';

/** Letters that are not heard go, in this order; each step sees what the one before it left. */
const SILENT: readonly Step[] = [
  [/^every/, 'evry'],
  [/oice/, 'oise'],
  [/^eye|eye(?=[sd]?$)/, 'i'],
  [/([gq])ue([sd]?)$/, '$1$2'],
  [/qu(?=[aeiouy])/g, 'q'],
  // The e that ends the first word of a compound: life-time, some-body, fore-head.
  [new RegExp(`^(${HEADS.replaceAll('e|', '|').replace(/e$/, '')})e(?=[^aeiouy][a-z]*[aeiouy])(?!rs?$|rsault)`), '$1'],
  [
    /^(her)e(?=by|with|to)|^(on)e(?=self|time|ness)|^(for)e(?=cast|see|tell|head|ground|arm|most|sight|man|play|finger|front|word)/,
    '$1$2$3',
  ],
  // State-ment, care-ful; but set-tle-ment, where -le is a syllable.
  [new RegExp(`([aeiouy][^aeiouy]{1,2})(?<![^aeiouylrw]l)e(?=(?:${TAILS})$)`), '$1'],
  // Walked, makes, base; but want-ed, wish-es, and the syllables of cou-pled, a-cres.
  [/([aeiouy].*)(?<![td]|[^aeiouylrw]l|[^aeiouy]r)ed$/, '$1d'],
  [/([aeiouy].*)(?<![szxcg]|ch|sh|[^aeiouylrw]l|[bcdgt]r)es$/, '$1s'],
  [/([aeiouy].*[^aeiouy])(?<![^aeiouylrw]l|[bcdgt]r)e$/, '$1'],
];

/** Vowels side by side that are heard one after the other: a stroke goes between them. */
const APART = lists.vowelsApart.map(([pattern = '', flags, replacement = '']): Step => [
  new RegExp(pattern, flags),
  replacement,
]);
/** English words that the rules count wrongly, with how many syllables they have. Plurals in -s are found too. */
const EXCEPTIONS = new Map(
  Object.entries(lists.syllables).flatMap(([count, words]) => words.split(' ').map((word) => [word, Number(count)])),
);

const GROUP = /[aeiouy]+/g;
/** Prism, rhythm: a vowel is heard that nobody writes. */
const UNWRITTEN = /(?:[aeiouy]s|th)ms?$/;
/** No word of English is longer; what is, is not worth the rules. */
const LONGEST = 45;

/**
 * How many syllables an English word has: groups of vowels, less the letters that are not heard, plus the vowels that are
 * heard apart, with a list of exceptions. At least 1 for a word with a letter; letters are folded to a-z. A hyphen parts a
 * word, and the parts are added up. Vowels that many drop in speech count (fam-i-ly); -ire and -our are one (fire, hour).
 *
 * @example syllables('platypus') // 3
 * @example syllables('well-being') // 3
 */
export function syllables(word: string): number {
  const plain = word
    .normalize('NFD')
    .replaceAll(/e\u0301(?![a-z])/giu, 'ay')
    .replaceAll(/[\u0300-\u036f]/gu, '')
    .replaceAll(/[’ʼ]/gu, "'")
    .toLowerCase();
  return plain
    .split(/[^a-z']+/u)
    .map((part) => ofPart(part.replaceAll(/^'+|'+$/gu, '')))
    .reduce((sum, count) => sum + count, 0);
}

function ofPart(part: string): number {
  if (part === '') return 0;
  const [, stem = part, ending = ''] = /^([a-z]+)'([a-z]{1,2})$/u.exec(part) ?? [];
  if (ending === '') return ofLetters(part.replaceAll("'", ''));
  if (ending === 't' && stem.endsWith('n')) return negated(stem.slice(0, -1));
  return ofLetters(stem) + ofEnding(stem, ending);
}

const WHOLE_NEGATIONS = new Set(['ca', 'wo', 'do', 'ai', 'are', 'were', 'sha', 'mai']);

/** Can't, don't; but did-n't, is-n't. */
function negated(verb: string): number {
  return WHOLE_NEGATIONS.has(verb) ? 1 : ofLetters(verb) + 1;
}

/** It's, I've, we'd, you're add none; course's, it'll, could've do. */
function ofEnding(stem: string, ending: string): number {
  if (ending === 's') return /(?:[sxz]|[sc]h|[cgs]e)$/u.test(stem) ? 1 : 0;
  if (ending === 'm') return 0;
  if (ending === 'd') return /[td]$/u.test(stem) ? 1 : 0;
  return /[aeiouyw]$/u.test(stem) ? 0 : 1;
}

function ofLetters(letters: string): number {
  const listed = EXCEPTIONS.get(letters) ?? EXCEPTIONS.get(letters.replace(/s$/u, ''));
  if (listed !== undefined) return listed;
  if (letters.length > LONGEST) return groups(letters);
  let heard = letters;
  for (const [pattern, replacement] of SILENT) heard = heard.replace(pattern, replacement);
  for (const [pattern, replacement] of APART) heard = heard.replace(pattern, replacement);
  return Math.max(1, groups(heard) + (UNWRITTEN.test(letters) ? 1 : 0));
}

function groups(letters: string): number {
  return letters.match(GROUP)?.length ?? 0;
}
