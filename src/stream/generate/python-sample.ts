import { MersenneTwister } from '../../stats.ts';

/**
 * So many of a list without repeats, the very ones that Python's `random.Random(seed).sample(list, count)` draws (3.9 and
 * later), so that a seed of a configuration names the same cases here and there.
 *
 * @example pythonSample(['a', 'b', 'c', 'd', 'e'], 2, 42) // ['a', 'e']
 */
export function pythonSample<T>(list: readonly T[], count: number, seed: number): T[] {
  const random = new MersenneTwister([seed]);
  const below = (n: number): number => {
    const bits = 32 - Math.clz32(n);
    for (;;) {
      const drawn = random.uint32() >>> (32 - bits);
      if (drawn < n) return drawn;
    }
  };
  const n = list.length;
  if (count >= n && n === 0) return [];
  const few = 21 + (count > 5 ? 4 ** Math.ceil(Math.log(count * 3) / Math.log(4)) : 0);
  if (n > few) {
    const chosen = new Set<number>();
    while (chosen.size < count) chosen.add(below(n));
    return [...chosen].map((at) => list[at]!);
  }
  const pool = [...list];
  return Array.from({ length: Math.min(count, n) }, (_, drawn) => {
    const at = below(n - drawn);
    const picked = pool[at]!;
    pool[at] = pool[n - drawn - 1]!;
    return picked;
  });
}
