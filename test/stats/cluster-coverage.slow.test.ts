import { expect, it } from 'vitest';

import { buildMeasures } from '../../src/measure/measures.ts';
import { measureIntervals } from '../../src/stats/measure-intervals.ts';
import { tableOf } from './count-tables.ts';
import { answers, questions, trueValues } from './made-up-answers.ts';
import { covers, expectCoverage, simulate } from './simulate.ts';

const CLUSTERS = 40;
const CASES_EACH = 6;
const { measures } = buildMeasures({ recall: {} }, null);
/** Fewer resamples than the usual 10,000: the ends of an interval move by little, and over data sets that evens out. */
const SETTINGS = { resamples: 2000, level: 0.95, method: 'percentile', unit: 'case' } as const;

it('where the cases of a patient are alike, resampling patients covers the truth and resampling cases does not', async () => {
  const about = `measureIntervals, ${CLUSTERS} clusters of ${CASES_EACH}`;
  const share = await simulate(about, async (random, seed, note) => {
    // A patient's cases are equally hard.
    const cases = questions(random, CLUSTERS).flatMap(({ chance }, patient) => {
      const asked = questions(random, CASES_EACH).map(({ gold }) => ({ gold, chance }));
      return answers(random, asked).map((counts) => ({ ...counts, cluster: String(patient) }));
    });
    const clustered = tableOf(measures, cases);
    const single = tableOf(
      measures,
      cases.map(({ cluster: _, ...counts }) => counts),
    );
    for (const [name, table] of [
      ['clusters', clustered],
      ['cases', single],
    ] as const) {
      const [whole = []] = await measureIntervals(table, measures, false, { ...SETTINGS, seed });
      note(`resampling ${name} covers`, covers(whole[0]!.interval, trueValues().recall));
    }
  });
  expectCoverage(share('resampling clusters covers'));
  expect(share('resampling cases covers')).toBeLessThan(0.85);
});
