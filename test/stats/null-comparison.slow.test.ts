import { expect, it } from 'vitest';

import type { Measure } from '../../src/measure/measure.ts';
import { buildMeasures } from '../../src/measure/measures.ts';
import { judgedFamily } from '../../src/compare/compare-verdict.ts';
import type { MersenneTwister } from '../../src/stats/mersenne-twister.ts';
import { comparePaired } from '../../src/stats/paired-comparison.ts';
import { pairedPermutation } from '../../src/stats/paired-permutation.ts';
import { type CaseCounts, tableOf } from './count-tables.ts';
import { answers, questions } from './made-up-answers.ts';
import { binomial, expectLevel, type Note, rejects, simulate } from './simulate.ts';

const CASES = 40;
/** Fewer than the usual 10,000: what is looked at are rates over data sets, to which each adds a yes or a no. */
const RESAMPLES = 1000;

it('swapping the answers of two systems that are alike rejects in 4 to 6 of 100 data sets', async () => {
  const { measures } = buildMeasures({ precision: {}, recall: {}, f1: {} }, null);
  const parts = measures.map((measure) => ({ measure, label: -1 }));
  const share = await simulate(`pairedPermutation, n = ${CASES}`, async (random, seed, note) => {
    const asked = questions(random, CASES);
    const [a, b] = [tableOf(measures, answers(random, asked)), tableOf(measures, answers(random, asked))];
    const tests = await pairedPermutation(a, b, parts, { resamples: RESAMPLES, seed });
    tests.forEach(({ pValue }, at) => note(`${measures[at]!.name} rejected`, rejects(pValue)));
  });
  expectLevel(share('precision rejected'), 'continuous');
  expectLevel(share('f1 rejected'), 'continuous');
  // Both have the same gold, so recall moves by whole hits, two at a swap: few values, and so few p values.
  expectLevel(share('recall rejected'), 'discrete');
});

const ATTRIBUTES = ['polarity', 'time', 'intensity', 'cause', 'place'];

/** Each attribute of a hit is right by itself, so that five measures are five chances of a false alarm. */
function withAttributes(random: MersenneTwister, cases: readonly CaseCounts[]): CaseCounts[] {
  return cases.map((counts) => ({
    ...counts,
    right: Object.fromEntries(ATTRIBUTES.map((name) => [name, binomial(random, counts.hit, 0.8)])),
  }));
}

const FAMILIES = {
  'five accuracies': Object.fromEntries(
    ATTRIBUTES.map((attribute) => [`${attribute}_accuracy`, { of: 'accuracy', attributes: [attribute] }]),
  ),
  'five that hang together': {
    precision: {},
    recall: {},
    f1: {},
    f2: { of: 'f1', beta: 2 },
    hits: { of: 'count', verdict: 'hit' },
  },
};

/** The words that a comparison of two systems ends in, one a measure; the second loses a share of what it would find. */
async function wordsFor(
  measures: readonly Measure[],
  random: MersenneTwister,
  seed: number,
  lost: number,
): Promise<string[]> {
  const asked = questions(random, CASES);
  const a = tableOf(measures, withAttributes(random, answers(random, asked)));
  const b = tableOf(measures, withAttributes(random, answers(random, asked, lost)));
  const parts = measures.map((measure) => ({ measure, label: -1 }));
  const settings = { resamples: RESAMPLES, level: 0.95, seed, method: 'percentile' } as const;
  const rows = (await comparePaired(a, b, parts, settings)).map((row, at) => {
    const { name, direction } = measures[at]!;
    return { ...row, name, direction, slice: {}, system: 1 };
  });
  return judgedFamily(rows, settings).rows.map(({ verdict }) => verdict);
}

it.each(Object.entries(FAMILIES))(
  'a comparison of systems that are alike calls some measure better or worse in at most 6 of 100 data sets: %s',
  async (about, family) => {
    const { measures } = buildMeasures(family, null);
    const share = await simulate(`judged, n = ${CASES}, ${about}`, async (random, seed, note) => {
      const words = await wordsFor(measures, random, seed, 0);
      note('some better or worse', words.includes('better') || words.includes('worse'));
    });
    expect(share('some better or worse')).toBeLessThanOrEqual(0.06);
  },
);

it('a comparison calls a system that loses half of its hits worse, never better', async () => {
  const { measures } = buildMeasures({ precision: {}, recall: {}, f1: {} }, null);
  const about = `judged, n = ${CASES}, half of the hits lost`;
  const found = async (random: MersenneTwister, seed: number, note: Note): Promise<void> => {
    const words = await wordsFor(measures, random, seed, 0.5);
    note('recall worse', words[1] === 'worse');
    note('some better', words.includes('better'));
  };
  const share = await simulate(about, found, 200);
  expect(share('recall worse')).toBeGreaterThan(0.95);
  expect(share('some better')).toBe(0);
});
