import { distanceFromBest, type Measure } from '../../measure/measure.ts';
import type { Interval } from '../../measure/results.ts';
import { sumsAt, totals, type UnitSums } from '../../measure/unit-sums.ts';
import { alignTables } from '../../stats/align-tables.ts';
import { inGroups, USUAL_GROUPS_ABOVE } from '../../stats/in-groups.ts';
import { onlyPairs } from '../../stats/only-pairs.ts';
import { pairedBootstrap } from '../../stats/paired-bootstrap.ts';
import type { PairedSettings } from '../../stats/paired-comparison.ts';
import { differenceBetween } from '../../stats/paired-difference.ts';

export interface PointDifference {
  /** to − from; null where one of them has no value. */
  readonly difference: number | null;
  readonly interval: Interval | null;
  readonly noInterval: string | null;
  /** Whether there is a difference that chance does not explain away: the interval leaves out 0. */
  readonly shown: boolean;
}

/** What changes for one system from one setting to another, over the same cases. */
export async function pairedPoints(
  from: UnitSums,
  to: UnitSums,
  given: Measure,
  settings: PairedSettings,
): Promise<PointDifference> {
  const measure = distanceFromBest(given);
  const parts = [{ measure, label: -1 }];
  const [a, b] = onlyPairs(...alignTables(from, to), parts);
  const valueIn = (table: UnitSums): number | null => measure.value(sumsAt(table, totals(table), -1)).value;
  const [before, after] = [valueIn(a), valueIn(b)];
  if (before === null || after === null)
    return { difference: null, interval: null, noInterval: 'there is no difference', shown: false };
  const difference = differenceBetween(before, after);
  if (a.units.length < 2)
    return { difference, interval: null, noInterval: 'there is one unit only: nothing to resample', shown: false };
  const { groupsAbove = USUAL_GROUPS_ABOVE } = settings;
  const [found] = await pairedBootstrap(inGroups(a, groupsAbove), inGroups(b, groupsAbove), parts, settings);
  const { interval, noInterval, standardError } = found!;
  const shown = interval === null ? standardError === 0 && difference !== 0 : interval.low > 0 || interval.high < 0;
  return { difference, interval, noInterval, shown };
}
