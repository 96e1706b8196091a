import { setImmediate } from 'node:timers/promises';

import { UsageError } from '../../data/problems.ts';
import type { CaseSources } from '../../data/read-cases.ts';
import { Tally } from '../../measure/tally.ts';
import type { Plan } from '../../recipe/plan.ts';
import { canonicalJson } from '../../score/canonical-json.ts';
import { caseReader } from '../../formats/case-formats.ts';
import type { CaseTotals } from '../../score/score.ts';
import { makeVariantScorer } from '../variants/score-variants.ts';

/** Of each case that was added up: why it failed, and what it belongs to. */
export type KnownCases = ReadonlyMap<string, { readonly failed: string | null; readonly cluster: string | null }>;

/** One system under every plan. */
export interface TalliedSystem {
  readonly tallies: readonly Tally[];
  /** Of the first plan. */
  readonly cases: CaseTotals;
  /** By plan; plans that prepare alike share them. */
  readonly known: readonly KnownCases[];
}

/** Which cases are added up, and what they belong to, where not all of them are and other systems have a say. */
export interface OnlyCases {
  readonly has: (id: string) => boolean;
  readonly clusterOf: (id: string) => string | null;
}

const BREATHE_MS = 50;

/**
 * Reads the files once for all plans that read alike, and adds every case up under each plan. `only` gives, by plan, the
 * cases that count.
 */
export async function tallyPoints(
  plans: readonly Plan[],
  measures: readonly string[],
  sources: CaseSources,
  only?: (plan: number) => OnlyCases,
): Promise<TalliedSystem> {
  const [first] = plans;
  const tallies = plans.map(
    (plan) =>
      new Tally(
        plan.measures.filter(({ name }) => measures.includes(name)),
        [],
        plan.interval?.cluster ?? null,
      ),
  );
  const known = new Map<string, Map<string, { failed: string | null; cluster: string | null }>>();
  const knownKeys = plans.map(caseKey);
  for (const key of knownKeys) known.set(key, new Map());
  let cases: CaseTotals = { total: 0, failed: 0, unanswered: 0 };
  const groups = readingGroups(plans);
  for (const places of groups) {
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
          if (only === undefined) {
            const { failed, cluster } = tally.addCase(scored, null, verdicts);
            known.get(knownKeys[place]!)!.set(scored.id, { failed, cluster });
            continue;
          }
          const wanted = only(place);
          const { id, failed, answered } = scored;
          if (!wanted.has(id)) continue;
          tally.add({ case: id, failed, answered, slices: null, cluster: wanted.clusterOf(id) }, null, verdicts);
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
  if (first !== undefined && only === undefined) refuseNoCluster(first, tallies[0]!, known.get(knownKeys[0]!)!.size);
  return { tallies, cases, known: knownKeys.map((key) => known.get(key)!) };
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

/** As `score` refuses it: resampling would go by case without a word. */
function refuseNoCluster({ interval }: Plan, tally: Tally, added: number): void {
  if (interval === null || interval.cluster === null || tally.unclustered < added) return;
  throw new UsageError(
    `interval.cluster: no case has a value of ${interval.cluster}`,
    'name a column of the cases, or leave cluster out to resample cases',
  );
}
