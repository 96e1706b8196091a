import type { Comparison } from '../../compare/comparison.ts';
import { compareSystems, type CompareSystemsOptions, type SystemRun } from '../../compare/compare-systems.ts';
import type { ReadFile } from '../../data/read-rows.ts';
import type { ConsultFiles } from '../../formats/consult/consult-reader.ts';
import { type ConsultReviews, NO_REVIEWS } from '../../formats/consult/consult-reviews.ts';
import { openedConsultations } from '../../formats/consult/consultations.ts';
import type { CaseResult } from '../../measure/tally.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { ScoreSink } from '../../score/score.ts';

export interface ScoreConsultOptions extends Omit<CompareSystemsOptions, 'sink'> {
  readonly reviews?: ConsultReviews;
  /** Where they come from, for the manifest. */
  readonly reviewFiles?: readonly ReadFile[];
}

/** One system's consultations, scored. */
export interface ScoredSystem extends SystemRun {
  readonly cases: readonly CaseResult[];
}

export interface ScoredConsult {
  readonly systems: readonly ScoredSystem[];
  /** Null with one system. */
  readonly comparison: Comparison | null;
  /** Columns of the cases that do not slice, having a value of their own for nearly every case. */
  readonly leftColumns: readonly string[];
}

/** The values of every case, by system. */
export class SystemCases {
  readonly #cases = new Map<string, CaseResult[]>();

  readonly sink = (system: string): ScoreSink => {
    const own: CaseResult[] = [];
    this.#cases.set(system, own);
    return { scored: ({ variants }) => void own.push(...variants.map(({ result }) => result)) };
  };

  of(systems: readonly SystemRun[]): ScoredSystem[] {
    return systems.map((one) => ({ ...one, cases: this.#cases.get(one.system) ?? [] }));
  }
}

/** Scores every system's answers into a run of its own, and compares the runs with the first. */
export async function scoreConsult(
  given: Plan,
  files: readonly ConsultFiles[],
  { reviews = NO_REVIEWS, reviewFiles = [], ...options }: ScoreConsultOptions,
): Promise<ScoredConsult> {
  const opened = openedConsultations(files, given);
  const cases = new SystemCases();
  const { systems, comparison } = await compareSystems(
    opened,
    { settled: reviews, files: reviewFiles },
    { ...options, sink: cases.sink },
  );
  return {
    systems: cases.of(systems),
    comparison,
    leftColumns: opened.leftColumns,
  };
}
