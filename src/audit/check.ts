import type { Verdict } from '../judge/verdict.ts';
import type { Counts } from '../measure/results.ts';
import type { Measure } from '../measure/measure.ts';
import type { UnitSums } from '../measure/unit-sums.ts';
import type { AuditCheckName } from '../recipe/audit-section.ts';
import type { Ceiling } from '../figures/run-figures.ts';
import type { RulesFile } from '../compare/gate/read-rules.ts';
import type { Run } from '../score/run.ts';
import type { Finding } from './finding.ts';

/** One case as every check sees it, the same while scoring and when a run folder is read again. */
export interface AuditCase {
  readonly id: string;
  /** null where the files give none or are not at hand. */
  readonly text: string | null;
  /** Why it is not scored; what there is of it is excused then. */
  readonly failed: string | null;
  /** Why it failed, where it counts as an empty answer. */
  readonly failedAsEmpty?: string | undefined;
  readonly answered: boolean;
  /**
   * Under the recipe's own pairing. Places of items are UTF-16 offsets into `text`; where there is no text they are in
   * the unit of the files. What the ledger does not hold is in neither: the item of `rejected` has no place.
   */
  readonly verdicts: readonly Verdict[];
  readonly slices: Readonly<Record<string, string>> | null;
  /** What it shares with the cases it is not independent of. */
  readonly cluster: string | null;
  readonly counts: Counts;
  /** The values of the measures that a case has; null: undefined for it. */
  readonly measures: Readonly<Record<string, number | null>>;
}

/** What is known before the first case. */
export interface CheckContext {
  readonly task: string;
  /** The recipe as the manifest holds it: read it with recipe-parts.ts. */
  readonly recipe: Readonly<Record<string, unknown>>;
  readonly measures: readonly Measure[];
}

/** A case that the system may have been trained on. */
export interface TrainCase {
  readonly id: string;
  readonly text: string | null;
  readonly file: string;
}

/** What is known once all cases have been seen. */
export interface AuditMaterial {
  readonly run: Run;
  /** The measure that comes first, unit by unit; null where the run has none. */
  readonly primary: { readonly measure: Measure; readonly sums: UnitSums } | null;
  /** Can be gone through more than once. Given to checks that need `train`. */
  readonly train: AsyncIterable<TrainCase> | null;
  readonly gate: RulesFile | null;
  /** Runs that this one, the baseline, is compared with. */
  readonly others: readonly Run[];
  /** The system among the people who made the gold, as figures.json has it; without it nobody has worked it out. */
  readonly ceiling?: readonly Ceiling[] | null;
}

/** Something found, before it is known whether the recipe accepts it. */
export interface NewFinding extends Omit<Finding, 'name' | 'accepted'> {
  /**
   * The same finding about some of its subjects only, for an acceptance that is only for those. It may be milder and is
   * never silent. Without it the finding is accepted for all of its subjects or not at all.
   */
  only?(subjects: ReadonlySet<string>): NewFinding;
}

/** What a check cannot do without; it does not run where that is lacking, and the audit says so. */
export type Need = 'texts' | 'train' | 'gate' | 'others';

/** One way in which an evaluation misleads. Memory stays bounded: counts, hashes and a few examples, never the cases. */
export interface Check {
  readonly name: AuditCheckName;
  /** What it looks for, in one sentence. */
  readonly about: string;
  readonly needs?: readonly Need[];
  open(context: CheckContext): OpenCheck;
}

export interface OpenCheck {
  /** Called once per case, in the order of the files. */
  add?(given: AuditCase): void;
  /** Asked once, after the last case, unless something that the check needs was lacking. */
  finish(material: AuditMaterial): Found | Promise<Found>;
}

/** Findings, or why the check could not look after all. */
export type Found = readonly NewFinding[] | { readonly skipped: string };
