/** What Excel and LibreOffice take for a formula, also behind white space and in the forms of East Asian keyboards. */
const FORMULA = /^(?:[\t\r]|[\s\u200b\ufeff\0]*[=+\-@＝＋－＠])/u;
const NEEDS_QUOTES = /[",;\t\r\n']|^\s|\s$/u;

/**
 * A text as a cell that a spreadsheet keeps as text: an apostrophe goes before what it would take for a formula, and
 * before such a text that has apostrophes already, so that reading back is exact.
 *
 * @example guarded('=1+2') // "'=1+2"
 * @example guarded("'tis") // "'tis"
 */
export function guarded(text: string): string {
  return isGuardable(text) ? `'${text}` : text;
}

/** The text that was guarded: `unguarded(guarded(text))` is `text`, for any text. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && isGuardable(cell) ? cell.slice(1) : cell;
}

function isGuardable(text: string): boolean {
  return FORMULA.test(text.replace(/^'+/, ''));
}

/** A table as spreadsheets like it: a byte order mark for Excel, CR LF, quotes where they are needed, no formulas. */
export function spreadsheetCsv(columns: readonly string[], rows: Iterable<readonly string[]>): string {
  const lines = [columns, ...rows].map((cells) => cells.map((cell) => quoted(guarded(withoutNul(cell)))).join(','));
  return `\ufeff${lines.join('\r\n')}\r\n`;
}

/** Programs end a text at NUL, or take the file for a binary one: the sign for a lost character replaces it. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}

function quoted(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
