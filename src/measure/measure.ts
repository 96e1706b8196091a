import type { Verdict } from '../judge/verdict.ts';
import { drawnQuotient, type Summed, withDrawnValues } from './drawn-values.ts';
import type { Distribution } from './numpy.ts';

export type Direction = 'higher' | 'lower';

/** Why there is no interval where the recipe wants none. */
export const NOT_ASKED_FOR = 'not asked for';

/** A value, or why it is undefined. Never a silent 0, 1 or NaN. */
export type Outcome =
  | { readonly value: number; readonly undefined: null; readonly n: number; readonly note?: string }
  | { readonly value: null; readonly undefined: string; readonly n: number; readonly note?: string };

/** Adds up one thing over verdicts: the only way numbers leave the ledger. Equal keys are the same counter. */
export interface Counter extends Summed {
  of(verdict: Verdict): number;
  /** True where it looks at nothing but kind, verdict, rule, credit and weight: verdicts that agree in these count alike. */
  readonly plain?: boolean;
  /** What it adds to the rows of labels, if that is not `of` in the row of the verdict's own label; else null. */
  byLabel?(verdict: Verdict): readonly { readonly label: string; readonly add: number }[] | null;
}

/**
 * Adds up something that can only be seen over all verdicts of a case, or from what its counters before this one came to
 * (`own`). null: the case has nothing to add, which is not the same as a 0.
 */
export interface CaseCounter extends Summed {
  ofCase(verdicts: readonly Verdict[], own: Sums): number | null;
}

/** Keeps every number that a case has, for measures that look at those of all cases together. */
export interface Numbers extends Summed {
  numbersOf(verdicts: readonly Verdict[]): number[];
}

export type AnyCounter = Counter | CaseCounter | Numbers;

/** The lowest and the highest value there can be; null where there is no such end. */
export type Range = readonly [number | null, number | null];

/** The sums a measure may look at. */
export interface Sums {
  get(key: string): number;
  /** Sums by label, in label order. */
  labels(): readonly { readonly label: string; readonly sums: Sums }[];
  /** Every number that is kept under a key. */
  numbers(key: string): Distribution;
}

/**
 * A pure function from sums over verdicts to an outcome. Because it works on sums, the same function gives a case's
 * value, a slice's, the whole run's, and later each resample's.
 */
export interface Measure {
  readonly name: string;
  readonly about: string;
  readonly direction: Direction;
  readonly range: Range;
  /** What it is measured in (ms, CTU), where it is not a share or a plain number. */
  readonly unit?: string | undefined;
  /** Its short form in the document that defines it, such as M1. */
  readonly symbol?: string | undefined;
  /** The best value where it is at neither end: nearer to it is better, on either side. */
  readonly best?: number | undefined;
  readonly counters: readonly AnyCounter[];
  /** Sums that say what the value leaves out, or that its case counters look at: no part of the value's own material. */
  readonly beside?: readonly AnyCounter[];
  /** False where a value for one label means nothing (a macro average). */
  readonly byLabel: boolean;
  /** What its labels are called as slices, and which there are; without it `label`, and all that occur in the run. */
  readonly labelled?: { readonly slice: string; readonly labels: readonly string[] } | undefined;
  /** Whether it is a share: so many of so many, each a yes or a no. */
  readonly proportion: boolean;
  /** True for 2p / (1 + p) of the share p of hits among all items, whose odds are twice those of p: F1. */
  readonly doubledOdds?: boolean;
  /** Of a percentile of pooled numbers, which: 0.95. */
  readonly percentile?: number | undefined;
  /** True for a mean over labels, whose n is how many of them entered it: one case has no value of it. */
  readonly overLabels?: boolean;
  /** The measure whose values by label such a mean averages, each label counting the same. */
  readonly labelMeasure?: Measure | undefined;
  /** True for a count: a case that adds nothing to it still has a value, which is 0. */
  readonly everyCase?: boolean;
  /** True for the mean of the cases' own values, whose n is how many of them have one. */
  readonly meanOfCases?: boolean;
  value(sums: Sums): Outcome;
  /** What the value leaves out, in words; null where that is nothing. */
  readonly leftOut?: ((sums: Sums) => string | null) | undefined;
}

/** 1 where `to` is better than `from`, −1 where it is worse, 0 where it is neither. */
export function improvement(measure: Pick<Measure, 'direction' | 'best'>, from: number, to: number): number {
  const { direction, best } = measure;
  if (best !== undefined) return Math.sign(Math.abs(from - best) - Math.abs(to - best));
  return Math.sign(direction === 'higher' ? to - from : from - to);
}

