import { repairMojibake } from '../../text/mojibake.ts';

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

const MONTHS =
  'jan|feb|fev|fév|mar|mär|mrz|apr|avr|abr|may|mai|maj|jun|juin|jul|juil|aug|août|ago|sep|sept|set|oct|okt|out|nov|dec|dez|dic|déc';
const DATES = [
  new RegExp(`^\\d{1,4}[-/. ]{1,2}(?:${MONTHS})\\p{L}*\\.?(?:[-/. ]\\d{2,4})?$`, 'iu'),
  new RegExp(`^(?:${MONTHS})\\p{L}*\\.?[-/. ]\\d{1,4}$`, 'iu'),
  /^\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?$/,
];
/** The number of a day between the years 2009 and 2064, as a date is kept. */
const DAY_NUMBER = /^[45]\d{4}$/;
const LARGE_NUMBER = /^\d+(?:[.,]\d+)?E[+-]?\d+$/i;
const FORMULA_ERROR = /^(?:#(?:NAME|VALUE|REF|N\/A|DIV\/0|NUM|NULL|SPILL|CALC)[?!]?|Err:\d{3})$/i;

/**
 * What a spreadsheet may have made of a cell that cannot be right otherwise; null if it does not look like that.
 *
 * @example damageIn('02-Jan') // 'looks like a date that a spreadsheet made of another value'
 */
export function damageIn(cell: string): string | null {
  const text = cell.trim();
  if (looksLikeDate(text) || DAY_NUMBER.test(text)) return 'looks like a date that a spreadsheet made of another value';
  if (LARGE_NUMBER.test(text)) return 'looks like a number that a spreadsheet made of another value';
  return isFormulaError(text) ? 'is what a spreadsheet shows for a formula that it cannot compute' : null;
}

export function looksLikeDate(cell: string): boolean {
  return DATES.some((pattern) => pattern.test(cell.trim()));
}

/** A text that became this was taken for a formula. */
export function isFormulaError(cell: string): boolean {
  return FORMULA_ERROR.test(cell.trim());
}

/** Line ends are the spreadsheet's own affair. */
export function withPlainLineEnds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** Whether nobody has changed a text: line ends, space around it and an apostrophe that was lost do not count. */
export function isSameText(written: string, found: string): boolean {
  return comparableText(written) === comparableText(found);
}

/** A text without what saving may change of it. */
export function comparableText(text: string): string {
  return withPlainLineEnds(withoutNul(text))
    .replace(/^[\s']+/, '')
    .trimEnd();
}

/**
 * How saving has spoilt a text, if it has: characters lost to an old code page, or read as one, or cut off at the
 * most that a cell of Excel holds. Null if somebody has changed it.
 */
export function spoiltBySaving(written: string, found: string): string | null {
  const [before, after] = [comparableText(written), comparableText(found)];
  if (before === after) return null;
  if (/[?\ufffd]/.test(after) && lostCharacters(before) === lostCharacters(after))
    return `has ${after.includes('?') ? '?' : '\ufffd'} for characters that were lost when it was saved`;
  if (comparableText(repairMojibake(after)) === before)
    return 'was read with the wrong character set before it was saved';
  return after.length > 30_000 && before.startsWith(after) ? 'was cut off, as Excel does with long cells' : null;
}

/** A ? within a word, or several by themselves: what an old code page leaves of letters that it does not have. */
const LOST_LETTERS = /\p{L}\?+\p{L}|(?:^|\s)\?{2,}(?=\s|$)/u;

/**
 * Why some characters of a text seem to be lost, if nobody knows what it was before; null if none do.
 *
 * @example lostIn('gr\ufffd\ufffder') // 'has \ufffd where a character was lost when it was saved'
 */
export function lostIn(text: string): string | null {
  if (text.includes('\ufffd')) return 'has \ufffd where a character was lost when it was saved';
  return LOST_LETTERS.test(text) ? 'has ? where a character may have been lost when it was saved' : null;
}

function lostCharacters(text: string): string {
  return text.replaceAll(/[^\0-\u007f?]+|\?+/gu, '?').replaceAll(/\?+/g, '?');
}
