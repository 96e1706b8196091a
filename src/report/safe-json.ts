import { UNSAFE } from '../data/visible.ts';

/** JSON that a terminal can be shown: what it would act on, and JSON leaves as it is, is escaped. Ends in a newline. */
export function safeJson(value: unknown, indent = 2): string {
  // Line breaks here are only those of the layout: JSON escapes all others itself.
  const lines = JSON.stringify(value, null, indent).split('\n');
  return `${lines.map((line) => line.replaceAll(UNSAFE, escaped)).join('\n')}\n`;
}

function escaped(character: string): string {
  let out = '';
  for (let at = 0; at < character.length; at += 1)
    out += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return out;
}