/** A measure's distance from its best value, of which less is better; the measure itself where its best is at an end. */
export function distanceFromBest(measure: Measure): Measure {
  const { best, ...rest } = measure;
  if (best === undefined) return measure;
  return {
    ...rest,
    direction: 'lower',
    range: [0, null],
    // A distance of a mean is not the mean of distances.
    labelMeasure: undefined,
    percentile: undefined,
    value(sums) {
      const outcome = measure.value(sums);
      return outcome.value === null ? outcome : { ...outcome, value: Math.abs(outcome.value - best) };
    },
  };
}

/** What the recipe wants for 0/0: undefined, or a number for those who need one. */
export type ZeroDivision = number | null;

export function nothingToDivide(reason: string, n: number, zeroDivision: ZeroDivision): Outcome {
  if (zeroDivision === null) return { value: null, undefined: reason, n };
  return { value: zeroDivision, undefined: null, n, note: `${reason}: given as ${zeroDivision} by zeroDivision` };
}

/** What some counters came to, together. */
export function total(sums: Pick<Sums, 'get'>, ...counters: readonly Summed[]): number {
  let sum = 0;
  for (const { key, scale = 1 } of counters) sum += sums.get(key) / scale;
  return sum;
}

/** A measure before the recipe gives it its name. */
export type UnnamedMeasure = Omit<Measure, 'name'>;
export type Declared = Pick<Measure, 'about'> & Partial<UnnamedMeasure>;

/** A measure by what is special about it: from 0 to 1, more being better, with a value for each label and each case. */
export function declareMeasure(own: Declared & Pick<Measure, 'counters' | 'value'>): UnnamedMeasure {
  return { direction: 'higher', range: [0, 1], proportion: false, byLabel: true, ...own };
}

/** What stands above and below the line of a measure, and why there is no value where nothing stands below it. */
interface Quotient {
  readonly over: readonly (Counter | CaseCounter)[];
  readonly under: readonly (Counter | CaseCounter)[];
  readonly nothing: string | ((sums: Sums) => string);
  readonly zeroDivision?: ZeroDivision;
}

/** The measure over / under, whose n is what is below the line; a share unless declared otherwise. */
export function declareQuotient(declared: Declared & Quotient): UnnamedMeasure {
  const { over, under, nothing, zeroDivision = null, ...own } = declared;
  return declareMeasure({
    proportion: true,
    ...own,
    counters: [...over, ...under],
    value: withDrawnValues(
      (sums: Sums): Outcome => {
        const n = total(sums, ...under);
        if (n > 0) return { value: total(sums, ...over) / n, undefined: null, n };
        return nothingToDivide(typeof nothing === 'string' ? nothing : nothing(sums), n, zeroDivision);
      },
      drawnQuotient(over, under, zeroDivision),
    ),
  });
}

/** The measure that is a count: none is 0, so it is never undefined, and every case has a value. */
export function declareCount(counter: Counter, own: Declared): UnnamedMeasure {
  const { key } = counter;
  const value = withDrawnValues(
    (sums: Sums): Outcome => ({ value: sums.get(key), undefined: null, n: sums.get(key) }),
    (sums) => sums.get(key),
  );
  return declareMeasure({ range: [0, null], everyCase: true, counters: [counter], ...own, value });
}

export const isCounter = (counter: AnyCounter): counter is Counter => 'of' in counter;
export const isCaseCounter = (counter: AnyCounter): counter is CaseCounter => 'ofCase' in counter;
export const isNumbers = (counter: AnyCounter): counter is Numbers => 'numbersOf' in counter;

/** Whether a measure has a value for a label: any that occurs, unless the recipe lists its labels. */
export function hasLabel({ byLabel, labelled }: Measure, label: string, units: number): boolean {
  if (!byLabel || labelled === undefined) return byLabel;
  return labelled.labels.length === 0 ? units > 0 : labelled.labels.includes(label);
}

/** What its values by label are called as slices. */
export function labelName({ labelled }: Measure): string {
  return labelled?.slice ?? 'label';
}

/** Notes on what a value leaves out, in one line; null without notes. */
export function joinNotes(notes: readonly (string | null | undefined)[]): string | null {
  return [...new Set(notes.filter((note) => note !== null && note !== undefined))].join('; ') || null;
}

/** What a number is held against: one end, or both. */
export interface Bound {
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

export function keepsTo({ atLeast, atMost }: Bound, value: number): boolean {
  return (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost);
}

/** `at least 0.85`, `from 8 to 10`; also what distinguishes two bounds. */
export function boundText({ atLeast, atMost }: Bound): string {
  if (atLeast === undefined) return `at most ${atMost ?? ''}`;
  return atMost === undefined ? `at least ${atLeast}` : `from ${atLeast} to ${atMost}`;
}
