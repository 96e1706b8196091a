import { UNSAFE } from '../data/visible.ts';

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
