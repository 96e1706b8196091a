/**
 * A place in a figure, in hundredths of a unit and the same on every machine. What is no number is a bug of ours and
 * never reaches a file.
 *
 * @example coordinate(12.3456) // '12.35'
 * @example coordinate(-0.001) // '0'
 */
export function coordinate(value: number): string {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e9) throw new RangeError(`a figure has no place for ${value}`);
  const text = value.toFixed(2).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
}
