import { isFunctionWord } from './function-words.ts';
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
const SMALL = /^[a-z]+$/;
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/** Texts of which fewer words are function words we know are not in a language whose short words we know. */
const KNOWN_LANGUAGE = 0.1;
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
 * three letters in a row that are no words. A text that is short, or in a language whose short words are not known, has
 * none. Such runs are rare in whole text ("jet lag", "ad hoc"): what counts is how many there are in how many words.
 *
 * @example shreddingOf('… the At ax ia of the patient …').runs // ['At ax ia']
 */
export function shreddingOf(text: string): Shredding {
  const runs = runsOf(text);
  // Few texts have any, so it is only then asked what language this is.
  return { words: wordCount(text), runs: runs.length === 0 || isOfKnownLanguage(text) ? runs : [] };
}

/** Pieces in a row, with the word before them. */
function runsOf(text: string): string[] {
  const runs: string[] = [];
  let [pieces, from, to] = [0, 0, 0];
  for (let at = tokenStart(text, 0); at <= text.length;) {
    const end = tokenEnd(text, at);
    if (isPiece(text, at, end)) {
      if (pieces === 0) from = at;
      pieces += 1;
      to = end;
    } else {
      if (pieces >= LEAST_RUN) runs.push(withWordBefore(text, from, to));
      pieces = 0;
    }
    at = at < text.length ? tokenStart(text, end) : text.length + 1;
  }
  return runs;
}

function tokenStart(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSeparator(text.charCodeAt(at))) at += 1;
  return at;
}

function tokenEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !isSeparator(text.charCodeAt(at))) at += 1;
  return at;
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

function isOfKnownLanguage(text: string): boolean {
  let tokens = 0;
  for (let at = tokenStart(text, 0); at < text.length; at = tokenStart(text, tokenEnd(text, at))) tokens += 1;
  if (tokens < LEAST_WORDS) return false;
  let known = 0;
  for (let at = tokenStart(text, 0); at < text.length;) {
    const end = tokenEnd(text, at);
    if (isFunctionWord(bare(text.slice(at, end)))) known += 1;
    if (known >= KNOWN_LANGUAGE * tokens) return true;
    at = tokenStart(text, end);
  }
  return false;
}

/** In small letters, without what stands around the word. */
function bare(token: string): string {
  return SMALL.test(token) ? token : token.toLowerCase().replace(EDGES, '');
}

function wordCount(text: string): number {
  let words = 0;
  let inWord = false;
  for (let at = 0; at < text.length; at += 1) {
    const isSpace = isWhiteSpace(text.charCodeAt(at));
    if (inWord === isSpace) {
      inWord = !isSpace;
      if (inWord) words += 1;
    }
  }
  return words;
}

const LETTERS = 27;
const LONGEST_PIECE = 3;
/** Of every token of at most three small letters, in a number: 0 not looked up yet, 1 a word, 2 a piece. */
const known = new Uint8Array(LETTERS ** LONGEST_PIECE);

/** Whether a token is one to three small letters that are no word. */
function isPiece(text: string, start: number, end: number): boolean {
  if (end === start || end - start > LONGEST_PIECE) return false;
  let code = 0;
  for (let at = start; at < end; at += 1) {
    const letter = text.charCodeAt(at) - 0x60;
    if (letter < 1 || letter >= LETTERS) return false;
    code = code * LETTERS + letter;
  }
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
  const bare = own.replaceAll(' ', '');
  const at = whole.replaceAll(' ', '').indexOf(bare);
  if (at < 0) return false;
  let [spaces, seen] = [0, 0];
  for (const character of whole) {
    if (seen >= at + bare.length) break;
    if (character !== ' ') seen += character.length;
    else if (seen > at) spaces += 1;
  }
  return own.split(' ').length - 1 > spaces;
}
