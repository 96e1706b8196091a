import { characterKind, kind } from './character-kind.ts';
import { isFunctionWord } from './function-words.ts';
import type { Span } from './span.ts';
import { isWhiteSpace } from './white-space.ts';

/** Words of one to three letters that stand by themselves, beside the function words: English, and Hindi in Latin letters. */
const SHORT_WORDS = new Set(
  `ace ache act add ado age ago aid ail aim air ale ama ape apt arc ark arm art ash ask ate awe axe aye bad bag ban bar bat bay bed
  bee beg bet bib bid big bin bio bit bow box boy bud bug bun bus buy bye cab cam can cap car cat chi cod cop cow cry cub cue cup
  cut dad dal day deg den die dig dim din dip doc doe dog dot dry due dug dye ear eat ebb eco egg ego elf end era eve ewe ex eye fan
  far fat fax fed fee few fig fin fir fit fix fly foe fog fox fun fur gap gas gel gem get gin god got gum gun gut guy gym ham
  hat hay hem hen hey hid hip hit hoc hop hot hub hue hug hum hut ice icy ill ink inn ion ire jam jar jaw jet jog job joy jug key
  kid kin kit lab lad lag lap law lay led leg lid lie lip lit log lot low mad man map mat mid min mix mob mom mop mud mug mum
  nap net new nil nod non nun nut oak oat odd oil ok old opt ore owe owl pad pan pat paw pay pea pen pet pie pig pin pit
  pod pop pot pro pub pup put rag ram ran rap rat raw ray red rib rid rig rim rip rob rod rot row rub rug rum run rut rye sad
  sat saw say sea see set sew sex sin sip sir sit six ski sky son sow soy spa spy sub sue sum sun tab tai tag tan tap tar tax tea
  tee ten tie tin tip toe ton top toy try tub tug two use van vat vet via vow war wax way web wed wee wet win wit woe won
  yes yet yen zen zip zoo tsp tbs oz iv po bid tid qid lbs ie eg et al de la le el il un une des les los las der die das den dem
  und von zu bei ist mit auf aus ein eine es est ya yeh ye wo woh ko ka ki ke se me mai hi hai ho hu tha thi the na ne nai bhi tak par pe jo
  kar kal aaj ab agar aur bas bhi dil din din ek gaya gai hua hui kam koi kuch kya lag mat mera meri raha rahi sab toh tum uth utha`.split(
    /\s+/,
  ),
);

const VOWEL = /[aeiouy]/;

/** Function words of English that are seldom words of another language written in Latin letters: unlike in, was, had, for, is. */
const ENGLISH_ONLY = new Set(
  `about above after again against also and any are be because before being below between both but by could did does doing
  during each from further has having his how however if into it its might my not of only or other our out same should since
  some such than that the their them these they this those through to too until upon very were what when where which while
  who whom why with within without would your`.split(/\s+/),
);

/** Of the whole words of an English text every fourth is among these; of a text in Danish, Dutch or pinyin hardly any. */
const ENGLISH_SHARE = 0.15;
const LETTERS = 27;
/** The code before that of a. */
const BEFORE_A = 0x60;
const LONGEST_PIECE = 3;
const NO_PIECE = -1;
/** What stands behind the last character: no letter. */
const END = 0;
const LONGEST_ENGLISH = 7;
const LEAST_WORDS = 15;
const LEAST_RUN = 2;
const LONGEST_BEFORE = 40;

const SPACES = /\s+/g;

/** What a text shows of words that were cut up. */
export interface Shredding {
  readonly words: number;
  /** Short pieces in a row that are no words, with the word before them. */
  readonly runs: readonly string[];
}

/**
 * Looks for words cut into pieces, as joining tokens by spaces does ("Spin oc ere bell ar"): two or more pieces of at most
 * three letters in a row that are no words. A text that is short, or not surely English, has none: what are pieces here may
 * be words there. Such runs are rare in whole text ("jet lag", "ad hoc"): what counts is how many there are in how many words.
 *
 * @example shreddingOf('… the At ax ia of the patient …').runs // ['At ax ia']
 */
export function shreddingOf(text: string): Shredding {
  const { words, whole, asked, runs } = runsOf(text);
  // Few texts have any, so it is only then asked what language this is.
  const isTold = runs.length > 0 && words >= LEAST_WORDS && isEnglish(text, asked, ENGLISH_SHARE * whole);
  return { words, runs: isTold ? runs.map(({ start, end }) => withWordBefore(text, start, end)) : [] };
}

interface Runs {
  readonly words: number;
  /** Words that are no pieces. */
  readonly whole: number;
  /** Those of them that may be English: where they start and end is in `room` until the next text. */
  readonly asked: number;
  /** Where pieces stand in a row. */
  readonly runs: readonly Span[];
}

/** For one text after the other: most are short. */
let room = new Int32Array(1 << 12);

