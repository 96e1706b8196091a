/** A value with its interval, or nothing. */
export interface CurveValue {
  readonly value: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** Characters of a curve. */
const CURVE = 24;

interface Curve {
  /** The lowest value at the left and the highest at the right. */
  readonly title: string;
  readonly row: (value: CurveValue) => string;
}

/** A curve that runs downwards, over all values and intervals; empty if there is nothing to draw. */
export function curveOf(
  all: readonly CurveValue[],
  endText: (end: number) => string,
  width = CURVE,
  zero = false,
): Curve {
  const numbers = all
    .flatMap(({ value, interval }) => (value === null ? [] : [value, interval?.low ?? value, interval?.high ?? value]))
    .concat(zero ? 0 : [])
    .filter(Number.isFinite);
  if (numbers.length === 0) return { title: '', row: () => '' };
  const low = numbers.reduce((a, b) => Math.min(a, b));
  const high = numbers.reduce((a, b) => Math.max(a, b));
  const title = `${endText(low).padEnd(width - endText(high).length)}${endText(high)}`;
  return { title, row: (value) => curveRow(value, [low, high], width, zero) };
}

/**
 * One row of a curve: the value within its interval, and a line where 0 is.
 *
 * @example curveRow({ value: 0.5, interval: { low: 0.25, high: 0.75 } }, [0, 1], 9) // '  ├─●─┤'
 */
export function curveRow(
  { value, interval }: CurveValue,
  [low, high]: readonly [number, number],
  width = CURVE,
  zero = false,
): string {
  if (value === null) return '';
  const at = (number: number): number =>
    high === low ? Math.floor(width / 2) : Math.round(((number - low) / (high - low)) * (width - 1));
  const cells = Array.from({ length: width }, () => ' ');
  if (zero) cells[at(0)] = '¦';
  if (interval !== null) {
    for (let column = at(interval.low); column <= at(interval.high); column += 1) cells[column] = '─';
    cells[at(interval.low)] = '├';
    cells[at(interval.high)] = '┤';
  }
  cells[at(value)] = '●';
  return cells.join('').trimEnd();
}
