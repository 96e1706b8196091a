import type { Verdict } from '../judge/verdict.ts';
import { countingLack, itemsText, noNumber, numberScope, scopedNumbers, scopeKey } from './item-measures.ts';
import type { FormParams } from './measure-params.ts';
import {
  boundText,
  type CaseCounter,
  declareMeasure,
  declareQuotient,
  joinNotes,
  keepsTo,
  type Measure,
  type Range,
  type Sums,
  total,
} from './measure.ts';
import { percentile, percentileOf } from './numpy.ts';

/** A case's own value of something; null where it has none. */
type CaseValue = (verdicts: readonly Verdict[], own: Sums) => number | null;

/** The material of measures over cases: the sum of the cases' own values, how many have one, and how many have none. */
export function caseValues(key: string, valueOf: CaseValue) {
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
    /** Counts the cases whose value passes a test. */
    counted: (what: string, passes: (value: number) => boolean) =>
      counter(what, (value) => (value !== null && passes(value) ? 1 : null)),
    leftOut(sums: Sums): string | null {
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
export function caseShare(name: string, of: Measure, params: FormParams<'case-share'>): Measure {
  const values = caseValues(`share:${name}`, (_, own) => of.value(own).value);
  return declareQuotient({
    name,
    about: `cases with ${of.about} ${boundText(params)} / cases that have it`,
    direction: params.direction,
    over: [values.counted('within', (value) => keepsTo(params, value))],
    under: [values.count],
    nothing: noCase(of),
    beside: [...materialOf(of), values.out],
    byLabel: false,
    leftOut: (sums) => values.leftOut(sums),
  });
}

/** What a measure of cases needs to know of each case. */
function materialOf({ beside = [], counters, caseCounters, numbers = [] }: Measure): NonNullable<Measure['beside']> {
  return [...beside, ...counters, ...caseCounters, ...numbers];
}

function noCase(of: Measure): (sums: Sums) => string {
  return (sums) => {
    const why = of.value(sums).undefined;
    return why === null ? 'no case has a value' : `no case has a value: ${why}`;
  };
}

/**
 * percentile of a number over the items of all cases together, each number counting the same: what one call in twenty takes
 * at least, whatever case it is of. A straight line between neighbours (numpy's linear one). The recipe says which way is
 * better. Undefined when no item has the number; items without it are left out and counted. n is how many have it. An
 * interval draws cases with all their numbers, since those of one case are alike.
 * Example: p 50 of the cases [10, 20] and [60]: 20, where the mean of their own medians is 37.5.
 */
function pooledPercentile(name: string, params: FormParams<'field-percentile'>): Measure {
  const { p, direction, range } = params;
  const scope = numberScope(params);
  const key = `all:${scopeKey(scope)}`;
  return declareMeasure({
    name,
    about: `${p}th percentile of ${scope.fields.join(' + ')} over all ${itemsText(scope)}`,
    direction,
    range,
    numbers: [{ key, numbersOf: (verdicts) => scopedNumbers(scope, verdicts) }],
    byLabel: false,
    ...countingLack([scope]),
    value(sums) {
      const numbers = sums.numbers(key);
      let n = 0;
      for (let at = 0; at < numbers.times.length; at += 1) n += numbers.times[at]!;
      if (n === 0) return { value: null, undefined: noNumber(scope), n };
      return { value: percentileOf(numbers, p / 100), undefined: null, n };
    },
  });
}

/**
 * percentile of a number over the items of a case, with a straight line between neighbours (numpy's linear one); of
 * several cases the mean of theirs, each counting the same, so that one busy case does not make the tail alone. The recipe
 * says which way is better. Undefined when no item has the number; cases and items without it are left out and counted.
 * Example: p 90 of 10, 20, 30, 40: place 0.9 × 3 = 2.7, so 37.
 */
export function fieldPercentile(name: string, params: FormParams<'field-percentile'>): Measure {
  if (params.pooled === true) return pooledPercentile(name, params);
  const { p, direction, range } = params;
  const scope = numberScope(params);
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
    numbers: parts.flatMap((part) => part.numbers ?? []),
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
