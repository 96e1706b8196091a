/** From a value to a place along an axis. */
export type Scale = (value: number) => number;

export type Ends = readonly [number, number];

/**
 * @example linearScale([0, 10], [100, 200])(2.5) // 125
 */
export function linearScale([low, high]: Ends, [start, end]: Ends): Scale {
  return (value) => start + ((value - low) / (high - low)) * (end - start);
}

/**
 * Equal steps for equal factors; the domain is positive.
 *
 * @example logScale([250, 1000], [0, 100])(500) // 50
 */
export function logScale([low, high]: Ends, range: Ends): Scale {
  const linear = linearScale([Math.log2(low), Math.log2(high)], range);
  return (value) => linear(Math.log2(value));
}
