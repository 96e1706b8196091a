import type { Case } from '../data/case.ts';
import type { ItemKind } from '../data/item.ts';
import { isRecord } from '../data/record-fields.ts';
import { fieldValue } from '../measure/case-facts.ts';
import type { Plan } from '../recipe/plan.ts';
import { preparedCases } from '../score/score-case.ts';
import { pairSums, resamplePatterns, surenessFrom } from '../stats/agreement/sureness.ts';
import { resampleSettings, USUAL_RESAMPLES } from '../stats/resample-settings.ts';
import { compareNatural, compareText } from '../text/compare.ts';
import type { Ceiling } from './run-figures.ts';

/** A person against what others say, and the system against the same, in one case. */
export interface CeilingEntry {
  /** What is resampled: the case, or what the recipe names as cluster. */
  readonly unit: string;
  readonly person: string;
  readonly against: string;
  /** What the case adds to the share of the person, then to that of the system. */
  readonly sums: readonly [part: number, whole: number, systemPart: number, systemWhole: number];
}

/** People whose work was compared with that of others. */
export interface ComparedPeople extends Pick<Ceiling, 'measure' | 'about' | 'cases'> {
  /** With how many cases each has. */
  readonly people: ReadonlyMap<string, number>;
  readonly entries: readonly CeilingEntry[];
  /** Why there is no value, should there be none. */
  readonly nothing: string;
}

/** As for agreement: items of few documents say little about the next one. */
const FEWEST_UNITS = 5;
/** Sums that resampling may take; with more cases it draws less often. */
const MOST_SUMS = 30_000_000;
const FEWEST_RESAMPLES = 1000;
/** More people than this have no intervals each. */
const PEOPLE_WITH_INTERVALS = 50;

const [HUMAN, SYSTEM, DIFFERENCE, PEOPLE] = [0, 1, 2, 3] as const;

/**
 * The system among people. In each comparison a person's share and the system's are pooled over the same cases; both are
 * then averaged over comparisons. Those in which either has no share leave both means. Intervals by bootstrap over cases,
 * people and system from the same resamples.
 * Example: A has 0.8 and B 0.8, the system 0.7 and 0.5 in their places: people 0.8, system 0.6.
 */
export function peopleCeiling({ interval }: Pick<Plan, 'interval'>, compared: ComparedPeople): Ceiling {
  const { measure, about, cases, entries, nothing } = compared;
  const people = [...compared.people].sort(([a], [b]) => compareNatural(a, b));
  const { units, write } = valuesOf(entries, new Map(people.map(([name], at) => [name, PEOPLE + at])));
  const isFew = units < FEWEST_UNITS;
  const whole = new Float64Array(PEOPLE + people.length);
  write(new Float64Array(units).fill(1), whole);
  const { resamples, level, seed } = interval ?? USUAL_RESAMPLES;
  const bearable = Math.max(FEWEST_RESAMPLES, Math.floor(MOST_SUMS / entries.length));
  const settings = resampleSettings({ resamples: Math.min(resamples, bearable), level, seed });
  const columns = people.length <= PEOPLE_WITH_INTERVALS ? whole.length : PEOPLE;
  const made = new Float64Array(whole.length);
  const resampled = isFew ? [] : resamplePatterns(new Float64Array(units).fill(1), columns, settings, write, made);
  const intervals = resampled.map((own, at) =>
    Number.isNaN(whole[at]!) ? null : surenessFrom(own, whole[at]!, level, { n: units, item: 'case' }).interval,
  );
  const valueAt = (at: number) => ({
    value: Number.isNaN(whole[at]!) ? null : whole[at]!,
    interval: intervals[at] ?? null,
  });
  const part = (at: number): Ceiling['human'] => {
    const own = valueAt(at);
    return { value: own.value, undefined: own.value === null ? nothing : null, interval: own.interval };
  };
  const difference = valueAt(DIFFERENCE);
  return {
    measure,
    about: `${about}${cases > 0 && isFew ? ` Fewer than ${FEWEST_UNITS} cases: no intervals.` : ''}`,
    cases,
    people: people.map(([name, n], at) => {
      const own = valueAt(PEOPLE + at);
      return { name, value: own.value, n, interval: own.interval };
    }),
    human: part(HUMAN),
    system: part(SYSTEM),
    difference,
    verdict: isFew ? 'too little data' : verdictOf(difference),
  };
}

