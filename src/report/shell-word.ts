const PLAIN = /^[\w@%+=:,./-]+$/;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * A text as one word of a shell command, to be copied and run.
 *
 * @example shellWord('runs/a b') // "'runs/a b'"
 */
export function shellWord(text: string): string {
  if (PLAIN.test(text)) return text;
  if (!CONTROL.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text.replaceAll(/[\\'\u0000-\u001f\u007f-\u009f]/g, (character) =>
    character === '\\' || character === "'"
      ? `\\${character}`
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `$'${escaped}'`;
}

/** `--case ID` for a shell; an id that looks like an option is tied to its own. */
export function caseOption(id: string): string {
  return `--case${id.startsWith('-') ? '=' : ' '}${shellWord(id)}`;
}
