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
