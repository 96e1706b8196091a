import type { Measure } from '../measure/measure.ts';
import { holm } from '../stats/holm.ts';
import { differenceBetween, type PairedDifference } from '../stats/paired-difference.ts';
import { compareText } from '../text/compare.ts';
import { leavesOutZero, thresholdOf } from './compare-verdict.ts';
import type { MovedCase, Ranking } from './comparison.ts';
import type { Retallied } from './retally.ts';

type Difference = (one: number, other: number, name: string) => PairedDifference | null;

/**
 * Places by one measure: 1 + the number of systems shown to be better, over every two systems and with Holm's
 * correction over these. As for a verdict, p alone does not show it: the interval must leave out 0.
 */
export function rankingOf(
  measures: readonly Measure[],
  systems: number,
  difference: Difference,
  level: number,
): Ranking[] {
  return measures.map(({ name, direction }) => {
    const pairs = pairsBelow(systems).map(([one, other]) => ({ one, other, found: difference(one, other, name) }));
    const adjusted = holm(pairs.map(({ found }) => found?.permutation.pValue ?? null));
    const better = Array.from({ length: systems }, () => 0);
    const values: (number | null)[] = Array.from({ length: systems }, () => null);
    pairs.forEach(({ one, other, found }, at) => {
      values[one] ??= found?.baseline ?? null;
      values[other] ??= found?.other ?? null;
      const p = adjusted[at] ?? null;
      if (found === null || found.difference === null || p === null) return;
      if (found.difference === 0 || p >= thresholdOf(level) || !leavesOutZero(found)) return;
      better[found.difference > 0 === (direction === 'higher') ? one : other]! += 1;
    });
    const places = better.map((above, system) => ({ system, place: 1 + above, value: values[system] ?? null }));
    const sign = direction === 'higher' ? -1 : 1;
    return {
      name,
      direction,
      places: places
        .map((place) => ({ ...place, tied: places.some((one) => one !== place && one.place === place.place) }))
        .sort((a, b) => a.place - b.place || sign * ((a.value ?? 0) - (b.value ?? 0)) || a.system - b.system),
    };
  });
}

function pairsBelow(systems: number): [number, number][] {
  return Array.from({ length: systems }, (_, one) => one).flatMap((one) =>
    Array.from({ length: systems - one - 1 }, (_, at): [number, number] => [one, one + 1 + at]),
  );
}

/** The cases whose value changed most from the baseline's, by f1 or else the first measure that has a value per case. */
export function movedCases(systems: readonly Retallied[], measures: readonly Measure[], most: number): MovedCase[] {
  const perCase = measures.filter(({ byCase }) => byCase);
  const measure = perCase.find(({ name }) => name === 'f1') ?? perCase[0];
  if (measure === undefined) return [];
  const { name, direction } = measure;
  const before = new Map(systems[0]!.cases.map((record) => [record.case, record.measures[name] ?? null]));
  return systems.slice(1).flatMap((system, at) =>
    system.cases
      .flatMap((record): MovedCase[] => {
        const baseline = before.get(record.case) ?? null;
        const other = record.measures[name] ?? null;
        if (baseline === null || other === null) return [];
        const difference = differenceBetween(baseline, other);
        if (difference === 0) return [];
        const change = difference > 0 === (direction === 'higher') ? 'better' : 'worse';
        return [{ case: record.case, system: at + 1, name, baseline, other, difference, change }];
      })
      .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference) || compareText(a.case, b.case))
      .slice(0, most),
  );
}
