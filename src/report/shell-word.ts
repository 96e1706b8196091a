import { UNSAFE } from '../data/visible.ts';

const PLAIN = /^[\w@%+=:,./-]+$/;

/**
 * A text as one word of a shell command, to be copied and run.
 *
 * @example shellWord('runs/a b') // "'runs/a b'"
 */
export function shellWord(text: string): string {
  if (PLAIN.test(text)) return text;
  // What a report would show as a picture of itself has to be escaped, or the command would name another id.
  if (text.search(UNSAFE) === -1) return `'${text.replaceAll("'", "'\\''")}'`;
  const quoted = text.replaceAll(/[\\']/g, (character) => `\\${character}`);
  return `$'${quoted.replaceAll(UNSAFE, escaped)}'`;
}

function escaped(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}

/** `--case ID` for a shell; an id that looks like an option is tied to its own. */
export function caseOption(id: string): string {
  return `--case${id.startsWith('-') ? '=' : ' '}${shellWord(id)}`;
}
