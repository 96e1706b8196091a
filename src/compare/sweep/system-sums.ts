import { setImmediate } from 'node:timers/promises';

import { UsageError } from '../../data/problems.ts';
import type { CaseSources } from '../../data/read-cases.ts';
import { isRecord } from '../../data/record-fields.ts';
import type { Measure } from '../../measure/measure.ts';
import type { GroupSureness } from '../../measure/results.ts';
import { Tally } from '../../measure/tally.ts';
import type { UnitSums } from '../../measure/unit-sums.ts';
import type { Plan } from '../../recipe/plan.ts';
import { canonicalJson } from '../../score/canonical-json.ts';
import { caseReader } from '../../formats/case-formats.ts';
import type { CaseTotals } from '../../score/run.ts';
import { measureIntervals } from '../../stats/measure-intervals.ts';
import type { Breathe } from '../../stats/resample.ts';
import { type PairableCase, type PairedCases, sharedTables } from '../paired-sets.ts';
import { makeVariantScorer } from '../variants/score-variants.ts';
import type { SweepValue } from './result.ts';

/** One system under every plan. */
export interface SystemSums {
  /** By plan: its sums, unit by unit; plans that measure and count the same share one. */
  readonly tables: readonly UnitSums[];
  /** Of the first plan. */
  readonly cases: CaseTotals;
  /** By plan: the cases that were added up; plans that prepare alike share them. */
  readonly known: readonly ReadonlyMap<string, PairableCase>[];
}

const BREATHE_MS = 50;

/**
 * Reads the files once for all plans that read alike, and adds every case up under each plan. `only` gives, by plan, the
 * cases that count.
 */
export async function sumSystem(
  plans: readonly Plan[],
  measures: readonly string[],
  sources: CaseSources,
  only?: (plan: number) => PairedCases,
): Promise<SystemSums> {
  const tallies = plans.map((plan) => new Tally(measuresIn(plan, measures), [], plan.interval?.cluster ?? null));
  const keys = plans.map(caseKey);
  const known = new Map(keys.map((key) => [key, new Map<string, PairableCase>()]));
  let cases: CaseTotals = { total: 0, failed: 0, unanswered: 0 };
  for (const places of readingGroups(plans)) {
    const own = places.map((place) => plans[place]!);
    const score = makeVariantScorer(own);
    const totals = { total: 0, failed: 0, unanswered: 0 };
    let breathed = performance.now();
    for await (const given of caseReader(sources, own[0]!)) {
      totals.total += 1;
      if (given.failed !== null) totals.failed += 1;
      else if (!given.answered) totals.unanswered += 1;
      for (const [at, schemes] of score(given).entries()) {
        const place = places[at]!;
        const tally = tallies[place]!;
        for (const { case: scored, scheme, verdicts } of schemes) {
          if (scheme !== null) continue;
          const { id, failed, answered } = scored;
          if (only === undefined) {
            const { cluster } = tally.addCase(scored, null, verdicts);
            known.get(keys[place]!)!.set(id, { failed, cluster });
          } else if (only(place).ids.has(id)) {
            const cluster = only(place).clusterOf(id);
            tally.add({ case: id, failed, answered, slices: null, cluster }, null, verdicts);
          }
        }
      }
      if (performance.now() - breathed < BREATHE_MS) continue;
      // Lets an interrupt be heard.
      await setImmediate();
      breathed = performance.now();
    }
    if (totals.total === 0) throw new UsageError('there is no case to score');
    if (places.includes(0)) cases = totals;
  }
  if (only === undefined) refuseNoCluster(plans[0]!, tallies[0]!, known.get(keys[0]!)!.size);
  const tables = tallies.map((tally) => tally.groups()[0]!.table);
  return { tables: sharedTables(tables, plans.map(measuresKey)), cases, known: keys.map((key) => known.get(key)!) };
}

function measuresIn({ measures }: Plan, names: readonly string[]): Measure[] {
  return measures.filter(({ name }) => names.includes(name));
}

/** Places of plans that read the files alike. */
export function readingGroups(plans: readonly Plan[]): number[][] {
  return [...Map.groupBy(plans.keys(), (at) => readingKey(plans[at]!)).values()];
}

function readingKey({ data, consult, review }: Plan): string {
  return canonicalJson({ data, consult, review });
}

/** What decides which cases there are. */
function caseKey(plan: Plan): string {
  return `${readingKey(plan)} ${canonicalJson({ prepare: plan.resolved['prepare'] })}`;
}

function measuresKey({ resolved }: Plan): string {
  return canonicalJson({ measure: resolved['measure'], zeroDivision: resolved['zeroDivision'] });
}

/** Whether a measure is the same function under all plans: only then can its values be subtracted. */
export function isOneMeasure(plans: readonly Plan[], name: string): boolean {
  const keys = plans.map(({ resolved: { measure, zeroDivision } }) =>
    canonicalJson([isRecord(measure) ? measure[name] : null, zeroDivision]),
  );
  return new Set(keys).size === 1;
}

/** As `score` refuses it: resampling would go by case without a word. */
function refuseNoCluster({ interval }: Plan, tally: Tally, added: number): void {
  if (interval === null || interval.cluster === null || tally.unclustered < added) return;
  throw new UsageError(
    `interval.cluster: no case has a value of ${interval.cluster}`,
    'name a column of the cases, or leave cluster out to resample cases',
  );
}

/** The measures of every plan with their intervals, as `score` makes them; without them where nobody waits for any. */
export async function measurePoints(
  plans: readonly Plan[],
  tables: readonly UnitSums[],
  names: readonly string[],
  breathe: Breathe | null,
): Promise<SweepValue[][]> {
  const known = new Map<UnitSums, readonly SweepValue[]>();
  const out: SweepValue[][] = [];
  for (const [at, plan] of plans.entries()) {
    const table = tables[at]!;
    let values = known.get(table);
    if (values === undefined) {
      const sure = breathe === null ? null : (share: number) => breathe((at + share) / plans.length);
      known.set(table, (values = await valuesOf(plan, table, names, sure)));
    }
    out.push([...values]);
  }
  return out;
}

async function valuesOf(
  plan: Plan,
  table: UnitSums,
  names: readonly string[],
  breathe: Breathe | null,
): Promise<SweepValue[]> {
  const { interval } = plan;
  const measures = measuresIn(plan, names);
  const sure: GroupSureness[] =
    interval === null || breathe === null
      ? []
      : [await measureIntervals(table, measures, false, { ...interval, unit: interval.cluster ?? 'case' }, breathe)];
  // It has added nothing up: it only turns sums into values.
  const found = new Tally(measures, []).values([{ slice: {}, table, byLabel: false }], sure);
  return names.map((wanted) => {
    const own = found.find(({ name }) => name === wanted);
    const why = 'the recipe has no such measure here';
    if (own === undefined)
      return { name: wanted, value: null, undefined: why, n: 0, units: 0, interval: null, noInterval: why };
    const { name, value, undefined: reason, n, units, noInterval } = own;
    return { name, value, undefined: reason, n, units, interval: own.interval, noInterval };
  });
}