/** Numbers of a comparison in a row of sums. */
const SUMS = 4;

/** Writes human, system, their difference and each person’s own mean, NaN where absent. */
type Write = (times: Float64Array, into: Float64Array) => void;

/**
 * `columnOf` is where each person's mean is written. Entries and comparisons are in one order, so that that of the cases
 * does not show, not even in the last digit.
 */
function valuesOf(given: readonly CeilingEntry[], columnOf: ReadonlyMap<string, number>) {
  const byPeople = (a: CeilingEntry, b: CeilingEntry): number =>
    compareText(a.person, b.person) || compareText(a.against, b.against);
  const bySums = (a: CeilingEntry, b: CeilingEntry): number =>
    a.sums.reduce((order, value, at) => order || value - b.sums[at]!, 0);
  const keyOf = ({ person, against }: CeilingEntry): string => JSON.stringify([person, against]);
  const entries = given.toSorted((a, b) => compareText(a.unit, b.unit) || byPeople(a, b) || bySums(a, b));
  const comparisons = [...new Map(entries.map((entry) => [keyOf(entry), entry])).values()].sort(byPeople);
  const placeOf = new Map(comparisons.map((entry, at) => [keyOf(entry), at]));
  const unitAt = new Map([...new Set(entries.map(({ unit }) => unit))].map((unit, at) => [unit, at]));
  const sumsOf = pairSums(
    entries.map((own) => ({ unit: unitAt.get(own.unit)!, pair: placeOf.get(keyOf(own))!, sums: own.sums })),
    comparisons.length,
    SUMS,
  );
  const who = comparisons.map(({ person }) => columnOf.get(person)!);
  const defined = new Float64Array(PEOPLE + columnOf.size);
  const write: Write = (times, into) => {
    const sums = sumsOf(times);
    into.fill(0);
    defined.fill(0);
    for (const [row, person] of who.entries()) {
      const [part, whole, systemPart, systemWhole] = sums.subarray(SUMS * row, SUMS * (row + 1));
      if (whole === 0) continue;
      const human = part! / whole!;
      into[person]! += human;
      defined[person]! += 1;
      if (systemWhole === 0) continue;
      into[HUMAN]! += human;
      into[SYSTEM]! += systemPart! / systemWhole!;
      defined[HUMAN]! += 1;
    }
    defined[SYSTEM] = defined[HUMAN]!;
    for (let at = 0; at < into.length; at += 1) into[at]! /= defined[at]!;
    into[DIFFERENCE] = into[SYSTEM]! - into[HUMAN]!;
  };
  return { units: unitAt.size, write };
}

function verdictOf({ value, interval }: Ceiling['difference']): Ceiling['verdict'] {
  if (interval === null) return value === 0 ? 'no difference shown' : 'too little data';
  if (interval.low > 0) return 'above people';
  return interval.high < 0 ? 'below people' : 'no difference shown';
}

/** What a case is resampled with: its value of the recipe's cluster column, else itself. */
export function resampledUnit({ interval }: Pick<Plan, 'interval'>, given: Case, id: string): string {
  return (interval?.cluster == null ? null : fieldValue(given, interval.cluster)) ?? id;
}

/** A case as the recipe prepares it. Rules that make several of one do so by annotator, of which there are none here. */
export function preparedCase({ prepare }: Pick<Plan, 'prepare'>, given: Case): Case {
  return prepare.reduce((made, { step }) => preparedCases(step(made))[0] ?? made, given);
}

/** What the recipe calls a plain measure of a kind, one that asks for nothing beside a hit; null where it has none. */
export function plainMeasureName(
  { resolved: { measure } }: Pick<Plan, 'resolved'>,
  of: 'f1' | 'recall',
  kind: ItemKind,
): string | null {
  const isEmpty = (list: unknown): boolean => list === undefined || (Array.isArray(list) && list.length === 0);
  const plain = Object.entries(isRecord(measure) ? measure : {}).flatMap(([name, form]) => {
    const isPlain = isRecord(form) && form['of'] === of && (form['beta'] ?? 1) === 1;
    return isPlain && isEmpty(form['require']) && isEmpty(form['match']) ? [{ name, kind: form['kind'] ?? null }] : [];
  });
  return (plain.find((one) => one.kind === kind) ?? plain.find((one) => one.kind === null))?.name ?? null;
}
