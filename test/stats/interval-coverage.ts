import type { Measure } from '../../src/measure/measure.ts';
import { buildMeasures } from '../../src/measure/measures.ts';
import { Tally as MeasureTally } from '../../src/measure/tally.ts';
import type { Sureness } from '../../src/measure/results.ts';
import { measureIntervals } from '../../src/stats/measure-intervals.ts';
import { MersenneTwister } from '../../src/stats/mersenne-twister.ts';
import type { IntervalMethod } from '../../src/stats/interval.ts';
import { normalQuantile } from '../../src/stats/normal.ts';
import { pairedBootstrap } from '../../src/stats/paired-difference.ts';
import { type Documents, drawDocument, type LabelledCase, labelTable, trueLabelValues } from './made-up-labels.ts';
import { line } from '../measure/logged-items.ts';
import { beta, binomial, lognormal, poisson, sample, uniform } from './samplers.ts';

/** Of intervals of many data sets: how many are withheld, and how many lie above or below the truth. */
export interface Tally {
  sets: number;
  withheld: number;
  above: number;
  below: number;
}

/** Tallies by measure and method. */
export type Tallies = Map<string, Tally>;

const SEED = 2026;
/** Fewer than the usual 10,000: the ends move by little, and over data sets that evens out. */
const RESAMPLES = 500;

function note(tallies: Tallies, name: string, { interval }: Sureness, truth: number): void {
  const tally = tallies.get(name) ?? { sets: 0, withheld: 0, above: 0, below: 0 };
  tallies.set(name, tally);
  tally.sets += 1;
  if (interval === null) tally.withheld += 1;
  else if (interval.low > truth + 1e-9) tally.above += 1;
  else if (interval.high < truth - 1e-9) tally.below += 1;
}

/** Of the intervals that are not withheld, the share that hold the truth. */
export function coverage({ sets, withheld, above, below }: Tally): number {
  return 1 - (above + below) / (sets - withheld);
}

export const MACROS = ['recall', 'precision', 'f1'] as const;
const macros = buildMeasures(Object.fromEntries(MACROS.map((name) => [`macro_${name}`, {}])), null).measures;
/** The same as a resampled mean over labels: what it was before labels had intervals of their own. */
const resampledMacros = macros.map((measure): Measure => ({ ...measure, labelMeasure: undefined }));

/** Coverage of means over labels: resampled, and combined from the labels. The truth is over the labels that occur. */
export async function macroTallies(documents: Documents, cases: number, dataSets: number): Promise<Tallies> {
  const tallies: Tallies = new Map();
  const random = new MersenneTwister(SEED);
  for (let seed = 0; seed < dataSets; seed += 1) {
    const drawn = sample(cases, () => drawDocument(random, documents));
    const table = labelTable(macros, drawn);
    for (const [name, measures] of [
      ['combined', macros],
      ['resampled', resampledMacros],
    ] as const) {
      const settings = { level: 0.95, method: 'percentile', unit: 'case', resamples: RESAMPLES, seed } as const;
      const [whole = []] = await measureIntervals(table, measures, false, settings);
      MACROS.forEach((of, at) => note(tallies, `macro_${of} ${name}`, whole[at]!, trueMacro(documents, drawn, of)));
    }
  }
  return tallies;
}

/** The mean of the true values of the labels for which the measure is defined in these cases. */
function trueMacro(documents: Documents, drawn: readonly LabelledCase[], of: (typeof MACROS)[number]): number {
  const isDefined = (label: string): boolean =>
    drawn.some(({ [label]: counts = [0, 0, 0] }) => {
      const [hit, missed, spurious] = counts;
      return hit + (of === 'precision' ? 0 : missed) + (of === 'recall' ? 0 : spurious) > 0;
    });
  const labels = Object.keys(documents.labels).filter(isDefined);
  return labels.reduce((sum, label) => sum + trueLabelValues(documents, label)[of], 0) / labels.length;
}

export const GATED = ['recall', 'precision', 'f1', 'case_recall'] as const;
const { measures: gated } = buildMeasures(
  { recall: {}, precision: {}, f1: {}, case_recall: { of: 'case-mean', measure: 'recall' } },
  null,
);
const METHODS: readonly IntervalMethod[] = ['percentile', 'studentised'];

/** Documents with one label whose recall, precision and F1 are all the score; `alike` is the sum of the Beta parameters. */
export function scoredDocuments(score: number, alike: number): Documents {
  return { labels: { X: { share: 1, found: 1 } }, hits: [score * alike, (1 - score) * alike], alarms: 4 * (1 - score) };
}

