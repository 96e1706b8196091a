import { makeVerdict } from '../../src/judge/verdict.ts';
import type { Measure } from '../../src/measure/measure.ts';
import { Tally } from '../../src/measure/tally.ts';
import type { UnitSums } from '../../src/measure/unit-sums.ts';

/** How many items of a case came to what. */
export interface CaseCounts {
  readonly hit: number;
  readonly missed: number;
  readonly spurious: number;
  /** Of the hits, how many have an attribute right. */
  readonly right?: Readonly<Record<string, number>>;
  readonly cluster?: string;
}

/** The table that a run with these cases would have. */
export function tableOf(measures: readonly Measure[], cases: readonly CaseCounts[]): UnitSums {
  const tally = new Tally(measures, []);
  cases.forEach((counts, at) => {
    const id = String(at).padStart(4, '0');
    const about = { case: id, scheme: null, kind: 'object', rule: 'pair', label: 'A' } as const;
    const verdicts = (['missed', 'spurious'] as const)
      .filter((verdict) => counts[verdict] > 0)
      .map((verdict) => makeVerdict({ ...about, verdict, weight: counts[verdict] }));
    for (let hit = 0; hit < counts.hit; hit += 1) {
      const attributes = Object.entries(counts.right ?? {}).map(([name, right]) => [name, hit < right]);
      verdicts.push(makeVerdict({ ...about, verdict: 'hit', attributes: Object.fromEntries(attributes) }));
    }
    tally.add({ case: id, cluster: counts.cluster }, null, verdicts);
  });
  return tally.groups()[0]!.table;
}
