/**
 * What a terminal would act on, or what hides or reorders text: control characters, bidirectional overrides, invisible
 * characters, lone surrogates. The joiners U+200C and U+200D stay: Devanagari and emoji need them.
 */
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\u{e0000}-\u{e007f}]/gu;

/**
 * Text from data as it may go to a terminal or a page: what could do harm is shown, never sent. Safe text stays as it is.
 *
 * @example safeText('\u001b[2Jboo') // '␛[2Jboo'
 * @example safeText('abc\u202Etxt') // 'abc‹U+202E›txt'
 */
export function safeText(text: string): string {
  return text.replaceAll(UNSAFE, picture);
}

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x0a) return '⏎';
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
}
