import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import { UsageError } from '../../data/problems.ts';
import type { CaseSources } from '../../data/read-cases.ts';
import { caseReader } from '../../formats/case-formats.ts';
import type { Measure } from '../../measure/measure.ts';
import type { CaseResult } from '../../measure/results.ts';
import { totals, type UnitSums } from '../../measure/unit-sums.ts';
import type { Plan } from '../../recipe/plan.ts';
import { canonicalJson } from '../../score/fingerprint.ts';
import type { CaseTotals } from '../../score/run.ts';
import { countCase, refuseUnclustered } from '../../score/score.ts';
import { makeSet, type PairedCases } from '../paired-sets.ts';
import { makeVariantScorer } from '../variants/score-variants.ts';

/** One system under every plan; `cases` are of the first. */
export type SystemSums = Awaited<ReturnType<typeof sumSystem>>;

const BREATHE_MS = 50;

/** Reads the files once for all plans that read alike, and adds every case up under each plan. */
export async function sumSystem(plans: readonly Plan[], measures: readonly string[], sources: CaseSources) {
  // Plans that read and prepare alike share one map of cases.
  const casesOf = new Map(plans.map((plan) => [caseKey(plan), new Map<string, CaseResult>()]));
  const sets = plans.map((plan) =>
    makeSet(measuresIn(plan, measures), plan.interval?.cluster ?? null, casesOf.get(caseKey(plan))),
  );
  let cases: CaseTotals = { total: 0, failed: 0, unanswered: 0 };
  for (const places of readingGroups(plans)) {
    const own = places.map((place) => sets[place]!);
    const first = plans[places[0]!]!;
    const score = makeVariantScorer(places.map((place) => plans[place]!));
    const read = { total: 0, failed: 0, unanswered: 0 };
    let breathed = performance.now();
    for await (const given of caseReader(sources, first)) {
      countCase(read, given);
      for (const [at, rows] of score(given).entries()) for (const row of rows) own[at]!.add(row);
      if (performance.now() - breathed < BREATHE_MS) continue;
      // Lets an interrupt be heard.
      await setImmediate();
      breathed = performance.now();
    }
    if (read.total === 0) throw new UsageError('there is no case to score');
    if (places.includes(0)) cases = read;
  }
  refuseUnclustered(plans[0]!.interval, sets[0]!.tally.unclustered, sets[0]!.cases.size);
  const keys = plans.map(({ resolved: { measure, zeroDivision } }) => canonicalJson({ measure, zeroDivision }));
  /** By plan: its sums, unit by unit; plans that measure and count the same share one. `over`: the cases that count. */
  const tables = (over?: readonly PairedCases[]): UnitSums[] =>
    sharedTables(
      sets.map(({ tally }, at) => tally.groups(over?.[at])[0]!.table),
      keys,
    );
  return { cases, sets, tables };
}

/** The tables, those that hold the same being one object; equal `keys` say that all else about them is equal. */
export function sharedTables(tables: readonly UnitSums[], keys: readonly string[]): UnitSums[] {
  const known = new Map<string, UnitSums[]>();
  return tables.map((table, at) => {
    const whole = `${keys[at]!} ${table.units.length} ${totals(table).join()}`;
    const alike = known.get(whole) ?? [];
    const same = alike.find((other) => isDeepStrictEqual(other, table));
    if (same === undefined) known.set(whole, [...alike, table]);
    return same ?? table;
  });
}

export function measuresIn({ measures }: Plan, names: readonly string[]): Measure[] {
  return measures.filter(({ name }) => names.includes(name));
}

/** Places of plans that read the files alike. */
export function readingGroups(plans: readonly Plan[]): number[][] {
  return [...Map.groupBy(plans.keys(), (at) => readingKey(plans[at]!)).values()];
}

function readingKey({ data, consult, review }: Plan): string {
  return canonicalJson({ data, consult, review });
}

/** What decides which cases there are: plans that prepare alike have the same. */
function caseKey(plan: Plan): string {
  return `${readingKey(plan)} ${canonicalJson({ prepare: plan.resolved['prepare'] })}`;
}
