import { closestNames } from '../plugin.ts';

const MOST_LISTED = 10;

/**
 * What to write instead of a word that is none of the names: the closest of them, or else the first few.
 *
 * @example nameHint('percision', ['precision', 'recall'], 'measures') // 'did you mean precision?'
 * @example nameHint('x', ['precision', 'recall'], 'measures') // 'measures: precision, recall'
 */
export function nameHint(word: string, names: Iterable<string>, kind: string, show = (name: string) => name): string {
  const all = [...names];
  const near = closestNames(word, all);
  if (near.length > 0) return `did you mean ${near.map(show).join(' or ')}?`;
  const first = all.slice(0, MOST_LISTED).map(show).join(', ');
  return `${kind}: ${first}${all.length > MOST_LISTED ? ', …' : ''}`;
}
