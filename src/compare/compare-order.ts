import { type Direction, improvement, type Measure } from '../measure/measure.ts';
import { differenceBetween } from '../stats/paired-difference.ts';
import { compareText } from '../text/compare.ts';
import type { ComparedPair, Judged } from './compare-verdict.ts';
import type { MovedCase, Ranking } from './comparison.ts';
import type { Retallied } from '../score/retally.ts';

/**
 * Places by one measure: 1 + the number of systems shown to be better, by the verdicts over every two systems. Systems
 * that cannot be told apart from the same others share a place.
 */
export function rankingOf(
  measures: readonly Measure[],
  systems: number,
  rows: readonly Judged<ComparedPair>[],
): Ranking[] {
  return measures.map(({ name, direction, best }) => {
    const better = Array.from({ length: systems }, () => 0);
    const values: (number | null)[] = Array.from({ length: systems }, () => null);
    for (const row of rows) {
      if (row.name !== name || Object.keys(row.slice).length > 0) continue;
      values[row.from] ??= row.baseline;
      values[row.system] ??= row.other;
      if (row.verdict === 'better') better[row.from]! += 1;
      if (row.verdict === 'worse') better[row.system]! += 1;
    }
    const places = better.map((above, system) => ({ system, place: 1 + above, value: values[system] ?? null }));
    return {
      name,
      direction,
      ...(best === undefined ? {} : { best }),
      places: places
        .map((place) => ({ ...place, tied: places.some((one) => one !== place && one.place === place.place) }))
        .sort((a, b) => a.place - b.place || byValue({ direction, best }, a.value, b.value) || a.system - b.system),
    };
  });
}

/** The better value first, none last. */
function byValue(
  measure: { direction: Direction; best: number | undefined },
  a: number | null,
  b: number | null,
): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const { direction, best } = measure;
  return improvement(best === undefined ? { direction } : { direction, best }, a, b);
}

/** The cases whose value changed most from the baseline's, by f1 or else the first measure that has a value per case. */
export function movedCases(systems: readonly Retallied[], measures: readonly Measure[], most: number): MovedCase[] {
  const perCase = measures.filter(({ byCase }) => byCase);
  const measure = perCase.find(({ name }) => name === 'f1') ?? perCase[0];
  if (measure === undefined) return [];
  const { name } = measure;
  const before = new Map(systems[0]!.cases.map((record) => [record.case, record.measures[name] ?? null]));
  return systems.slice(1).flatMap((system, at) =>
    system.cases
      .flatMap((record): MovedCase[] => {
        const baseline = before.get(record.case) ?? null;
        const other = record.measures[name] ?? null;
        if (baseline === null || other === null) return [];
        const difference = differenceBetween(baseline, other);
        if (difference === 0) return [];
        const change = improvement(measure, baseline, other) > 0 ? 'better' : 'worse';
        return [{ case: record.case, system: at + 1, name, baseline, other, difference, change }];
      })
      .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference) || compareText(a.case, b.case))
      .slice(0, most),
  );
}
