import { byteLength, type OffsetMap, offsetMap } from './offsets.ts';
import { lastAtOrBefore } from './span.ts';

/**
 * Whether a text looks like UTF-8 that was read as Windows-1252 or Latin-1: "hÃ¸jesteret" for "højesteret".
 *
 * Two things must hold: the whole text, turned back into bytes, is valid UTF-8; and at least one of its sequences is
 * nothing that people write. The second is for texts such as `CAFÉ”`, which by chance is valid UTF-8 too.
 * In doubt the answer is no.
 *
 * @example looksMojibake('hÃ¸jesteret') // true
 * @example looksMojibake('São Paulo') // false
 */
export function looksMojibake(text: string): boolean {
  return reread(text) !== null;
}

/**
 * The text as it was meant, also when it was misread several times over; unchanged when it does not look misread.
 * Lengths change: offsets into the text have to be found anew.
 *
 * @example repairMojibake('itâ€™s') // 'it’s'
 * @example repairMojibake('Ãvila') // 'Ãvila'
 */
export function repairMojibake(text: string): string {
  let result = text;
  // Every round makes the text shorter, so this ends.
  for (let next = reread(result); next !== null; next = reread(result)) result = next;
  return result;
}

/** A long text whose misread words were repaired, each by itself. */
export interface RepairedWords {
  readonly text: string;
  /** How many words were repaired. */
  readonly words: number;
  /** Where an index of the text as it was lies in the repaired one; -1 inside of what has become one character. */
  readonly placeOf: (index: number) => number;
}

interface RepairedWord {
  readonly start: number;
  readonly end: number;
  /** Where the word begins in the repaired text. */
  readonly placed: number;
  /** One a round of reading: each unit of what was read was a byte of what came of it. */
  readonly rounds: readonly OffsetMap[];
}

/** No misread text is without this: a lead byte and what may be one that goes on. Most texts end here. */
const MARK = /[\u00c2-\u00f4][^\u0000-\u007f]/;
/** ASCII white space alone: a no-break space may be half of a misread character. */
const WORD = /[^\t-\r ]+/g;

/**
 * Repairs a document: words that look misread, while others (an emoji, a name that was right) stay. Null where there is
 * no such word. Takes time in proportion to the text.
 *
 * @example repairWords('SÃ£o Paulo, São Paulo')?.text // 'São Paulo, São Paulo'
 */
export function repairWords(text: string): RepairedWords | null {
  if (!MARK.test(text)) return null;
  const found: RepairedWord[] = [];
  let repaired = '';
  let copied = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!MARK.test(word)) continue;
    const rounds: OffsetMap[] = [];
    let result = word;
    for (let next = reread(word); next !== null; next = reread(next)) {
      rounds.push(offsetMap(next, 'byte'));
      result = next;
    }
    if (rounds.length === 0) continue;
    repaired += text.slice(copied, index);
    found.push({ start: index, end: index + word.length, placed: repaired.length, rounds });
    repaired += result;
    copied = index + word.length;
  }
  if (found.length === 0) return null;
  const whole = repaired + text.slice(copied);
  const placeOf = (index: number): number => {
    const word = found[lastAtOrBefore(found, index)];
    if (word === undefined) return index;
    const { start, end, placed, rounds } = word;
    const inside = (at: number): number => rounds.reduce((place, round) => round.toUtf16(place), at);
    if (index >= end) return placed + inside(end - start) + index - end;
    const place = inside(index - start);
    return place < 0 ? -1 : placed + place;
  };
  return { text: whole, words: found.length, placeOf };
}

/** Whether any word of a long text looks misread; quick for texts that have no such word. */
export function hasMojibake(text: string): boolean {
  if (!MARK.test(text)) return false;
  for (const [word] of text.matchAll(WORD)) if (MARK.test(word) && looksMojibake(word)) return true;
  return false;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text read as UTF-8, or null when it is not valid or not convincing. */
function reread(text: string): string | null {
  if (!MARK.test(text)) return null;
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const byte = windows1252Byte(text.charCodeAt(at));
    if (byte < 0) return null;
    bytes[at] = byte;
  }
  let read: string;
  try {
    read = UTF8.decode(bytes);
  } catch {
    return null;
  }
  // Each byte was a unit of the text, so a character of several bytes stands for as many units.
  let [at, previousEnd, convincing] = [0, -1, false];
  for (const character of read) {
    const length = byteLength(character.codePointAt(0) ?? 0);
    if (length > 1) {
      convincing ||= at === previousEnd || isConvincing(text, at, length);
      previousEnd = at + length;
    }
    at += length;
  }
  return convincing ? read : null;
}

const LOWER = /^\p{Ll}$/u;
const UPPER = /^\p{Lu}$/u;
const LETTER = /^\p{L}$/u;
// What may well follow the last letter of a word: quotes, dashes, spaces, exponents, trade marks.
const CLOSING = '‘’“”‚„…–—‹›«»·²³¹°ªº©®™\u00a0\u00ad';

/** Whether people would not write the sequence that begins at `at`. Two in a row are convincing anyway. */
function isConvincing(text: string, at: number, length: number): boolean {
  let closes = true;
  for (let i = 0; i < length; i += 1) {
    const unit = text.charCodeAt(at + i);
    if (unit >= 0x80 && unit <= 0x9f) return true; // a control character
    if (i > 0 && !CLOSING.includes(text.charAt(at + i))) closes = false;
  }
  const lead = text.charCodeAt(at);
  const before = text.charAt(at - 1);
  const after = text.charAt(at + length);

  // Longer ones lead emoji, typographic signs and the scripts of Asia; only the likes of Nescafé®’s are in doubt.
  if (length > 2) return !closes || !LETTER.test(before);
  // Â and Ã lead the Latin letters and signs of Western Europe; only the likes of AMANHÃ” are in doubt.
  if (lead <= 0xc3) return !closes || !UPPER.test(before) || LETTER.test(after);
  // Ä to È lead other Latin letters; Å² and È… are in doubt. The rest lead scripts that come many letters in a row.
  return lead <= 0xc8 && (LOWER.test(before) || (!closes && LOWER.test(after)));
}

// Bytes 80 to 9F in order; the five that Windows-1252 leaves unused stand for themselves, as browsers read them.
const HIGH = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

const BYTES = new Map(Array.from(HIGH, (character, at) => [character.charCodeAt(0), 0x80 + at]));

/**
 * The byte that a UTF-16 unit was read from, if the reader took the text for Windows-1252 or Latin-1; -1 for a
 * character that neither has. U+0080 to U+009F are Latin-1's reading of the bytes of the same number.
 *
 * @example windows1252Byte('€'.charCodeAt(0)) // 0x80
 */
export function windows1252Byte(unit: number): number {
  return unit <= 0xff ? unit : (BYTES.get(unit) ?? -1);
}
