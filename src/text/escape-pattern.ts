/**
 * A text as a regular expression that matches it and nothing else, with or without the flag `u`. `RegExp.escape` does the
 * same, from Node 24 on.
 *
 * @example new RegExp(escapePattern('a.b')).test('axb') // false
 */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
