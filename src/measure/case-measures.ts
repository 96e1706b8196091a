import type { Verdict } from '../judge/verdict.ts';
import { countingLack, itemsText, noNumber, type NumberScope, scopedNumbers, scopeKey } from './item-measures.ts';
import {
  type Bound,
  boundText,
  type CaseCounter,
  declareMeasure,
  declareQuotient,
  type Direction,
  joinNotes,
  keepsTo,
  type Measure,
  type Range,
  type Sums,
  total,
} from './measure.ts';
import { percentile } from './numpy.ts';

/** A case's own value of something; null where it has none. */
type CaseValue = (verdicts: readonly Verdict[], own: Sums) => number | null;

/** The material of measures over cases: the sum of the cases' own values, how many have one, and how many have none. */
export interface CaseValues {
  readonly sum: CaseCounter;
  readonly count: CaseCounter;
  readonly out: CaseCounter;
  /** Counts the cases whose value passes a test. */
  counted(what: string, passes: (value: number) => boolean): CaseCounter;
  leftOut(sums: Sums): string | null;
}

export function caseValues(key: string, valueOf: CaseValue): CaseValues {
  // Several counters ask for the same value one after the other.
  let asked: readonly Verdict[] | null = null;
  let known: number | null = null;
  const counter = (what: string, add: (value: number | null) => number | null): CaseCounter => ({
    key: `case-${what}:${key}`,
    ofCase(verdicts, own) {
      if (verdicts !== asked) known = valueOf(verdicts, own);
      asked = verdicts;
      return add(known);
    },
  });
  const count = counter('count', (value) => (value === null ? null : 1));
  const out = counter('out', (value) => (value === null ? 1 : null));
  return {
    sum: counter('sum', (value) => value),
    count,
    out,
    counted: (what, passes) => counter(what, (value) => (value !== null && passes(value) ? 1 : null)),
    leftOut(sums) {
      const without = total(sums, out);
      const all = total(sums, out, count);
      return without > 0 && without < all ? `${without} of ${all} cases left out: undefined` : null;
    },
  };
}

/**
 * mean over cases of a measure's value for the case, each case counting the same; better is what is better for the
 * measure. Cases for which it is undefined leave the mean and are counted in the note; undefined when all are.
 * Added up pairwise in the order of the case ids, so that the bits are those of numpy's mean.
 * Example: recall 1/2 and 1 and undefined: 0.75, n 2, 1 of 3 cases left out.
 */
export function caseMean(name: string, of: Measure): Measure {
  const values = caseValues(name, (_, own) => of.value(own).value);
  return declareQuotient({
    name,
    about: `mean over cases of ${of.about}`,
    direction: of.direction,
    range: of.range,
    ...(of.unit === undefined ? {} : { unit: of.unit }),
    ...(of.best === undefined ? {} : { best: of.best }),
    over: [values.sum],
    under: [values.count],
    nothing: noCase(of),
    beside: [...materialOf(of), values.out],
    proportion: false,
    byLabel: false,
    meanOfCases: true,
    leftOut: (sums) => joinNotes([values.leftOut(sums), of.leftOut?.(sums)]),
  });
}

/**
 * share of cases whose own value of a measure is at least (or at most) a bound = cases that keep to it / cases that have a
 * value; the recipe says which way is better. Cases without a value leave it and are counted in the note; undefined when
 * none has one. Example: completeness 5/8, 6/8 and 7/8, at least 0.75: 2 / 3.
 */
export function caseShare(name: string, of: Measure, bound: Bound, direction: Direction): Measure {
  const values = caseValues(`share:${name}`, (_, own) => of.value(own).value);
  return declareQuotient({
    name,
    about: `cases with ${of.about} ${boundText(bound)} / cases that have it`,
    direction,
    over: [values.counted('within', (value) => keepsTo(bound, value))],
    under: [values.count],
    nothing: noCase(of),
    beside: [...materialOf(of), values.out],
    byLabel: false,
    leftOut: (sums) => values.leftOut(sums),
  });
}

/** What a measure of cases needs to know of each case. */
function materialOf({ beside = [], counters, caseCounters }: Measure): NonNullable<Measure['beside']> {
  return [...beside, ...counters, ...caseCounters];
}

function noCase(of: Measure): (sums: Sums) => string {
  return (sums) => {
    const why = of.value(sums).undefined;
    return why === null ? 'no case has a value' : `no case has a value: ${why}`;
  };
}