function runsOf(text: string): Runs {
  if (room.length < text.length + 1) room = new Int32Array(Math.max(text.length + 1, room.length * 2));
  const runs: Span[] = [];
  let [words, whole, asked, pieces, from, to] = [0, 0, 0, 0, 0, 0];
  let start = -1;
  // The letters of the token so far as a number; below 0 once it has something else.
  let code = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const letter = at < text.length ? letterAt(text, at) : END;
    if (letter >= 1 && letter < LETTERS) {
      if (start < 0) {
        start = at;
        code = letter;
      } else if (at - start < LONGEST_PIECE) code = code * LETTERS + letter;
    } else if (at < text.length && !isSeparator(letter + BEFORE_A)) {
      if (start < 0) start = at;
      code = NO_PIECE;
    } else if (start >= 0) {
      words += 1;
      if (code >= 0 && at - start <= LONGEST_PIECE && isPiece(text, start, at, code)) {
        if (pieces === 0) from = start;
        pieces += 1;
        to = at;
      } else {
        if (pieces >= LEAST_RUN) runs.push({ start: from, end: to });
        pieces = 0;
        whole += 1;
        if (code < 0 || beginsEnglish(code, at - start)) {
          room[asked * 2] = start;
          room[asked * 2 + 1] = at;
          asked += 1;
        }
      }
      start = -1;
    }
  }
  if (pieces >= LEAST_RUN) runs.push({ start: from, end: to });
  return { words, whole, asked, runs };
}

/** What `\s` matches. */
function isSeparator(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  return unit === 0xfeff || (unit !== 0x85 && isWhiteSpace(unit));
}

function withWordBefore(text: string, from: number, to: number): string {
  const before = text
    .slice(Math.max(0, from - LONGEST_BEFORE), from)
    .trim()
    .split(SPACES)
    .at(-1);
  return [before ?? '', ...text.slice(from, to).split(SPACES)].join(' ').trim();
}

/** Only of English it is known which short words it has. Looks no further than it takes to tell. */
function isEnglish(text: string, asked: number, least: number): boolean {
  if (asked < least) return false;
  let english = 0;
  for (let at = 0; at < asked && english < least; at += 1)
    if (isEnglishWord(text, room[at * 2]!, room[at * 2 + 1]!)) english += 1;
  return english >= least;
}

/** By the first two letters: the lengths of the words that begin so, as bits. Most words are ruled out by that. */
const LENGTHS = new Uint16Array(LETTERS ** 2);
for (const word of ENGLISH_ONLY) LENGTHS[letterAt(word, 0) * LETTERS + letterAt(word, 1)]! |= 1 << word.length;

/** Whether a token of small letters, of which the first three make the number, may be an English word. */
function beginsEnglish(code: number, length: number): boolean {
  if (length < 2 || length > LONGEST_ENGLISH) return false;
  const two = length === 2 ? code : Math.trunc(code / LETTERS);
  return (LENGTHS[two]! & (1 << length)) !== 0;
}

/** Whatever its letters, capital or small, and whatever stands around it. */
function isEnglishWord(text: string, start: number, end: number): boolean {
  let [from, to] = [start, end];
  while (from < to && !isOfWord(text.charCodeAt(from))) from += 1;
  while (to > from && !isOfWord(text.charCodeAt(to - 1))) to -= 1;
  if (to - from < 2 || to - from > LONGEST_ENGLISH) return false;
  if (!isEnglishLetter(text.charCodeAt(from)) || !isEnglishLetter(text.charCodeAt(from + 1))) return false;
  const lengths = LENGTHS[smallLetterAt(text, from) * LETTERS + smallLetterAt(text, from + 1)]!;
  if ((lengths & (1 << (to - from))) === 0) return false;
  for (let at = from + 2; at < to; at += 1) if (!isEnglishLetter(text.charCodeAt(at))) return false;
  return ENGLISH_ONLY.has(text.slice(from, to).toLowerCase());
}

function isOfWord(unit: number): boolean {
  return isEnglishLetter(unit) || characterKind(unit) === kind.letterOrDigit;
}

function isEnglishLetter(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);
}

function smallLetterAt(text: string, at: number): number {
  return (text.charCodeAt(at) | 0x20) - BEFORE_A;
}

/** 1 for a to 26 for z; anything else is no small letter. */
function letterAt(text: string, at: number): number {
  return text.charCodeAt(at) - BEFORE_A;
}

/** Of every token of at most three small letters, in a number: 0 not looked up yet, 1 a word, 2 a piece. */
const known = new Uint8Array(LETTERS ** LONGEST_PIECE);

/** Whether a token of one to three small letters, which make the number, is no word. */
function isPiece(text: string, start: number, end: number, code: number): boolean {
  if (known[code] === 0) {
    const token = text.slice(start, end);
    known[code] = VOWEL.test(token) && !isFunctionWord(token) && !SHORT_WORDS.has(token) ? 2 : 1;
  }
  return known[code] === 2;
}

/**
 * Whether a quote stands in a text but for spaces put inside its words. Line breaks and runs of spaces do not count.
 *
 * @example isSpacedOut('at ax ia', 'His ataxia got worse') // true
 */
export function isSpacedOut(quote: string, text: string): boolean {
  const own = quote.trim().replace(SPACES, ' ');
  const whole = text.replace(SPACES, ' ');
  if (own === '' || !own.includes(' ') || whole.includes(own)) return false;
  const letters = own.replaceAll(' ', '');
  const at = whole.replaceAll(' ', '').indexOf(letters);
  if (at < 0) return false;
  let [spaces, seen] = [0, 0];
  for (const character of whole) {
    if (seen >= at + letters.length) break;
    if (character !== ' ') seen += character.length;
    else if (seen > at) spaces += 1;
  }
  return own.split(' ').length - 1 > spaces;
}
