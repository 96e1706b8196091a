import { z } from 'zod';

import type { Slice } from '../../measure/results.ts';

/** The keys of a rule that say what is demanded; a rule has one of them. */
export const DEMANDS = ['atLeast', 'atMost', 'notWorseThan', 'undefined', 'failed', 'unanswered'] as const;
export type Demand = (typeof DEMANDS)[number];

const share = z.strictObject({
  atMost: z.number().min(0).meta({ description: 'largest share of cases that is allowed: 0.01 is 1 %' }),
});

/** One rule as it is written. Which keys go together is checked afterwards, so that all that is wrong can be said. */
export const ruleSchema = z
  .strictObject({
    measure: z.string().meta({ description: 'name of a measure of the run' }),
    slice: z
      .record(z.string(), z.string())
      .meta({ description: 'the value of one slice, such as { label: PERSON }; without it the overall value' }),
    each: z.string().meta({ description: 'label, or a column that slices: a check for every value of it' }),
    small: z
      .enum(['cannot-tell', 'skip'])
      .meta({ description: 'with each: what becomes of slices that are below the minimum' }),
    atLeast: z.number().meta({ description: 'floor, for a measure of which more is better' }),
    atMost: z.number().meta({ description: 'ceiling, for a measure of which less is better' }),
    sure: z.boolean().meta({ description: 'the interval must be on the right side too' }),
    notWorseThan: z
      .strictObject({ margin: z.number().min(0).meta({ description: 'how much worse than the baseline is allowed' }) })
      .meta({ description: 'non-inferiority against --baseline' }),
    undefined: share.meta({ description: 'share of cases for which the measure has no value' }),
    failed: share.meta({ description: 'share of cases that failed' }),
    unanswered: share.meta({ description: 'share of cases without a prediction' }),
    minimum: z
      .strictObject({
        n: z.int().min(1).meta({ description: 'least n of the measure' }),
        cases: z.int().min(1).meta({ description: 'least number of cases, or of clusters of them' }),
      })
      .partial()
      .meta({ description: 'with less than this nothing can be told' }),
  })
  .partial();
export type WrittenRule = z.infer<typeof ruleSchema>;

export const rulesSchema = z.strictObject({ rules: z.array(ruleSchema).min(1) });

interface Placed {
  /** Place in the file, from 1. */
  readonly number: number;
  readonly line: number | null;
  /** 0: any number will do. */
  readonly minimum: { readonly n: number; readonly cases: number };
}

interface OfMeasure extends Placed {
  readonly measure: string;
  /** Empty: the overall value. */
  readonly slice: Slice;
  /** The slice key of which every value is checked. */
  readonly each: string | null;
  readonly skipSmall: boolean;
}

/** A value must be on one side of a limit. */
export interface FloorRule extends OfMeasure {
  readonly kind: 'floor';
  readonly side: 'atLeast' | 'atMost';
  readonly limit: number;
  readonly sure: boolean;
}

/** A value must not be worse than the baseline's by more than a margin. */
export interface MarginRule extends OfMeasure {
  readonly kind: 'margin';
  readonly margin: number;
}

/** A share of the run's cases must not be larger than a limit. */
export interface ShareRule extends Placed {
  readonly kind: 'share';
  readonly of: 'failed' | 'unanswered' | 'undefined';
  /** The measure that is undefined; null for the other two. */
  readonly measure: string | null;
  readonly limit: number;
}

export type MeasureRule = FloorRule | MarginRule;
export type Rule = MeasureRule | ShareRule;

/** Something wrong with a rule; the key is a path such as `minimum.n`, or null for the rule as a whole. */
export interface Misfit {
  readonly key: string | null;
  readonly message: string;
  readonly next: string | null;
}

const OF_A_VALUE: ReadonlySet<Demand> = new Set(['atLeast', 'atMost', 'notWorseThan']);

/** Keys of a rule that do not go together, and shares that could never block. */
export function misfits(rule: WrittenRule): Misfit[] {
  const said = DEMANDS.filter((demand) => rule[demand] !== undefined);
  const [demand, ...more] = said;
  if (demand === undefined)
    return [{ key: null, message: 'it demands nothing', next: `say one of ${DEMANDS.join(', ')}` }];
  if (more.length > 0)
    return [{ key: null, message: `it demands ${said.join(' and ')}`, next: 'write a rule for each' }];
  const found: Misfit[] = [];
  const add = (key: string | null, message: string, next: string | null = null): void => {
    found.push({ key, message, next });
  };
  const ofValue = OF_A_VALUE.has(demand);
  const ofMeasure = ofValue || demand === 'undefined';
  if (ofMeasure && rule.measure === undefined) add(null, `${demand} needs a measure`, 'say measure: NAME');
  if (!ofMeasure && rule.measure !== undefined)
    add('measure', `${demand} counts cases, whatever the measure`, 'take measure out');
  for (const key of ['slice', 'each', 'sure', 'small'] as const)
    if (!ofValue && rule[key] !== undefined) add(key, `${demand} is about all cases of the run`, `take ${key} out`);
  if (demand === 'notWorseThan' && rule.sure !== undefined)
    add('sure', 'notWorseThan goes by the interval as it is', 'take sure out');
  if (ofValue && rule.small !== undefined && (rule.each === undefined || rule.minimum === undefined))
    add('small', 'it is for slices below a minimum', 'say each and minimum, or take small out');
  if (rule.each !== undefined && rule.slice !== undefined && Object.hasOwn(rule.slice, rule.each))
    add('each', `slice already says which ${rule.each}`, 'take one of the two out');
  if (!ofValue && rule.minimum?.n !== undefined) add('minimum.n', 'a share is over cases', 'say minimum: { cases: … }');
  for (const key of ['undefined', 'failed', 'unanswered'] as const)
    if ((rule[key]?.atMost ?? 0) >= 1)
      add(`${key}.atMost`, 'no share is larger than 1, so the rule could never block', 'give a smaller share');
  return found;
}

/** A rule that fits together, as judging wants it. */
export function ruleOf(written: WrittenRule, number: number, line: number | null): Rule {
  const { measure = '', slice = {}, each = null, small, atLeast, atMost, sure = false, notWorseThan } = written;
  const placed = { number, line, minimum: { n: written.minimum?.n ?? 0, cases: written.minimum?.cases ?? 0 } };
  const ofMeasure = { ...placed, measure, slice, each, skipSmall: small === 'skip' };
  if (notWorseThan !== undefined) return { kind: 'margin', ...ofMeasure, margin: notWorseThan.margin };
  if (atLeast !== undefined) return { kind: 'floor', ...ofMeasure, side: 'atLeast', limit: atLeast, sure };
  if (atMost !== undefined) return { kind: 'floor', ...ofMeasure, side: 'atMost', limit: atMost, sure };
  if (written.undefined !== undefined)
    return { kind: 'share', ...placed, of: 'undefined', measure, limit: written.undefined.atMost };
  const of = written.failed === undefined ? 'unanswered' : 'failed';
  return { kind: 'share', ...placed, of, measure: null, limit: written[of]?.atMost ?? 0 };
}
