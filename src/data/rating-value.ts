/** What a cell may hold to say that there is no rating. */
export const MISSING_MARKS: readonly string[] = ['', 'NA', 'N/A', 'n/a', 'NaN', 'nan', 'null', 'NULL'];

/** A plain number. Codes such as 007 are none, and so are numbers with more digits than can be held. */
const NUMBER = /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The text of a cell without the space around it, numbers in one way of writing; null for what is no rating at all. */
export function ratingText(cell: unknown): string | null {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : null;
  if (typeof cell === 'boolean') return String(cell);
  if (typeof cell !== 'string') return null;
  const text = cell.trim();
  const value = numberOf(text);
  return value === null ? text : String(value);
}

/** The number that a text is; null where it is none. */
export function numberOf(text: string): number | null {
  if (!NUMBER.test(text)) return null;
  const value = Number(text);
  if (!Number.isFinite(value)) return null;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? null : value === 0 ? 0 : value;
}
