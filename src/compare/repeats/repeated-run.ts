import type { ItemKind } from '../../data/item.ts';
import type { Attribute } from '../../judge/attributes.ts';
import type { Verdict } from '../../judge/verdict.ts';
import type { Measure } from '../../measure/measure.ts';
import type { PairSettings } from '../../pair/criterion.ts';
import type { OffsetUnit } from '../../text/offsets.ts';

/** One run of a system, whether read from its folder or just scored. */
export interface RepeatedRun {
  /** What the user called it. */
  readonly name: string;
  /** A hash of what was predicted: equal for runs that said the same. */
  readonly predicted: string;
  readonly cases: ReadonlyMap<string, RepeatedCase>;
}

export interface RepeatedCase {
  /** Why the system gave no output; null when it did. */
  readonly failed: string | null;
  readonly answered: boolean;
  /** Those of the recipe's own pairing; places are in the unit of the files. */
  readonly verdicts: readonly Verdict[];
}

/** What all runs were asked, and by which rules they are looked at. */
export interface RepeatedQuestion {
  readonly task: string;
  readonly recipe: string;
  readonly pair: ReadonlyMap<ItemKind, PairSettings>;
  readonly attributes: readonly Attribute[];
  readonly measures: readonly Measure[];
  readonly offsets: OffsetUnit;
  /** Whether a case is scored once per annotator, so that its predictions come several times. */
  readonly eachAnnotator: boolean;
  /** False where only predictions were given: then nothing can be right or wrong. */
  readonly hasGold: boolean;
}
