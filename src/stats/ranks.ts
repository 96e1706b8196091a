export interface Ranks {
  /** The rank of each value, in the order given; equal values share the mean of their places. */
  readonly ranks: readonly number[];
  /** How many values are equal to each other, for every different value from the smallest up. */
  readonly groups: readonly number[];
}

/**
 * Average ranks: the place of each value in sorted order, from 1; equal values get the mean of the places they fill.
 * Defined for every list of numbers, the empty one included; −0 and 0 are equal.
 *
 * Kendall, M. G. (1945), The treatment of ties in ranking problems, Biometrika 33, 239–251.
 *
 * @example averageRanks([3, 1, 3, 2]).ranks // [3.5, 1, 3.5, 2]
 */
export function averageRanks(values: readonly number[]): Ranks {
  const order = values.map((_, place) => place).sort((a, b) => values[a]! - values[b]! || a - b);
  const ranks: number[] = Array.from({ length: values.length });
  const groups: number[] = [];
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && values[order[to]!] === values[order[from]!]) to += 1;
    const rank = (from + 1 + to) / 2;
    for (let place = from; place < to; place += 1) ranks[order[place]!] = rank;
    groups.push(to - from);
    from = to;
  }
  return { ranks, groups };
}
