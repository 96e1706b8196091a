/**
 * What the intervals of ten measures cost against the least that a bootstrap in plain JavaScript must do: draw the same
 * indices once and add up one column of numbers. 10,000 resamples over 1,000 cases; the two take turns in one process,
 * and the best of several rounds counts for each. What they cost a user is in `npm run bench`.
 */
import { makeVerdict, type Verdict } from '../src/judge/verdict.ts';
import { buildMeasures } from '../src/measure/measures.ts';
import { Tally } from '../src/measure/tally.ts';
import type { UnitSums } from '../src/measure/unit-sums.ts';
import { ends } from '../src/stats/interval.ts';
import { measureIntervals } from '../src/stats/measure-intervals.ts';
import { MersenneTwister } from '../src/stats/mersenne-twister.ts';
import { percentile } from '../src/measure/numpy.ts';
import { USUAL_RESAMPLES } from '../src/stats/resample-settings.ts';

const CASES = 1000;
const ROUNDS = 10;
/** The mark: how many times that the intervals may cost. They draw and add up in WebAssembly. */
const MOST = 1;
const LABELS = ['symptom', 'food', 'emotion', 'mind'];
const FATES = ['hit', 'hit', 'hit', 'hit', 'missed', 'spurious'] as const;
const SETTINGS = { ...USUAL_RESAMPLES, method: 'percentile', unit: 'case' } as const;

/** Ten measures of the journal recipe. */
const { measures } = buildMeasures(
  {
    precision: {},
    recall: {},
    f1: {},
    macro_f1: {},
    polarity_accuracy: { of: 'accuracy', attributes: ['polarity'] },
    bucket_accuracy: { of: 'accuracy', attributes: ['intensity', 'arousal', 'time'] },
    intensity_or_arousal_accuracy: { of: 'accuracy', attributes: ['intensity', 'arousal'] },
    intensity_accuracy: { of: 'accuracy', attributes: ['intensity'] },
    arousal_accuracy: { of: 'accuracy', attributes: ['arousal'] },
    time_accuracy: { of: 'accuracy', attributes: ['time'] },
  },
  null,
);
/** Not timed: its interval shows that both ways draw the same indices. */
const hits = buildMeasures({ hits: { of: 'count', verdict: 'hit' } }, null).measures;

/** Two to eight objects a case, two thirds of them found. */
function verdictsOf(id: string, random: MersenneTwister): Verdict[] {
  const usually = (): boolean => random.below(5) > 0;
  return Array.from({ length: 2 + random.below(7) }, () => {
    const label = LABELS[random.below(LABELS.length)]!;
    const verdict = FATES[random.below(FATES.length)]!;
    const strength = label === 'emotion' ? { arousal: usually() } : { intensity: usually() };
    const attributes = verdict === 'hit' ? { polarity: usually(), time: usually(), ...strength } : null;
    return makeVerdict({ case: id, scheme: null, kind: 'object', verdict, rule: 'pair', label, attributes });
  });
}

function madeUpTable(): UnitSums {
  const random = new MersenneTwister(1);
  const tally = new Tally([...measures, ...hits], []);
  for (let at = 0; at < CASES; at += 1) {
    const id = String(at).padStart(4, '0');
    const facts = { case: id };
    tally.add(facts, null, verdictsOf(id, random));
  }
  return tally.groups()[0]!.table;
}

/** The hits of each case, those without one included. */
function hitColumn(table: UnitSums): Float64Array {
  const { units, values } = table.columns[table.keys.get('hit:*')!]!;
  const column = new Float64Array(table.units.length);
  units.forEach((unit, at) => (column[unit] = values[at]!));
  return column;
}

/** Every index drawn as numpy draws it, and one column added up. */
function sumsOfOne(column: Float64Array): Float64Array {
  const random = new MersenneTwister(SETTINGS.seed);
  const last = column.length - 1;
  const mask = 2 ** (32 - Math.clz32(last)) - 1;
  const sums = new Float64Array(SETTINGS.resamples);
  for (let resample = 0; resample < SETTINGS.resamples; resample += 1) {
    let sum = 0;
    for (let left = column.length; left > 0;) {
      const drawn = random.uint32() & mask;
      if (drawn > last) continue;
      sum += column[drawn]!;
      left -= 1;
    }
    sums[resample] = sum;
  }
  return sums;
}

/** Of processor time. */
async function milliseconds(work: () => unknown): Promise<number> {
  const started = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

const table = madeUpTable();
const column = hitColumn(table);

const sums = sumsOfOne(column).sort();
const { interval } = (await measureIntervals(table, hits, false, SETTINGS))[0]![0]!;
const [low, high] = ends(SETTINGS.level).map((share) => percentile(sums, share));
// The interval of a count has whole ends.
if (interval?.low !== Math.floor(low!) || interval.high !== Math.ceil(high!))
  throw new Error('the two ways do not draw the same indices');

let [least, intervals] = [Infinity, Infinity];
for (let round = 0; round < ROUNDS; round += 1) {
  least = Math.min(least, await milliseconds(() => sumsOfOne(column)));
  intervals = Math.min(intervals, await milliseconds(() => measureIntervals(table, measures, false, SETTINGS)));
}
const ratio = intervals / least;
console.log(`${SETTINGS.resamples} resamples over ${CASES} cases, processor time, Node ${process.version}\n`);
console.log(`one column, indices drawn once${' '.repeat(16)}${least.toFixed(0).padStart(6)} ms     1.00`);
console.log(
  `intervals of ${measures.length} measures${' '.repeat(22)}${intervals.toFixed(0).padStart(6)} ms  ${ratio.toFixed(2).padStart(7)}`,
);
console.log(`\nat most ${MOST} times as long: ${ratio <= MOST ? 'kept' : 'MISSED'}`);
if (ratio > MOST) process.exitCode = 1;
