import { codePointLength } from '../plugin.ts';

/**
 * Character-normalised token units: ceil(code points / 4); an empty text has 0.
 *
 * @example ctu('ataxia') // 2
 */
export function ctu(text: string): number {
  return Math.ceil(codePointLength(text) / 4);
}
