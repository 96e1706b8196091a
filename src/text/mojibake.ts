import { type OffsetMap, offsetMap } from './offsets.ts';
import { lastAtOrBefore } from './span.ts';

/**
 * The text as it was meant, if it looks like UTF-8 that was read as Windows-1252 or Latin-1, also several times over; else
 * unchanged. The whole text, turned back into bytes, must be valid UTF-8, and at least one of its sequences nothing that
 * people write: `CAFÉ”` is valid by chance. Lengths change: offsets into the text have to be found again.
 *
 * @example repairMojibake('itâ€™s') // 'it’s'
 */
export function repairMojibake(text: string): string {
  return rereadings(text).at(-1) ?? text;
}

/** What a text becomes in each round of reading. Every round makes it shorter, so this ends. */
function rereadings(text: string): string[] {
  const next = reread(text);
  return next === null ? [] : [next, ...rereadings(next)];
}

/** A long text whose misread words were repaired, each by itself. */
export type RepairedWords = NonNullable<ReturnType<typeof repairWords>>;

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
export function repairWords(text: string) {
  if (!MARK.test(text)) return null;
  /** Where each repaired word was and where it begins now; one map a round: each unit of what was read was a byte. */
  const found: { start: number; end: number; placed: number; rounds: readonly OffsetMap[] }[] = [];
  let repaired = '';
  for (const { 0: word, index: start } of text.matchAll(WORD)) {
    const rounds = rereadings(word);
    if (rounds.length === 0) continue;
    repaired += text.slice(found.at(-1)?.end ?? 0, start);
    const maps = rounds.map((round) => offsetMap(round, 'byte'));
    found.push({ start, end: start + word.length, placed: repaired.length, rounds: maps });
    repaired += rounds.at(-1)!;
  }
  if (found.length === 0) return null;
  /** The place in the repaired text of an index of the original; -1 inside of what has become one character. */
  const placeOf = (index: number): number => {
    const word = found[lastAtOrBefore(found, index)];
    if (word === undefined) return index;
    const { start, end, placed, rounds } = word;
    const place = rounds.reduce((at, round) => round.toUtf16(at), Math.min(index, end) - start);
    return place < 0 ? -1 : placed + place + Math.max(0, index - end);
  };
  return { text: repaired + text.slice(found.at(-1)!.end), placeOf };
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
  try {
    const read = UTF8.decode(bytes);
    return text.matchAll(SEQUENCE).some(({ 0: { length }, index }) => isConvincing(text, index, length)) ? read : null;
  } catch {
    return null;
  }
}

/** A character of several bytes, each of which became a unit of the text; the first gives their number. */
const SEQUENCE = /[\u00c2-\u00df].|[\u00e0-\u00ef]..|[\u00f0-\u00f4].../gs;
const LOWER = /^\p{Ll}$/u;
const UPPER = /^\p{Lu}$/u;
const LETTER = /^\p{L}$/u;
const CONTROL = /[\u0080-\u009f]/;
// What may well follow the last letter of a word: quotes, dashes, spaces, exponents, trade marks.
const CLOSING = /^[‘’“”‚„…–—‹›«»·²³¹°ªº©®™\u00a0\u00ad]*$/;

/** Whether people would not write the sequence that begins at `at`: above all not two in a row. */
function isConvincing(text: string, at: number, length: number): boolean {
  if (text.charCodeAt(at - 1) > 0x7f || CONTROL.test(text.slice(at, at + length))) return true;
  const closes = CLOSING.test(text.slice(at + 1, at + length));
  const [lead, before, after] = [text.charCodeAt(at), text.charAt(at - 1), text.charAt(at + length)];
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
 * Bytes read as Latin-1, read as Windows-1252. Older Nodes (22, early 24) have a decoder of that name that reads Latin-1.
 * @example windows1252Text('\x80 5') // '€ 5'
 */
export function windows1252Text(latin1: string): string {
  return latin1.replaceAll(/[\x80-\x9f]/g, (unit) => HIGH[unit.charCodeAt(0) - 0x80]!);
}

/** The byte that a reader of Windows-1252 or Latin-1 made a UTF-16 unit of; -1 for what neither has. Example: € is 0x80. */
export function windows1252Byte(unit: number): number {
  return unit <= 0xff ? unit : (BYTES.get(unit) ?? -1);
}
