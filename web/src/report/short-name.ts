import { shorten } from '../../../src/data/visible.ts';
import { count } from '../../../src/text/figures.ts';
import { readableText } from '../readable-pieces.ts';

/** Longer than any name that a person gave; what is written as one. */
export const LONGEST_NAME = 200;
const LONGEST_TITLE = 2000;

/**
 * A name of others as plain text, for labels and options: its beginning and its length where it would fill the page.
 *
 * @example shortName('x'.repeat(5000)) // 200 times x, then '… (5,000 characters)'
 */
export function shortName(name: string, most = LONGEST_NAME): string {
  return name.length <= most ? readableText(name) : `${readableText(shorten(name, most))} (${lengthOf(name)})`;
}

/** The tooltip of a name that was cut. */
export function longTitle(name: string): string {
  return readableText(shorten(name, LONGEST_TITLE));
}

export function lengthOf(name: string): string {
  return `${count(name.length)} characters`;
}
