import type { Side } from '../data/item.ts';
import type WORDS from './words.json';

/** How bad a finding is: an error makes a number mean something else, a warning may, a note is worth knowing. */
export const SEVERITIES = ['error', 'warning', 'note'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** One piece of evidence. Holds text from data: escape it. */
export interface FindingItem {
  readonly case: string | null;
  readonly side: Side | null;
  readonly label: string | null;
  readonly text: string;
  /** What is the matter with it, where the finding's own title does not say. */
  readonly note: string | null;
}

/** Something that makes an evaluation misleading, with its evidence. */
export interface Finding {
  /** The check that found it; what a recipe accepts it by. */
  readonly name: string;
  readonly severity: Severity;
  /** What was found, in one sentence with its numbers. */
  readonly title: string;
  /** Why that misleads. */
  readonly why: string;
  /** What to do about it. */
  readonly todo: string;
  /** What it is about: labels, measures, rules, files. An acceptance may be for some of them only. */
  readonly subjects: readonly string[];
  /** The cases behind it: how many, and the first of them. */
  readonly cases: { readonly total: number; readonly shown: readonly string[] };
  readonly items: { readonly total: number; readonly shown: readonly FindingItem[] };
  /** Why the recipe lets it stand; null where it does not. */
  readonly accepted: string | null;
}

/** The cases and items behind a finding. */
export type Behind = Partial<Pick<Finding, 'cases' | 'items'>>;

/** Why a finding misleads and what to do: in full, or as words.json has it, perhaps with something else in its place. */
type Advice =
  | { readonly words?: undefined; readonly why: string; readonly todo: string }
  | { readonly words: FindingWords; readonly why?: string | ((standard: string) => string); readonly todo?: string };
export type FindingWords = keyof typeof WORDS;

/** Something found, before it is known whether the recipe accepts it. */
export type NewFinding = Advice & {
  readonly severity: Severity;
  readonly title: string;
  /** Without them, none. */
  readonly subjects?: readonly string[];
  readonly evidence?: Behind;
  /**
   * The same finding about some of its subjects only, for an acceptance that is only for those. It may be milder and is
   * never silent. Without it the finding is accepted for all of its subjects or not at all.
   */
  only?(subjects: ReadonlySet<string>): NewFinding;
};

/** An acceptance that lets nothing stand: what it is for was fixed, or its name or subjects have a typo. */
export interface UnusedAcceptance {
  readonly name: string;
  /** Those that no finding is about; empty where the check found nothing at all. */
  readonly subjects: readonly string[];
  readonly because: string;
}

/** Whether a check could look at all: silence means something only where it did. */
export interface CheckRecord {
  readonly name: string;
  readonly about: string;
  /** Why it did not run; null where it did. */
  readonly skipped: string | null;
}

/** audit.json of a run folder. Findings that are not accepted come first, the worst of them first. */
export interface Audit {
  readonly format: 1;
  readonly signature: string;
  readonly checks: readonly CheckRecord[];
  readonly findings: readonly Finding[];
  /** Only where there are any. */
  readonly unused?: readonly UnusedAcceptance[] | undefined;
}
