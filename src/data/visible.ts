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

/** Characters without a shape, such as joiners, direction marks and soft hyphens. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** Unicode's names of the invisible characters that texts of the web and of word processors have. */
const INVISIBLE_NAMES: Readonly<Record<string, string>> = {
  '\u00ad': 'soft hyphen',
  '\u034f': 'combining grapheme joiner',
  '\u061c': 'Arabic letter mark',
  '\u180e': 'Mongolian vowel separator',
  '\u200b': 'zero width space',
  '\u200c': 'zero width non-joiner',
  '\u200d': 'zero width joiner',
  '\u200e': 'left-to-right mark',
  '\u200f': 'right-to-left mark',
  '\u202a': 'left-to-right embedding',
  '\u202b': 'right-to-left embedding',
  '\u202c': 'pop directional formatting',
  '\u202d': 'left-to-right override',
  '\u202e': 'right-to-left override',
  '\u2060': 'word joiner',
  '\u2066': 'left-to-right isolate',
  '\u2067': 'right-to-left isolate',
  '\u2068': 'first strong isolate',
  '\u2069': 'pop directional isolate',
  '\ufe0e': 'text variation selector',
  '\ufe0f': 'emoji variation selector',
  '\ufeff': 'zero width no-break space or byte order mark',
};

/**
 * The invisible characters that one of two texts has more often than the other; null if the texts differ in more than
 * these, or not at all.
 *
 * @example hiddenDifference('Ann', 'A\u200bnn') // 'U+200B (zero width space)'
 */
export function hiddenDifference(a: string, b: string): string | null {
  const visibleIn = (text: string): string => text.replaceAll(INVISIBLE, '').normalize('NFC');
  if (visibleIn(a) !== visibleIn(b)) return null;
  const counts = new Map<string, number>();
  for (const [text, by] of [
    [a, 1],
    [b, -1],
  ] as const)
    for (const [character] of text.matchAll(INVISIBLE)) counts.set(character, (counts.get(character) ?? 0) + by);
  const differing = [...counts].flatMap(([character, count]) => (count === 0 ? [] : [character]));
  // Equal counts: the characters differ in their places.
  const named = differing.length > 0 ? differing : [...counts.keys()];
  return named.length === 0 ? null : named.map(invisibleName).join(', ');
}

function invisibleName(character: string): string {
  const code = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
  const name = INVISIBLE_NAMES[character];
  return name === undefined ? code : `${code} (${name})`;
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
