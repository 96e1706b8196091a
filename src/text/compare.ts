/** Order by UTF-16 units, for sorting. Never by locale: a run sorted in Copenhagen has to equal one sorted in Delhi. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Runs of digits, and every other unit by itself. */
const PARTS = /[0-9]+|[^0-9]/g;
const DIGITS = /^[0-9]/;

/**
 * Order in which runs of the digits 0 to 9 count as numbers of any length; all else as `compareText`.
 * Texts that differ in leading zeros only ("a1", "a01") are ordered by units, so 0 means equal.
 *
 * @example compareNatural('annotator2', 'annotator10') // -1
 */
export function compareNatural(a: string, b: string): number {
  const [x, y] = [a.match(PARTS) ?? [], b.match(PARTS) ?? []];
  for (let at = 0; at < x.length && at < y.length; at += 1) {
    const order = compareParts(x[at]!, y[at]!);
    if (order !== 0) return order;
  }
  return Math.sign(x.length - y.length) || compareText(a, b);
}

function compareParts(a: string, b: string): number {
  if (!DIGITS.test(a) || !DIGITS.test(b)) return compareText(a, b);
  const [x, y] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')];
  return Math.sign(x.length - y.length) || compareText(x, y);
}

/** The first number below `length` from which on something holds, by halving; `length` where it holds for none. */
export function firstFrom(length: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
