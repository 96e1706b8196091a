import { makeVerdict } from '../../src/judge/verdict.ts';
import type { Measure } from '../../src/measure/measure.ts';
import { Tally } from '../../src/measure/tally.ts';
import type { UnitSums } from '../../src/measure/unit-sums.ts';
import type { MersenneTwister } from '../../src/stats/mersenne-twister.ts';
import { beta, binomial, poisson, uniform } from './samplers.ts';

/** Hits, missed and spurious spans of one label. */
export type LabelCounts = readonly [hit: number, missed: number, spurious: number];
export type LabelledCase = Readonly<Record<string, LabelCounts>>;

/** The table of a run with these cases. */
export function labelTable(measures: readonly Measure[], cases: readonly LabelledCase[]): UnitSums {
  const tally = new Tally(measures, []);
  cases.forEach((labels, at) => {
    const id = String(at).padStart(5, '0');
    const verdicts = Object.entries(labels).flatMap(([label, counts]) =>
      (['hit', 'missed', 'spurious'] as const).flatMap((verdict, place) =>
        counts[place]! > 0
          ? makeVerdict({ case: id, scheme: null, kind: 'span', verdict, rule: 'pair', label, weight: counts[place]! })
          : [],
      ),
    );
    tally.add({ case: id }, null, verdicts);
  });
  return tally.groups()[0]!.table;
}

/** How documents of a simulation are made. */
export interface Documents {
  /** Share of gold spans and of false alarms by label, and the chance that a span that could be hit is. */
  readonly labels: Readonly<Record<string, { readonly share: number; readonly found: number }>>;
  /** Parameters of the Beta distribution of a document's hit rate, which all its spans share. */
  readonly hits: readonly [number, number];
  /** Mean number of false alarms. */
  readonly alarms: number;
}

/** A document has 1 + Poisson(3) gold spans, hit with a Beta rate of the document, and Poisson(alarms) false alarms. */
export function drawDocument(random: MersenneTwister, { labels, hits, alarms }: Documents): LabelledCase {
  const rate = beta(random, ...hits);
  const drawn: Record<string, [number, number, number]> = {};
  const labelOf = (): string => {
    let left = uniform(random);
    for (const [label, { share }] of Object.entries(labels)) if ((left -= share) < 0) return label;
    return Object.keys(labels)[0]!;
  };
  const count = (label: string, place: 0 | 1 | 2): void => {
    drawn[label] ??= [0, 0, 0];
    drawn[label][place] += 1;
  };
  for (let left = 1 + poisson(random, 3); left > 0; left -= 1) {
    const label = labelOf();
    count(label, binomial(random, 1, rate * labels[label]!.found) === 1 ? 0 : 1);
  }
  for (let left = poisson(random, alarms); left > 0; left -= 1) count(labelOf(), 2);
  return drawn;
}

/** What precision, recall and F1 of a label come to over ever more documents: 4 gold spans each. */
export function trueLabelValues({ labels, hits: [a, b], alarms }: Documents, label: string) {
  const { found } = labels[label]!;
  const hit = (4 * found * a) / (a + b);
  return { precision: hit / (hit + alarms), recall: hit / 4, f1: (2 * hit) / (hit + alarms + 4) };
}
