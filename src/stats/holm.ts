import { UsageError } from '../data/problems.ts';

/**
 * Holm's step-down correction over a family of m tests: with p sorted upwards, adjusted pᵢ = max over j ≤ i of
 * min(1, (m − j + 1) pⱼ). The chance of even one false alarm in the family stays below the level, whatever ties the
 * tests to each other. Null, a test that could not be done, stays null and does not count in m.
 * Holm, S. (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 65–70.
 * @example holm([0.01, 0.04, null, 0.03]) // [0.03, 0.06, null, 0.06]: 3 · 0.01, 2 · 0.03, and 1 · 0.04 is not less
 */
export function holm(pValues: readonly (number | null)[]): (number | null)[] {
  const family = pValues.flatMap((p, place) => (p === null ? [] : [{ p, place }]));
  const wrong = family.find(({ p }) => !(p >= 0 && p <= 1));
  if (wrong !== undefined)
    throw new UsageError(
      `holm: p value ${wrong.place} is ${wrong.p}, expected a number from 0 to 1`,
      'give null for a test that has no p value',
    );
  const adjusted: (number | null)[] = pValues.map(() => null);
  let last = 0;
  for (const [before, { p, place }] of family.toSorted((a, b) => a.p - b.p).entries()) {
    last = Math.max(last, Math.min(1, (family.length - before) * p));
    adjusted[place] = last;
  }
  return adjusted;
}
