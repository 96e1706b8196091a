import { compareNatural } from '../../text/compare.ts';
import type { Rating } from './rating.ts';

/** Numbers by size, then false and true, then texts with their numbers by size: the same for every order of the input. */
export function compareRatings(a: Rating, b: Rating): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareNatural(a, b);
  return rank(a) - rank(b);
}

function rank(rating: Rating): number {
  if (typeof rating === 'number') return 0;
  if (typeof rating === 'boolean') return rating ? 2 : 1;
  return 3;
}

/** Whether the categories have an order that does not have to be guessed: two of them, or numbers only. */
export function hasOrder(categories: readonly Rating[]): boolean {
  return categories.length <= 2 || categories.every((category) => typeof category === 'number');
}

/** Groups of categories that a reader would take for one: "Vata" and "vata ", 1 and "1". */
export function lookAlikes(categories: readonly Rating[]): Rating[][] {
  const groups = Map.groupBy(categories, (category) => String(category).normalize('NFC').trim().toLowerCase());
  return [...groups.values()].filter((group) => group.length > 1);
}
