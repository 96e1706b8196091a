const SPECIAL = /[.*+?^${}()|[\]\\/-]/g;
const EDGE = String.raw`[\p{L}\p{M}\p{N}]`;

/**
 * An expression that finds phrases as whole words, whatever their case: `eat` is not found in "treatment". A star at the
 * end of a word stands for any ending (`aggravat*`), a space for any white space, and a hyphen also for a space or none.
 * Letters, marks and digits of any script make words. Null where there is no phrase.
 *
 * @example phraseFinder(['follow-up', 'eat*'])?.exec('Eating well: follow up soon')?.[0] // 'Eating'
 */
export function phraseFinder(phrases: readonly string[]): RegExp | null {
  const sources = phrases.map(sourceOf).filter((source) => source !== '');
  if (sources.length === 0) return null;
  // The longest first, so that what is shown as found is all of it.
  const ordered = sources.toSorted((a, b) => b.length - a.length);
  return new RegExp(`(?<!${EDGE})(?:${ordered.join('|')})(?!${EDGE})`, 'iu');
}

function sourceOf(phrase: string): string {
  return phrase
    .normalize('NFC')
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => {
      const isOpen = word.endsWith('*');
      const plain = (isOpen ? word.slice(0, -1) : word).replaceAll(SPECIAL, (sign) =>
        sign === '-' ? String.raw`[-\u2010-\u2013\s]?` : `\\${sign}`,
      );
      return isOpen ? `${plain}${EDGE}*` : plain;
    })
    .join(String.raw`\s+`);
}