/** How often a limit that is the truth itself is passed (`above`) or shown to be missed (`below`). */
export async function floorTallies(documents: Documents, cases: number, dataSets: number): Promise<Tallies> {
  const tallies: Tallies = new Map();
  const random = new MersenneTwister(SEED);
  const truth = trueLabelValues(documents, 'X');
  for (let seed = 0; seed < dataSets; seed += 1) {
    const table = labelTable(
      gated,
      sample(cases, () => drawDocument(random, documents)),
    );
    for (const method of METHODS) {
      const settings = { level: 0.95, method, unit: 'case', resamples: RESAMPLES, seed };
      const [whole = []] = await measureIntervals(table, gated, false, settings);
      GATED.forEach((name, at) =>
        note(tallies, `${name} ${method}`, whole[at]!, name === 'case_recall' ? truth.recall : truth[name]),
      );
    }
  }
  return tallies;
}

/**
 * The same for a second system that loses `lost` of recall, whose answers to a share of documents are drawn again and
 * else the first one's, and for a margin that is the true difference.
 */
export async function marginTallies(
  { score, alike, lost, redrawn }: Readonly<Record<'score' | 'alike' | 'lost' | 'redrawn', number>>,
  cases: number,
  dataSets: number,
): Promise<Tallies> {
  const tallies: Tallies = new Map();
  const random = new MersenneTwister(SEED);
  const [alarms, kept] = [4 * (1 - score), 1 - lost / score];
  const valuesAt = (recall: number) => {
    const hit = 4 * recall;
    return { recall, case_recall: recall, precision: hit / (hit + alarms), f1: (2 * hit) / (hit + alarms + 4) };
  };
  const [before, after] = [valuesAt(score), valuesAt(score * kept)];
  const parts = gated.map((measure) => ({ measure, label: -1 }));
  for (let seed = 0; seed < dataSets; seed += 1) {
    const pairs = sample(cases, () => {
      const gold = 1 + poisson(random, 3);
      const rate = beta(random, score * alike, (1 - score) * alike);
      const answer = () => ({ hit: binomial(random, gold, rate), spurious: poisson(random, alarms) });
      const one = answer();
      const other = uniform(random) < redrawn ? answer() : one;
      const countsOf = (hit: number, spurious: number): LabelledCase => ({ X: [hit, gold - hit, spurious] });
      return [countsOf(one.hit, one.spurious), countsOf(binomial(random, other.hit, kept), other.spurious)] as const;
    });
    const [a, b] = [0, 1].map((at) =>
      labelTable(
        gated,
        pairs.map((pair) => pair[at]!),
      ),
    );
    for (const method of METHODS) {
      const [found] = await pairedBootstrap(a!, [b!], parts, { level: 0.95, method, resamples: RESAMPLES, seed });
      GATED.forEach((name, at) => note(tallies, `${name} ${method}`, found![at]!, after[name] - before[name]));
    }
  }
  return tallies;
}

const TIMES = { kind: 'trace', field: 'ms', direction: 'lower' } as const;
/** Standard deviation of the logarithms of the times. */
const SIGMA = 0.5;
/** True values of what has a ceiling: the mean and percentiles of lognormal times. */
export const CEILINGS = {
  mean: Math.exp(SIGMA ** 2 / 2),
  p50: 1,
  p90: Math.exp(SIGMA * normalQuantile(0.9)),
  p95: Math.exp(SIGMA * normalQuantile(0.95)),
};
const { measures: limited } = buildMeasures(
  {
    mean: { of: 'field-mean', ...TIMES },
    ...Object.fromEntries([50, 90, 95].map((p) => [`p${p}`, { of: 'field-percentile', p, pooled: true, ...TIMES }])),
  },
  null,
);

/**
 * How often a ceiling that is the true value is passed (`below`). Of the variance of the logarithms 70 % is between cases,
 * if a case has several times.
 */
export async function ceilingTallies(numbers: number, cases: number, dataSets: number): Promise<Tallies> {
  const tallies: Tallies = new Map();
  const random = new MersenneTwister(SEED);
  const between = numbers === 1 ? 0 : 0.7;
  for (let seed = 0; seed < dataSets; seed += 1) {
    const tally = new MeasureTally(limited, []);
    for (let at = 0; at < cases; at += 1) {
      const ofCase = lognormal(random, SIGMA * Math.sqrt(between));
      const ms = sample(numbers, () => ofCase * lognormal(random, SIGMA * Math.sqrt(1 - between)));
      tally.add(
        { case: String(at).padStart(5, '0') },
        null,
        ms.map((one) => line('trace', { ms: one })),
      );
    }
    const { table } = tally.groups()[0]!;
    for (const method of METHODS) {
      const settings = { level: 0.95, method, unit: 'case', resamples: RESAMPLES, seed };
      const [whole = []] = await measureIntervals(table, limited, false, settings);
      Object.entries(CEILINGS).forEach(([name, truth], at) => note(tallies, `${name} ${method}`, whole[at]!, truth));
    }
  }
  return tallies;
}