/**
 * percentile of a number over the items of a case, with a straight line between neighbours (numpy's linear one); of
 * several cases the mean of theirs, each counting the same, so that one busy case does not make the tail alone. The recipe
 * says which way is better. Undefined when no item has the number; cases and items without it are left out and counted.
 * Example: p 90 of 10, 20, 30, 40: place 0.9 × 3 = 2.7, so 37.
 */
export function fieldPercentile(
  name: string,
  scope: NumberScope,
  p: number,
  direction: Direction,
  range: Range,
): Measure {
  const values = caseValues(`p${p}:${scopeKey(scope)}`, (verdicts) => {
    const numbers = scopedNumbers(scope, verdicts).sort((a, b) => a - b);
    return numbers.length === 0 ? null : percentile(numbers, p / 100);
  });
  const lack = countingLack([scope]);
  return declareQuotient({
    name,
    about: `mean over cases of the ${p}th percentile of ${scope.fields.join(' + ')} of ${itemsText(scope)}`,
    direction,
    range,
    over: [values.sum],
    under: [values.count],
    nothing: noNumber(scope),
    beside: [values.out, ...lack.beside],
    proportion: false,
    byLabel: false,
    meanOfCases: true,
    leftOut: (sums) => joinNotes([values.leftOut(sums), lack.leftOut(sums)]),
  });
}

/**
 * macro average = mean of a measure over the labels, each label counting the same; higher is better where the measure's is.
 * Labels for which the measure is undefined leave the mean and are counted in the note; undefined when all are.
 * Example: F1 0.5 for LOC and 1 for PERSON: 0.75.
 */
export function macro(name: string, of: Measure): Measure {
  return {
    ...of,
    name,
    about: `mean over labels of ${of.name}`,
    proportion: false,
    byLabel: false,
    byCase: false,
    overLabels: true,
    meanOfCases: false,
    value(sums) {
      const outcomes = sums.labels().map(({ sums: own }) => of.value(own));
      const values = outcomes.flatMap(({ value }) => value ?? []);
      const [all, n] = [outcomes.length, values.length];
      const note = n < all ? { note: `${all - n} of ${all} labels left out: undefined` } : {};
      const why = all === 0 ? 'no label occurs' : `${of.name} is undefined for every label`;
      if (n === 0) return { value: null, undefined: why, n, ...note };
      return { value: values.reduce((sum, value) => sum + value, 0) / n, undefined: null, n, ...note };
    },
  };
}

/**
 * mean of several measures, each counting the same (overall_quality = mean of two F1); higher is better.
 * `harmonic`: n / (1/a + 1/b + …), 0 where one of them is 0.
 * Undefined as soon as one of them is: a mean over what happens to be defined would not be the same measure.
 */
export function meanOf(name: string, parts: readonly Measure[], harmonic = false): Measure {
  return declareMeasure({
    name,
    about: `${harmonic ? 'harmonic ' : ''}mean of ${parts.map((part) => part.name).join(' and ')}`,
    direction: parts[0]?.direction ?? 'higher',
    range: sharedRange(parts),
    counters: parts.flatMap((part) => part.counters),
    caseCounters: parts.flatMap((part) => part.caseCounters),
    beside: parts.flatMap((part) => part.beside ?? []),
    byLabel: false,
    value(sums) {
      const outcomes = parts.map((part) => ({ part, outcome: part.value(sums) }));
      const n = Math.min(...outcomes.map(({ outcome }) => outcome.n));
      let sum = 0;
      for (const { part, outcome } of outcomes) {
        if (outcome.value === null)
          return { value: null, undefined: `${part.name} is undefined: ${outcome.undefined}`, n };
        sum += harmonic ? 1 / outcome.value : outcome.value;
      }
      return { value: harmonic ? parts.length / sum : sum / parts.length, undefined: null, n };
    },
  });
}

/** The widest range of the parts: a mean lies between the least and the most of them. */
function sharedRange(parts: readonly Measure[]): Range {
  const lows = parts.map(({ range: [low] }) => low ?? -Infinity);
  const highs = parts.map(({ range: [, high] }) => high ?? Infinity);
  const [low, high] = [Math.min(...lows), Math.max(...highs)];
  return [low === -Infinity ? null : low, high === Infinity ? null : high];
}
