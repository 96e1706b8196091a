import type { Verdict } from '../judge/verdict.ts';
import { drawnMacro, drawnValuesOf, withDrawnValues } from './drawn-values.ts';
import type { FormParams } from './measure-params.ts';
import {
  boundText,
  type CaseCounter,
  type Declared,
  declareMeasure,
  declareQuotient,
  joinNotes,
  keepsTo,
  type Measure,
  type Outcome,
  type Range,
  type Sums,
  total,
  type UnnamedMeasure,
} from './measure.ts';

/** A case's own value of something; null where it has none. */
type CaseValue = (verdicts: readonly Verdict[], own: Sums) => number | null;

/** The mean of the cases' own values, each case counting the same: their sum / how many have one. */
export function meanOverCases(
  key: string,
  valueOf: CaseValue,
  { beside = [], leftOut, ...own }: Declared & { readonly nothing: string | ((sums: Sums) => string) },
): UnnamedMeasure {
  // Several counters ask for the same value one after the other.
  let asked: readonly Verdict[] | null = null;
  let known: number | null = null;
  const counter = (what: string, add: (value: number | null) => number | null): CaseCounter => ({
    key: `case-${what}:${key}`,
    ofCase(verdicts, sums) {
      if (verdicts !== asked) known = valueOf(verdicts, sums);
      asked = verdicts;
      return add(known);
    },
  });
  const count = counter('count', (value) => (value === null ? null : 1));
  const out = counter('out', (value) => (value === null ? 1 : null));
  return declareQuotient({
    proportion: false,
    byLabel: false,
    meanOfCases: true,
    ...own,
    over: [counter('sum', (value) => value)],
    under: [count],
    beside: [...beside, out],
    leftOut(sums) {
      const [without, all] = [total(sums, out), total(sums, out, count)];
      const cases = without > 0 && without < all ? `${without} of ${all} cases left out: undefined` : null;
      return joinNotes([cases, leftOut?.(sums)]);
    },
  });
}

/**
 * mean over cases of a measure's value for the case, each case counting the same; better is what is better for the
 * measure. Cases for which it is undefined leave the mean and are counted in the note; undefined when all are. Added up
 * pairwise in the order of the case ids, as numpy's mean. Example: recall 1/2 and 1 and undefined: 0.75, n 2, 1 of 3 cases left out.
 */
export function caseMean(name: string, of: Measure): UnnamedMeasure {
  const { direction, range, unit, best, leftOut } = of;
  return meanOverCases(name, (_, own) => of.value(own).value, {
    ...ofEachCase(of),
    about: `mean over cases of ${of.about}`,
    direction,
    range,
    unit,
    best,
    leftOut,
  });
}

/**
 * share of cases whose own value of a measure is at least (or at most) a bound = cases that keep to it / cases that have a
 * value; the recipe sets which way is better. Cases without a value leave it and are counted in the note; undefined if
 * none has one. Example: completeness 5/8, 6/8 and 7/8, at least 0.75: 2 / 3.
 */
export function caseShare(name: string, of: Measure, params: FormParams<'case-share'>): UnnamedMeasure {
  const isWithin = (_: unknown, own: Sums): number | null => {
    const { value } = of.value(own);
    return value === null ? null : Number(keepsTo(params, value));
  };
  return meanOverCases(`share:${name}`, isWithin, {
    ...ofEachCase(of),
    about: `cases with ${of.about} ${boundText(params)} / cases that have it`,
    proportion: true,
    meanOfCases: false,
  });
}

/** What has to be known of each case for a measure to have a value for it, and the words where none has. */
function ofEachCase(of: Measure) {
  return {
    beside: [...(of.beside ?? []), ...of.counters],
    nothing(sums: Sums): string {
      const why = of.value(sums).undefined;
      return why === null ? 'no case has a value' : `no case has a value: ${why}`;
    },
  };
}

/**
 * macro average = mean of a measure over the labels, each label counting the same; higher is better where the measure's is.
 * Labels for which the measure is undefined leave the mean and are counted in the note; undefined when all are.
 * Example: F1 0.5 for LOC and 1 for PERSON: 0.75.
 */
export function macro(of: Measure): UnnamedMeasure {
  const value = (sums: Sums): Outcome => {
    const outcomes = sums.labels().map(({ sums: own }) => of.value(own));
    const values = outcomes.flatMap(({ value: own }) => own ?? []);
    const [all, n] = [outcomes.length, values.length];
    const note = n < all ? { note: `${all - n} of ${all} labels left out: undefined` } : {};
    const why = all === 0 ? 'no label occurs' : `${of.name} is undefined for every label`;
    if (n === 0) return { value: null, undefined: why, n, ...note };
    return { value: values.reduce((sum, own) => sum + own, 0) / n, undefined: null, n, ...note };
  };
  const drawn = drawnValuesOf(of);
  return {
    ...of,
    about: `mean over labels of ${of.name}`,
    proportion: false,
    doubledOdds: false,
    byLabel: false,
    overLabels: true,
    labelMeasure: of,
    percentile: undefined,
    meanOfCases: false,
    value: drawn === undefined ? value : withDrawnValues(value, drawnMacro(drawn)),
  };
}

/**
 * mean of several measures, each counting the same (overall_quality = mean of two F1); higher is better.
 * `harmonic`: n / (1/a + 1/b + …), 0 where one of them is 0.
 * Undefined as soon as one of them is: a mean over what happens to be defined would not be the same measure.
 */
export function meanOf(parts: readonly Measure[], harmonic = false): UnnamedMeasure {
  return declareMeasure({
    about: `${harmonic ? 'harmonic ' : ''}mean of ${parts.map((part) => part.name).join(' and ')}`,
    direction: parts[0]?.direction ?? 'higher',
    range: sharedRange(parts),
    counters: parts.flatMap((part) => part.counters),
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
