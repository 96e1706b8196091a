import { type WordRule, words } from './words.ts';

/**
 * Jaccard similarity of two sets: |a ∩ b| / |a ∪ b|, from 0 (nothing in common) to 1 (equal).
 *
 * 0/0 does not come up: two empty sets are equal, so 1; one empty set is 0.
 * Jaccard, P. (1912), The distribution of the flora in the alpine zone.
 *
 * @example jaccard(new Set(['bad', 'headache']), new Set(['headache'])) // 0.5
 */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 && b.size === 0) return 1;
  const smaller = a.size <= b.size ? a : b;
  const larger = smaller === a ? b : a;
  let common = 0;
  for (const member of smaller) if (larger.has(member)) common += 1;
  return common / (a.size + b.size - common);
}

/**
 * The set of lower-cased words of a text.
 *
 * @example wordSet('No pain, no gain', 'unicode') // Set { 'no', 'pain', 'gain' }
 */
export function wordSet(text: string, rule: WordRule): Set<string> {
  return new Set(words(text.toLowerCase(), rule));
}
