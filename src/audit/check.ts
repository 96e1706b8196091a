import type { RulesFile } from '../compare/gate/rules.ts';
import type { FoldState } from '../data/fold-state.ts';
import type { Item, ItemKind, Side } from '../data/item.ts';
import type { Ceiling } from '../figures/run-figures.ts';
import type { Verdict, VerdictKind } from '../judge/verdict.ts';
import type { Measure } from '../measure/measure.ts';
import type { Run } from '../score/run.ts';
import type { NewFinding } from './finding.ts';
import type { AuditCase, AuditSpans } from './audit-case.ts';
import type { TextIndex } from './text-index.ts';
import type { PrimarySums, Totals } from './totals.ts';

export type { Behind, NewFinding } from './finding.ts';

/** What a check is a function of: the recipe, and what the one pass over all cases adds up. */
export interface CheckContext {
  readonly task: string;
  /** The recipe as the manifest holds it: read it with recipe-parts.ts. */
  readonly recipe: Readonly<Record<string, unknown>>;
  readonly measures: readonly Measure[];
  readonly totals: Totals;
  readonly index: TextIndex;
}

/** For a check that looks at cases as they pass. */
export interface OpenContext extends CheckContext {
  /**
   * Takes everything that the check remembers from one case to the next, as it is made, and gives it back: so that what was
   * gathered over parts of the cases can be merged. Numbers, flags and firsts are fields of an object that is kept.
   */
  readonly keep: FoldState['keep'];
  /** Whether the cases are a part that is merged into others: what is kept up to a limit is then kept whole. */
  readonly isPart: boolean;
}

/** A case that the system may have been trained on. */
export type TrainCase = Readonly<{ id: string; text: string | null; file: string }>;

/** What is known once all cases have been seen. */
export interface AuditMaterial extends CheckContext {
  readonly run: Run;
  /** The measure that comes first, unit by unit; null where the run has none. */
  readonly primary: PrimarySums | null;
  /** Can be gone through more than once. Given to checks that need `train`. */
  readonly train: AsyncIterable<TrainCase> | null;
  readonly gate: RulesFile | null;
  /** Runs that this one, the baseline, is compared with. */
  readonly others: readonly Run[];
  /** The system among the people who made the gold, as figures.json has it; without it nobody has worked it out. */
  readonly ceiling?: readonly Ceiling[] | null;
}

/** What a check cannot do without; it does not run where that is missing, and the audit reports so. */
export type Need = 'texts' | 'train' | 'gate' | 'others';

/** One way in which an evaluation misleads. Memory stays bounded: counts, hashes and a few examples, never the cases. */
export interface AuditCheck {
  readonly name: string;
  /** What it looks for, in one sentence. */
  readonly about: string;
  /** When it is an error, a warning or a note: for the reference. */
  readonly severity?: string;
  readonly needs?: readonly Need[];
  /** Without it, every run; a run that it does not apply to does not list it. */
  appliesTo?(context: Pick<CheckContext, 'task' | 'recipe'>): boolean;
  /** Cases that failed are not shown to it. */
  readonly scoredOnly?: boolean;
  /** For a check that looks at more of the cases than the totals and the index hold; it may have several parts. */
  open?(context: OpenContext): OpenCheck | readonly OpenCheck[];
  /** For all others. */
  find?(material: AuditMaterial): CheckResult | Promise<CheckResult>;
}

/** What a check wants to see of the one pass, for evidence and for what only it counts, and what it finds after that. */
export interface OpenCheck {
  /** Each case, in the order of the files; the totals and the index have it already. */
  readonly case?: (given: AuditCase) => void;
  /** Then each of its verdicts. */
  readonly verdict?: (verdict: Verdict, given: AuditCase) => void;
  /** Only those of these kinds, or of these outcomes, where it wants no others. */
  readonly kinds?: readonly ItemKind[];
  readonly outcomes?: readonly VerdictKind[];
  /** And each item once, with the first verdict that has it; stretches of a text are no items. */
  readonly item?: (item: Item, side: Side, verdict: Verdict, given: AuditCase) => void;
  /**
   * In place of all these for a case of plain spans; null where it looks at nothing of such a case. Without it, items and verdicts
   * are made for it.
   */
  readonly spans?: ((given: AuditSpans) => void) | null;
  /** What of the cases it did not look at, in words, where it could not look at all; it goes into the record of the check. */
  readonly leftOut?: () => string | null;
  /** Asked once, unless something that the check needs was lacking. */
  find(material: AuditMaterial): CheckResult | Promise<CheckResult>;
}

/** What was found, or why the check could not look after all. */
export type CheckResult = NewFinding | null | readonly (NewFinding | null)[] | { readonly skipped: string };
