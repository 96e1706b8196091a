import type { ItemKind } from '../../data/item.ts';
import { isRecord } from '../../data/record-fields.ts';
import type { Interval } from '../../measure/results.ts';
import type { Plan } from '../../recipe/plan.ts';
import { resamplePatterns } from '../../stats/agreement/resample-patterns.ts';
import { surenessFrom } from '../../stats/agreement/sureness.ts';
import { resampleSettings, USUAL_RESAMPLES } from '../../stats/resample-settings.ts';
import { compareNatural, compareText } from '../../text/compare.ts';
import type { CeilingCounts, CeilingEntry, PeoplePair } from './ceiling-counts.ts';
import type { Ceiling } from './run-figures.ts';

/** As for agreement: items of few documents say little about the next one. */
const FEWEST_UNITS = 5;
/** Sums that resampling may take; with more cases it draws less often. */
const MOST_SUMS = 30_000_000;
const FEWEST_RESAMPLES = 1000;
/** More people than this have no intervals of their own. */
const PEOPLE_WITH_INTERVALS = 50;

const [HUMAN, SYSTEM, DIFFERENCE, PEOPLE] = [0, 1, 2, 3] as const;

/**
 * The system among the people who made the gold. Of each ordered pair of people, one’s items are scored against the
 * other’s, and the system against the same gold over the same cases: F1 of counts pooled over these cases, then the mean
 * over pairs. Pairs for which either has no F1 leave both means. Intervals by bootstrap over cases, people and system
 * from the same resamples. Null where nobody shares a case with another.
 * Example: A against B 0.8 and B against A 0.8, the system against B 0.7 and against A 0.5: people 0.8, system 0.6.
 */
export function ceilingOf(plan: Plan, kind: ItemKind, counts: CeilingCounts): Ceiling | null {
  if (counts.cases + counts.skipped === 0) return null;
  const entries = counts.entries(kind);
  const { pairs } = counts;
  const people = [...counts.people].sort(([a], [b]) => compareNatural(a, b));
  const values = valuesOf(entries, pairs, new Map(people.map(([name], at) => [name, at])));
  const units = values.units.length;
  const whole = new Float64Array(PEOPLE + people.length);
  values.write(new Float64Array(units).fill(1), whole);
  const intervals = intervalsOf(plan, units, whole, entries.length, values.write);
  const reason =
    counts.cases === 0
      ? 'the first case that several people annotated has too many items to compare everybody with everybody'
      : 'neither gold nor a prediction counts in what two people annotated';
  const part = (at: number): { value: number | null; undefined: string | null; interval: Interval | null } => {
    const value = numberOrNull(whole[at]!);
    return { value, undefined: value === null ? reason : null, interval: intervals[at] ?? null };
  };
  const difference = part(DIFFERENCE);
  return {
    measure: f1Name(plan, kind),
    about: about(counts, units),
    cases: counts.cases,
    people: people.map(([name, n], at) => ({
      name,
      value: numberOrNull(whole[PEOPLE + at]!),
      n,
      interval: intervals[PEOPLE + at] ?? null,
    })),
    human: part(HUMAN),
    system: part(SYSTEM),
    difference: { value: difference.value, interval: difference.interval },
    verdict: verdictOf(difference, units),
  };
}

function numberOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

interface Values {
  readonly units: readonly string[];
  /** Writes human, system, their difference and each person’s own mean, NaN where there is none. */
  readonly write: (times: Float64Array, into: Float64Array) => void;
}

/** Numbers of a pair in a row of sums: credit and size of people, then of the system. */
const SUMS = 4;

