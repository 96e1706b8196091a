const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Stand before a name, and are written with a capital where the script has one. */
const TITLES = set(
  'Dr Drs Mr Mrs Ms Mx Messrs Prof St Ste Rev Fr Hon Capt Col Gen Lt Maj Sgt Smt Shri Sri Vd Vaidya Pt Pvt ' +
    'डॉ डा श्री श्रीमती सुश्री प्रो पं कु स्व मो',
);

/** Stand before what they belong to, so that no sentence ends with them. */
const INNER = set(
  'e.g eg i.e ie vs cf viz approx ca incl excl esp resp ch chap fig figs vol vols pp pg pgs ed eds tr trans aka',
);

/** Stand before a number; otherwise they are words, or end a sentence like words. */
const BEFORE_NUMBER = set(
  'no nos nr rs p v vv eq sec sect art para st sth su sha ni vi chi ci ka si utt sam al ' +
    'jan feb mar apr jun jul aug sep sept oct nov dec सं पृ अ श्लो',
);

/** Go on where a small letter follows, and end a sentence where a capital does. */
const MAY_END = set(
  'etc a.m p.m al jr sr inc ltd co corp dept govt univ assn est max min avg temp vit tab tabs caps inj syr qty ' +
    'kg mg mcg ml cm mm km ft oz lb lbs tsp tbsp hr hrs mins secs wk wks yr yrs mo mos am pm jan feb mar apr jun jul ' +
    'aug sep sept oct nov dec mon tue tues wed thu thur thurs fri',
);

/** Words with which sentences begin far more often than names do. */
const STARTERS = set(
  'a an the this that these those it its he she they we you i his her their our your my there here in on at for from ' +
    'with without if when while as after before by but and or so yet however also thus therefore then such some many ' +
    'most all both each every no not do does did is are was were has have had can may should please what why how who ' +
    'which where to avoid although because since once',
);

/** A letter after one of these is the end of a name: vitamin C, hepatitis B. */
const LETTERED = set('vitamin vitamins hepatitis type group grade class stage plan option part phase blood');

/** One letter with its vowel sign, and yet words, with which Hindi sentences end. */
const ENDING = set('है हैं हूँ हूं हो था थी थे थीं दो लो ले दे जा ही भी ना');

const VOWEL = /[aeiouy]/iu;
const ONE_LETTER = /^\p{L}\p{M}*$/u;
const DOTTED = /^(?:\p{L}\p{M}*){1,2}(?:\.(?:\p{L}\p{M}*){1,4})+$/u;
const LATIN = /^[A-Za-z]{2,}$/u;
const DIGIT = /^\p{Nd}/u;
const LOWER = /^\p{Ll}/u;
const UPPER = /^\p{Lu}/u;
const SHORT_NUMBER = /^\p{Nd}{1,2}$/u;

/** What stands around a single full stop that white space follows. */
export interface FullStop {
  /** The word before it, without the stop and without opening quotes and brackets. */
  readonly word: string;
  /** The word before that one; empty where it begins the sentence. */
  readonly before: string;
  /** The word after it, without opening quotes and brackets. */
  readonly next: string;
}

/**
 * Whether a full stop ends a sentence, or belongs to a title, an abbreviation, an initial or the number of a list. What
 * follows decides where both are possible: a small letter or a number goes on, a capital begins.
 *
 * @example fullStopEnds({ word: 'Dr', before: 'by', next: 'Rao' }) // false
 * @example fullStopEnds({ word: 'etc', before: 'nuts,', next: 'Avoid' }) // true
 */
export function fullStopEnds({ word, before, next }: FullStop): boolean {
  const plain = word.toLowerCase();
  const goesOn = LOWER.test(next);
  const number = DIGIT.test(next);
  if (SHORT_NUMBER.test(word)) return before !== '' && !/[:;,]$/u.test(before);
  if (TITLES.has(word) || INNER.has(plain)) return false;
  if (BEFORE_NUMBER.has(plain) && number) return false;
  if (MAY_END.has(plain)) return !goesOn;
  if (ONE_LETTER.test(word) && !ENDING.has(word)) return letterEnds(word, before, next);
  if (DOTTED.test(word)) return STARTERS.has(firstWord(next)) && UPPER.test(next);
  if (BEFORE_NUMBER.has(plain) && plain !== 'no') return !goesOn;
  return !(goesOn && LATIN.test(word) && !VOWEL.test(word));
}

function letterEnds(letter: string, before: string, next: string): boolean {
  if (LETTERED.has(before.toLowerCase())) return !LOWER.test(next);
  if (letter === 'I') return before !== '';
  return before !== '' && UPPER.test(next) && STARTERS.has(firstWord(next));
}

function firstWord(text: string): string {
  return (/^[\p{L}\p{M}]+/u.exec(text)?.[0] ?? '').toLowerCase();
}
