/**
 * Order by UTF-16 units, for sorting: negative, 0 or positive. Never by locale: a run sorted in Copenhagen has to equal
 * one sorted in Delhi.
 *
 * @example compareText('Zoe', 'adam') // -1
 */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Order in which runs of the digits 0 to 9 count as numbers of any length; all else as `compareText`.
 * Texts that differ in leading zeros only ("a1", "a01") are ordered by units, so 0 means equal.
 *
 * @example compareNatural('annotator2', 'annotator10') // -1
 */
export function compareNatural(a: string, b: string): number {
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(j);
    if (!isDigit(x) || !isDigit(y)) {
      if (x !== y) return x < y ? -1 : 1;
      i += 1;
      j += 1;
      continue;
    }
    i = skipZeros(a, i);
    j = skipZeros(b, j);
    const iEnd = digitsEnd(a, i);
    const jEnd = digitsEnd(b, j);
    if (iEnd - i !== jEnd - j) return iEnd - i < jEnd - j ? -1 : 1;
    for (; i < iEnd; i += 1, j += 1) {
      const difference = a.charCodeAt(i) - b.charCodeAt(j);
      if (difference !== 0) return difference < 0 ? -1 : 1;
    }
  }
  if (i < a.length) return 1;
  if (j < b.length) return -1;
  return compareText(a, b);
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function skipZeros(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === 0x30) at += 1;
  return at;
}

function digitsEnd(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
}
