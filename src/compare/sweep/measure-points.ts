import { isRecord } from '../../data/record-fields.ts';
import type { Measure } from '../../measure/measure.ts';
import type { GroupSureness, MeasureValue } from '../../measure/results.ts';
import { Tally } from '../../measure/tally.ts';
import type { UnitSums } from '../../measure/unit-sums.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { Breathe } from '../../stats/resample.ts';
import { measureIntervals } from '../../stats/measure-intervals.ts';
import { canonicalJson } from '../../score/canonical-json.ts';
import type { SweepValue } from './result.ts';
import { SameTables } from './same-tables.ts';

/** The sums of one plan, unit by unit; plans that count the same have the same number. */
export interface PointTable {
  readonly number: number;
  readonly table: UnitSums;
}

/** The sums of every plan, overall. */
export function tablesOf(plans: readonly Plan[], tallies: readonly Tally[]): PointTable[] {
  const same = new SameTables();
  return plans.map((plan, at) => same.of(measuresKey(plan), tallies[at]!.groups()[0]!.table));
}

function measuresKey({ resolved }: Plan): string {
  return canonicalJson({ measure: resolved['measure'], zeroDivision: resolved['zeroDivision'] });
}

/** Whether a measure is the same function under all plans: only then can its values be subtracted. */
export function isOneMeasure(plans: readonly Plan[], name: string): boolean {
  const keys = plans.map(({ resolved }) => {
    const { measure, zeroDivision } = resolved;
    return canonicalJson([isRecord(measure) ? measure[name] : null, zeroDivision]);
  });
  return keys.every((key) => key === keys[0]);
}

/** The measures of every plan with their intervals, as `score` makes them; without them where nobody waits for any. */
export async function measurePoints(
  plans: readonly Plan[],
  tables: readonly PointTable[],
  names: readonly string[],
  breathe: Breathe | null,
): Promise<SweepValue[][]> {
  const known = new Map<number, readonly SweepValue[]>();
  const out: SweepValue[][] = [];
  for (const [at, plan] of plans.entries()) {
    const { number, table } = tables[at]!;
    let values = known.get(number);
    if (values === undefined) {
      const measures = plan.measures.filter(({ name }) => names.includes(name));
      const sure =
        breathe === null
          ? []
          : await surenessOf(plan, table, measures, (share) => breathe((at + share) / plans.length));
      // It has added nothing up: it only turns sums into values.
      const found = new Tally(measures, []).values([{ slice: {}, table, byLabel: false }], sure);
      known.set(number, (values = names.map((name) => valueOf(found, name))));
    }
    out.push([...values]);
  }
  return out;
}

async function surenessOf(
  { interval }: Plan,
  table: UnitSums,
  measures: readonly Measure[],
  breathe: Breathe,
): Promise<GroupSureness[]> {
  if (interval === null) return [];
  return [await measureIntervals(table, measures, false, { ...interval, unit: interval.cluster ?? 'case' }, breathe)];
}

function valueOf(values: readonly MeasureValue[], wanted: string): SweepValue {
  const found = values.find(({ name }) => name === wanted);
  if (found === undefined) {
    const why = 'the recipe has no such measure here';
    return { name: wanted, value: null, undefined: why, n: 0, units: 0, interval: null, noInterval: why };
  }
  const { name, value, undefined: reason, n, units, interval, noInterval } = found;
  return { name, value, undefined: reason, n, units, interval, noInterval };
}
