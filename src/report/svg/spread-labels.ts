/**
 * Moves labels apart along one direction, as little as need be: pools of neighbours that are too close are centred on
 * the mean of where they wanted to be. Null where the room does not suffice.
 *
 * @example spreadLabels([10, 11], 4, 0, 100) // [8.5, 12.5]
 */
export function spreadLabels(wanted: readonly number[], gap: number, low: number, high: number): number[] | null {
  if ((wanted.length - 1) * gap > high - low) return null;
  const order = wanted.map((_, at) => at).sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  const pools: { start: number; members: number[] }[] = [];
  for (const member of order) {
    let pool = placed([member], wanted, gap, low, high);
    for (let last = pools.at(-1); last !== undefined && end(last, gap) > pool.start; last = pools.at(-1)) {
      pools.pop();
      pool = placed([...last.members, ...pool.members], wanted, gap, low, high);
    }
    pools.push(pool);
  }
  const places = wanted.map(() => 0);
  for (const { start, members } of pools)
    for (const [at, member] of members.entries()) places[member] = start + at * gap;
  return places;
}

function end({ start, members }: { start: number; members: readonly number[] }, gap: number): number {
  return start + members.length * gap - 1e-9;
}

function placed(members: number[], wanted: readonly number[], gap: number, low: number, high: number) {
  const mean = members.reduce((sum, member, at) => sum + wanted[member]! - at * gap, 0) / members.length;
  return { start: Math.max(low, Math.min(high - (members.length - 1) * gap, mean)), members };
}
