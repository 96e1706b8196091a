import { closestNames } from '../../text/closest-names.ts';
import type { Problem, Problems } from '../../data/problems.ts';
import { describe } from '../../data/record-fields.ts';

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

/** The number that a text is; null if it is none. */
export function numberOf(text: string): number | null {
  if (!NUMBER.test(text)) return null;
  const value = Number(text);
  if (!Number.isFinite(value)) return null;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? null : value === 0 ? 0 : value;
}

export interface CellRules {
  /** The declared categories, as text. One that looks like a mark for "missing" is a category then. */
  readonly categories?: readonly string[];
  readonly range?: { readonly low: number; readonly high: number };
  /** The scale is of numbers, or of numbers from 0 on. */
  readonly numbers?: 'any' | 'from-0';
}

/** A cell as text, or as a mark that there is no rating; undefined if it is wrong, with the problem noted. */
export function checkCell(
  cell: unknown,
  place: Pick<Problem, 'file' | 'line' | 'field'>,
  { categories, range, numbers }: CellRules,
  problems: Problems,
): { readonly text: string; readonly missing: boolean } | undefined {
  const wrong = (expected: string, next?: string): undefined => {
    problems.add({
      ...place,
      message: `expected ${expected}, found ${describe(cell)}`,
      next,
    });
    return undefined;
  };
  const text = ratingText(cell);
  if (text === null) return wrong('a rating (text, a number, true or false)');
  const isDeclared = categories?.some((category) => ratingText(category) === text) === true;
  if (!isDeclared && MISSING_MARKS.includes(text)) return { text, missing: true };
  const value = numberOf(text);
  if (numbers !== undefined && value === null)
    return wrong(
      'a number, as this scale needs',
      'a decimal point, not a comma; --scale nominal or ordinal takes words',
    );
  if (numbers === 'from-0' && value !== null && value < 0)
    return wrong('0 or more, as a ratio scale needs', '--scale interval takes negative numbers');
  if (range !== undefined && (value === null || value < range.low || value > range.high))
    return wrong(`a number from ${range.low} to ${range.high}`);
  if (categories !== undefined && !isDeclared) {
    const near = closestNames(text, categories, 1);
    return wrong(
      `one of the declared categories (${categories.slice(0, 10).join(', ')})`,
      near.length > 0 ? `did you mean ${near[0]!}?` : 'add it to --categories, or correct it',
    );
  }
  return { text, missing: false };
}