function valuesOf(
  entries: readonly CeilingEntry[],
  pairs: readonly PeoplePair[],
  placeOf: ReadonlyMap<string, number>,
): Values {
  // By id, so that the order of the cases does not show.
  const units = [...new Set(entries.map(({ unit }) => unit))].sort(compareText);
  const unitAt = new Map(units.map((unit, at) => [unit, at]));
  const unitOf = Int32Array.from(entries, ({ unit }) => unitAt.get(unit)!);
  const pairOf = Int32Array.from(entries, ({ pair }) => SUMS * pair);
  const given = Float64Array.from(
    entries.flatMap(({ human, system }) => [human.credit, human.size, system.credit, system.size]),
  );
  const sums = new Float64Array(SUMS * pairs.length);
  const who = pairs.map(({ as }) => PEOPLE + placeOf.get(as)!);
  const defined = new Float64Array(PEOPLE + placeOf.size);
  return {
    units,
    write(times, into) {
      sums.fill(0);
      for (let at = 0; at < unitOf.length; at += 1) {
        const weight = times[unitOf[at]!]!;
        if (weight === 0) continue;
        const [own, from] = [pairOf[at]!, SUMS * at];
        for (let part = 0; part < SUMS; part += 1) sums[own + part]! += weight * given[from + part]!;
      }
      into.fill(0);
      defined.fill(0);
      for (let pair = 0; pair < pairs.length; pair += 1) {
        const [credit, size, systemCredit, systemSize] = sums.subarray(SUMS * pair, SUMS * (pair + 1));
        if (size === 0) continue;
        const human = (2 * credit!) / size!;
        into[who[pair]!]! += human;
        defined[who[pair]!]! += 1;
        if (systemSize === 0) continue;
        into[HUMAN]! += human;
        into[SYSTEM]! += (2 * systemCredit!) / systemSize!;
        defined[HUMAN]! += 1;
      }
      defined[SYSTEM] = defined[HUMAN]!;
      for (let at = 0; at < into.length; at += 1) into[at]! /= defined[at]!;
      into[DIFFERENCE] = into[SYSTEM]! - into[HUMAN]!;
    },
  };
}

function intervalsOf(
  plan: Plan,
  units: number,
  whole: Float64Array,
  entries: number,
  write: Values['write'],
): readonly (Interval | null)[] {
  if (units < FEWEST_UNITS) return [];
  const { resamples, level, seed } = plan.interval ?? USUAL_RESAMPLES;
  const bearable = Math.max(FEWEST_RESAMPLES, Math.floor(MOST_SUMS / entries));
  const settings = resampleSettings({ resamples: Math.min(resamples, bearable), level, seed });
  const columns = whole.length - PEOPLE <= PEOPLE_WITH_INTERVALS ? whole.length : PEOPLE;
  const into = new Float64Array(whole.length);
  const resampled = resamplePatterns(new Float64Array(units).fill(1), columns, settings, (times, kept) => {
    write(times, into);
    kept.set(into.subarray(0, columns));
  });
  return resampled.map((own, at) =>
    Number.isNaN(whole[at]!) ? null : surenessFrom(own, whole[at]!, level, { n: units, item: 'case' }).interval,
  );
}

function verdictOf(
  { value, interval }: { readonly value: number | null; readonly interval: Interval | null },
  units: number,
): Ceiling['verdict'] {
  if (value === null || units < FEWEST_UNITS) return 'too little data';
  if (interval === null) return value === 0 ? 'no difference shown' : 'too little data';
  if (interval.low > 0) return 'above people';
  return interval.high < 0 ? 'below people' : 'no difference shown';
}

function about({ people, cases, skipped }: CeilingCounts, units: number): string {
  const all = cases + skipped;
  const some = skipped === 0 ? '' : `, the first of ${all}, since comparing all would take too long`;
  const few = cases > 0 && units < FEWEST_UNITS ? ` Fewer than ${FEWEST_UNITS} cases: no intervals.` : '';
  return (
    `${people.size} people, over the ${cases} ${cases === 1 ? 'case' : 'cases'} that two or more of them annotated${some}: ` +
    'each person’s items against each other person’s gold, and the system against the same gold, by the rules of the ' +
    `recipe; F1 is pooled over cases and then averaged over ordered pairs of people.${few}`
  );
}

/** What the recipe calls the plain F1 of a kind. */
function f1Name({ resolved }: Plan, kind: ItemKind): string {
  const { measure } = resolved;
  const plain = Object.entries(isRecord(measure) ? measure : {}).filter(
    ([, params]) =>
      isRecord(params) &&
      params['of'] === 'f1' &&
      (params['beta'] ?? 1) === 1 &&
      isEmpty(params['require']) &&
      isEmpty(params['match']),
  );
  const kindOf = ([, params]: readonly [string, unknown]): unknown =>
    isRecord(params) ? (params['kind'] ?? null) : null;
  const found = plain.find((one) => kindOf(one) === kind) ?? plain.find((one) => kindOf(one) === null);
  return found?.[0] ?? 'f1';
}

function isEmpty(list: unknown): boolean {
  return list === undefined || (Array.isArray(list) && list.length === 0);
}
