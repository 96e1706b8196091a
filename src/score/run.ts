import { z } from 'zod';

import { VERDICTS } from '../judge/verdict.ts';
import type { Definition } from '../recipe/definition.ts';
import { type DataOf, failedOtherwiseShape, measureShape } from '../measure/results.ts';
import type { RunAbout } from './run-about.ts';

export const RUN_FORMAT = 3;
/** Formats that are read; in 2, each line of the ledger is one verdict with all that belongs to it. */
export const READABLE_FORMATS: readonly number[] = [2, RUN_FORMAT];
/** What distinguishes a manifest of ours, of any format, from other files of that name. */
export const runStamp = z.looseObject({ format: z.number(), assay: z.string() });

/** The shapes of the files of a run, versioned by `format`. Extra fields may come. */
const text = z.string();
const number = z.number();
const nullableText = text.nullable();

const ruleCount = z.looseObject({
  scheme: nullableText,
  kind: text,
  verdict: z.enum(VERDICTS),
  rule: text,
  label: text,
  n: number,
});

const confusionCount = z.looseObject({
  scheme: nullableText,
  kind: text,
  gold: nullableText,
  predicted: nullableText,
  n: number,
  wrong: number.exactOptional().meta({ description: 'hits that by label are missed and spurious' }),
});

const ungroundedItem = z.looseObject({ case: text, label: text, text, why: text });

export const measuresFile = z.looseObject({
  signature: text,
  cases: z.looseObject({ total: z.int(), failed: z.int(), unanswered: z.int() }),
  measures: z.array(measureShape),
  failedOtherwise: failedOtherwiseShape
    .exactOptional()
    .meta({ description: 'the overall values if failed cases counted the other way (data.failed), where they differ' }),
  rules: z.array(ruleCount),
  confusion: z.array(confusionCount),
  ungrounded: z.looseObject({ total: z.int(), shown: z.array(ungroundedItem) }),
});

/** How many verdicts each rule made: where a score comes from. */
export type RuleCount = z.infer<typeof ruleCount>;
/**
 * How often gold of one label met a prediction of another: null stands for nothing on that side. `wrong`: of these, the
 * hits that measures by label count as missed here and spurious there, where there are any.
 */
export type ConfusionCount = z.infer<typeof confusionCount>;
/** A prediction whose quote is not in the text. */
export type UngroundedItem = z.infer<typeof ungroundedItem>;

/** measures.json */
export type Measures = DataOf<typeof measuresFile>;
export type CaseTotals = Measures['cases'];

const fileFact = z.looseObject({ sha256: text, bytes: z.int() });

/** A file of a run folder, as it was written. */
export type FileFact = z.infer<typeof fileFact>;

const ledgerLayout = z.looseObject({
  kind: text.exactOptional().meta({ description: 'the kind of item of lines that name none' }),
  schemes: z.array(text).meta({ description: 'the schemes beside the recipe’s own pairing, in order' }),
  apart: z.array(text).meta({ description: 'of these, those that share no lines with it' }),
});

/** What the lines of a ledger have in common. */
export type LedgerLayout = z.infer<typeof ledgerLayout>;

/** manifest.json: what was scored and how. Holds no time, host or folder name, so that a run again gives the same bytes. */
export const manifestFile = z.looseObject({
  format: z.int(),
  assay: text,
  signature: text,
  comparable: text,
  task: text,
  recipe: z.looseObject({ name: text, about: text, set: z.array(text), resolved: z.record(text, z.unknown()) }),
  inputs: z.array(
    z.looseObject({
      role: z.enum(['cases', 'gold', 'predictions', 'reviews']),
      name: text,
      format: text,
      sha256: text,
      bytes: z.int(),
      rows: z.int(),
    }),
  ),
  notices: z.record(text, number),
  outputs: z.record(text, z.looseObject({ rows: z.int() })),
  ledger: ledgerLayout.exactOptional().meta({ description: 'absent in runs of format 2' }),
  files: z
    .record(text, fileFact)
    .exactOptional()
    .meta({ description: 'what was written, to notice edits; absent in runs scored by an earlier version' }),
});

export type Manifest = z.infer<typeof manifestFile>;

/** A case with many errors. */
export type WorstCase = Readonly<{ case: string } & Record<'missed' | 'spurious' | 'hit', number>>;

/** All that a report needs of a run, whether just scored or read from its folder. */
export interface Run {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly measures: Measures;
  readonly worst: readonly WorstCase[];
  /** What it is called, when it was scored and at which commit; none of it decides a number. */
  readonly about?: RunAbout;
  /** The user code it was scored with, where that is at hand: a run folder does not hold it. */
  readonly definitions?: readonly Definition[];
}
