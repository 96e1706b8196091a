/**
 * What a terminal would act on, or what hides or reorders text: control characters, line separators, bidirectional
 * overrides, invisible characters, lone surrogates. The joiners U+200C and U+200D stay: Devanagari and emoji need them.
 */
export const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\u{e0000}-\u{e007f}]/gu;

/**
 * Text of hostile files goes to a terminal: in quotes, with control characters shown, not sent.
 *
 * @example visible('a\u001b[2J') // '"a\\u001b[2J"'
 */
export function visible(text: string): string {
  return harmless(JSON.stringify(text));
}

/** The text without quotes, with nothing in it that a terminal would act on. */
export function harmless(text: string): string {
  return text.replaceAll(UNSAFE, escaped);
}

/** What looks like itself and like nothing else. */
const PLAIN = /^[\w-]*$/;
const JOINERS = /[\u200c\u200d]/g;
const BEYOND_ASCII = /[^\u0000-\u007f]/gu;

/**
 * Two different texts, to be shown beside each other: where they would look the same, in quotes and with what differs
 * written out.
 *
 * @example distinctTexts('PERSON', 'PERSON ') // ['"PERSON"', '"PERSON "']
 */
export function distinctTexts(a: string, b: string): readonly [string, string] {
  if ((PLAIN.test(a) && PLAIN.test(b)) || bare(a) !== bare(b)) return [a, b];
  const [one, other] = [visible(a), visible(b)];
  if (lookOf(one) !== lookOf(other)) return [one, other];
  return [one.replaceAll(BEYOND_ASCII, escaped), other.replaceAll(BEYOND_ASCII, escaped)];
}

function bare(text: string): string {
  return lookOf(text)
    .replaceAll(/[\t-\r]/g, ' ')
    .replaceAll(UNSAFE, '')
    .replaceAll(/ +/g, ' ')
    .trim();
}

/** With what no reader can see in it made one: joiners, the sorts of spaces, composed and decomposed letters. */
function lookOf(text: string): string {
  return text.normalize('NFKC').replaceAll(JOINERS, '');
}

/** The beginning of a long text, never half a character. */
export function shorten(text: string, most = 40): string {
  if (text.length <= most) return text;
  const end = text.codePointAt(most - 1)! > 0xffff ? most - 1 : most;
  return `${text.slice(0, end)}…`;
}

function escaped(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
