/** Cases with several gold items and a hit among them, from which the rate of misses can be told. */
const LEAST_CASES = 5;
const STEPS = 40;

/** Few misses are a rough measure of their rate: so many times the square root of their number may have come less. */
const DOUBT = 2;

/**
 * How many cases would have no hit if every gold item were missed with the same chance, whatever case it is in: at most,
 * as the chance is not known exactly.
 *
 * The chance m comes from the cases that have a hit, which says something of a case with several gold items only: of g
 * items that are not all missed, g · (m − m^g) / (1 − m^g) are missed on average. The m at which that is what was missed,
 * and 2 · √(missed + 1) more, is found by halving. Then a case of g items is missed whole with the chance m^g. null: too
 * few cases to tell.
 *
 * Example: 16 cases of 2 items with a hit, and 3 items missed in them; 3 + 2 · √4 = 7, and 16 · 2m / (1 + m) = 7 for
 * m = 7/25. Of 100 cases of 2 items, 100 · (7/25)² = 7.84 would have no hit.
 */
export function expectedEmpty(
  sizes: ReadonlyMap<number, number>,
  met: ReadonlyMap<number, { readonly cases: number; readonly missed: number }>,
): number | null {
  const several = [...met].filter(([gold]) => gold > 1);
  if (several.reduce((sum, [, { cases }]) => sum + cases, 0) < LEAST_CASES) return null;
  const counted = several.reduce((sum, [, own]) => sum + own.missed, 0);
  const missed = counted + DOUBT * Math.sqrt(counted + 1);
  const missedAt = (m: number): number =>
    several.reduce((sum, [gold, { cases }]) => sum + (cases * gold * (m - m ** gold)) / (1 - m ** gold), 0);
  let [low, high] = [0, 1];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (missedAt(middle) < missed) low = middle;
    else high = middle;
  }
  const m = (low + high) / 2;
  return [...sizes].reduce((sum, [gold, cases]) => sum + cases * m ** gold, 0);
}
