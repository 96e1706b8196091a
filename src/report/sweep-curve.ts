/** A value with its interval, or nothing. */
export interface CurveValue {
  readonly value: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** Characters of a curve. */
const CURVE = 24;

/** From the lowest to the highest of all values and intervals; null if there is nothing to draw. */
export function curveEnds(all: readonly CurveValue[], also: readonly number[] = []): [number, number] | null {
  const numbers = [
    ...all.flatMap(({ value, interval }) =>
      value === null ? [] : [value, ...(interval === null ? [] : [interval.low, interval.high])],
    ),
    ...also,
  ].filter(Number.isFinite);
  if (numbers.length === 0) return null;
  return [numbers.reduce((a, b) => Math.min(a, b)), numbers.reduce((a, b) => Math.max(a, b))];
}

/** The title of a curve: the lowest value at its left and the highest at its right. */
export function curveScale([low = '', high = '']: readonly string[], width = CURVE): string {
  return `${low.padEnd(width - high.length)}${high}`;
}

/**
 * One row of a curve that runs downwards: the value within its interval, and a line where 0 is.
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
