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

const PIECE = /^[a-z]{1,3}$/;
const VOWEL = /[aeiouy]/;
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/** Texts of which fewer words are function words we know are not in a language whose short words we know. */
const KNOWN_LANGUAGE = 0.1;
const LEAST_WORDS = 15;
const LEAST_RUN = 2;
const LONGEST_BEFORE = 40;

const SPACES = /\s+/g;
/** Several tokens of one to three small letters in a row. */
const SHORT_ONES = /(?<!\S)[a-z]{1,3}(?:\s+[a-z]{1,3}(?!\S))+/g;

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
  const runs: string[] = [];
  for (const found of text.matchAll(SHORT_ONES)) {
    const tokens = found[0].trim().split(SPACES);
    let from = 0;
    for (let at = 0; at <= tokens.length; at += 1) {
      if (at < tokens.length && isPiece(tokens[at]!)) continue;
      if (at - from >= LEAST_RUN) runs.push(withWordBefore(text, found.index, tokens, from, at));
      from = at + 1;
    }
  }
  // Few texts have any, so it is only then asked what language this is.
  const words = wordCount(text);
  return { words, runs: runs.length === 0 || isOfKnownLanguage(text) ? runs : [] };
}

function withWordBefore(text: string, at: number, tokens: readonly string[], from: number, to: number): string {
  const before =
    from > 0
      ? tokens[from - 1]
      : text
          .slice(Math.max(0, at - LONGEST_BEFORE), at)
          .trim()
          .split(SPACES)
          .at(-1);
  return [before ?? '', ...tokens.slice(from, to)].join(' ').trim();
}

function isOfKnownLanguage(text: string): boolean {
  const tokens = text.split(SPACES).filter((token) => token !== '');
  if (tokens.length < LEAST_WORDS) return false;
  const known = tokens.filter((token) => isFunctionWord(token.toLowerCase().replace(EDGES, ''))).length;
  return known >= KNOWN_LANGUAGE * tokens.length;
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

function isPiece(token: string): boolean {
  return PIECE.test(token) && VOWEL.test(token) && !isFunctionWord(token) && !SHORT_WORDS.has(token);
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
