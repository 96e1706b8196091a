/**
 * Whether a is at least as good as b in every objective and better in one. Lower is better.
 *
 * @example dominates([1, 5], [1, 6]) // true
 */
export function dominates(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  let better = false;
  for (let at = 0; at < a.length; at += 1) {
    if (a[at]! > b[at]!) return false;
    if (a[at]! < b[at]!) better = true;
  }
  return better;
}

/**
 * Places of the points that no other point dominates, in their order (Pareto 1906). Lower is better in every objective;
 * of equal points, all are on the front.
 */
export function paretoFront(points: readonly ArrayLike<number>[]): number[] {
  // In this order a point can only be dominated by one before it, so one pass over the front so far suffices.
  const order = points.map((_, at) => at).sort((a, b) => compareLists(points[a]!, points[b]!) || a - b);
  const front: number[] = [];
  for (const place of order) {
    const point = points[place]!;
    if (!front.some((other) => dominates(points[other]!, point))) front.push(place);
  }
  return front.sort((a, b) => a - b);
}

/** By the first objective in which they differ. */
export function compareLists(a: ArrayLike<number>, b: ArrayLike<number>): number {
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return 0;
}
