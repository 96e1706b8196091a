import type { Case } from '../data/case.ts';
import type { ItemKind } from '../data/item.ts';
import { isRecord } from '../data/record-fields.ts';
import { fieldValue } from '../measure/case-places.ts';
import type { Interval } from '../measure/results.ts';
import type { Plan } from '../recipe/plan.ts';
import { resamplePatterns, surenessFrom } from '../stats/agreement/sureness.ts';
import { resampleSettings, USUAL_RESAMPLES } from '../stats/resample-settings.ts';
import { compareNatural, compareText } from '../text/compare.ts';
import type { Ceiling } from './run-figures.ts';

/** What one case adds to a share that is pooled over cases. */
export interface SharePart {
  readonly part: number;
  readonly whole: number;
}

/** A person against what others say, and the system against the same, in one case. */
export interface CeilingEntry {
  /** What is resampled: the case, or what the recipe names as cluster. */
  readonly unit: string;
  /** Place in the list of comparisons. */
  readonly comparison: number;
  readonly human: SharePart;
  readonly system: SharePart;
}

/** People whose work was compared with that of others. */
export interface ComparedPeople {
  readonly measure: string;
  /** What was compared, in one sentence. */
  readonly about: string;
  readonly cases: number;
  /** With how many cases each has. */
  readonly people: ReadonlyMap<string, number>;
  /** Whose work each comparison is of, in an order that does not hang on that of the cases. */
  readonly comparisons: readonly string[];
  readonly entries: readonly CeilingEntry[];
  /** Why there is no value, should there be none. */
  readonly nothing: string;
}

/** As for agreement: items of few documents say little about the next one. */
const FEWEST_UNITS = 5;
/** Sums that resampling may take; with more cases it draws less often. */
const MOST_SUMS = 30_000_000;
const FEWEST_RESAMPLES = 1000;
/** More people than this have no intervals of their own. */
const PEOPLE_WITH_INTERVALS = 50;

const [HUMAN, SYSTEM, DIFFERENCE, PEOPLE] = [0, 1, 2, 3] as const;

/**
 * The system among people. In each comparison a person's share and the system's are pooled over the same cases; both are
 * then averaged over comparisons. Those in which either has no share leave both means. Intervals by bootstrap over cases,
 * people and system from the same resamples.
 * Example: A has 0.8 and B 0.8, the system 0.7 and 0.5 in their places: people 0.8, system 0.6.
 */
export function peopleCeiling(plan: Pick<Plan, 'interval'>, compared: ComparedPeople): Ceiling {
  const { measure, about, cases, entries, nothing } = compared;
  const people = [...compared.people].sort(([a], [b]) => compareNatural(a, b));
  const values = valuesOf(compared, new Map(people.map(([name], at) => [name, PEOPLE + at])));
  const units = values.units.length;
  const whole = new Float64Array(PEOPLE + people.length);
  values.write(new Float64Array(units).fill(1), whole);
  const intervals = units < FEWEST_UNITS ? [] : intervalsOf(plan, units, whole, entries.length, values.write);
  const valueAt = (at: number): number | null => (Number.isNaN(whole[at]!) ? null : whole[at]!);
  const part = (at: number): Ceiling['human'] => {
    const value = valueAt(at);
    return { value, undefined: value === null ? nothing : null, interval: intervals[at] ?? null };
  };
  const difference = { value: valueAt(DIFFERENCE), interval: intervals[DIFFERENCE] ?? null };
  const few = cases > 0 && units < FEWEST_UNITS ? ` Fewer than ${FEWEST_UNITS} cases: no intervals.` : '';
  return {
    measure,
    about: `${about}${few}`,
    cases,
    people: people.map(([name, n], at) => {
      return { name, value: valueAt(PEOPLE + at), n, interval: intervals[PEOPLE + at] ?? null };
    }),
    human: part(HUMAN),
    system: part(SYSTEM),
    difference,
    verdict: units < FEWEST_UNITS ? 'too little data' : verdictOf(difference),
  };
}

/** Numbers of a comparison in a row of sums: part and whole of the person, then of the system. */
const SUMS = 4;

function sumsOf({ human, system }: CeilingEntry): [number, number, number, number] {
  return [human.part, human.whole, system.part, system.whole];
}

/** In one order, so that the order of the cases does not show, not even in the last digit. */
function compareEntries(a: CeilingEntry, b: CeilingEntry): number {
  const [own, other] = [sumsOf(a), sumsOf(b)];
  const bySums = own.reduce((order, value, at) => order || value - other[at]!, 0);
  return compareText(a.unit, b.unit) || a.comparison - b.comparison || bySums;
}

/** Writes human, system, their difference and each person’s own mean, NaN where there is none. */
type Write = (times: Float64Array, into: Float64Array) => void;

/** `columnOf` is where each person's mean is written. */
function valuesOf(
  { comparisons, ...compared }: ComparedPeople,
  columnOf: ReadonlyMap<string, number>,
): { readonly units: readonly string[]; readonly write: Write } {
  const entries = compared.entries.toSorted(compareEntries);
  const units = [...new Set(entries.map(({ unit }) => unit))].sort(compareText);
  const unitAt = new Map(units.map((unit, at) => [unit, at]));
  const unitOf = Int32Array.from(entries, ({ unit }) => unitAt.get(unit)!);
  const rowOf = Int32Array.from(entries, ({ comparison }) => SUMS * comparison);
  const given = Float64Array.from(entries.flatMap(sumsOf));
  const sums = new Float64Array(SUMS * comparisons.length);
  const who = comparisons.map((name) => columnOf.get(name)!);
  const defined = new Float64Array(PEOPLE + columnOf.size);
  const write: Write = (times, into) => {
    sums.fill(0);
    for (let at = 0; at < unitOf.length; at += 1) {
      const weight = times[unitOf[at]!]!;
      if (weight === 0) continue;
      const [own, from] = [rowOf[at]!, SUMS * at];
      for (let sum = 0; sum < SUMS; sum += 1) sums[own + sum]! += weight * given[from + sum]!;
    }
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
  return { units, write };
}

function intervalsOf(
  plan: Pick<Plan, 'interval'>,
  units: number,
  whole: Float64Array,
  entries: number,
  write: Write,
): readonly (Interval | null)[] {
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

function verdictOf({ value, interval }: Ceiling['difference']): Ceiling['verdict'] {
  if (interval === null) return value === 0 ? 'no difference shown' : 'too little data';
  if (interval.low > 0) return 'above people';
  return interval.high < 0 ? 'below people' : 'no difference shown';
}

/** What a case is resampled with: its value of the recipe's cluster column, else itself. */
export function resampledUnit({ interval }: Pick<Plan, 'interval'>, given: Case, id: string): string {
  return (interval?.cluster == null ? null : fieldValue(given, interval.cluster)) ?? id;
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
