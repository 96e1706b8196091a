import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { UsageError } from '../../data/problems.ts';
import type { ReadFile } from '../../data/read-rows.ts';
import type { CaseResult } from '../../measure/tally.ts';
import type { Plan } from '../../recipe/plan.ts';
import { type ConsultReviews, NO_REVIEWS } from '../../formats/consult/consult-reviews.ts';
import { compareRuns } from '../../compare/compare-runs.ts';
import type { Comparison } from '../../compare/comparison.ts';
import type { Run } from '../../score/run.ts';
import { type FolderOptions, scoreToFolder } from '../../score/score-to-folder.ts';
import { scoreToRun } from '../../score/score-to-folder.ts';
import { LanguagePairs, parityMeasures, type ParityRow } from '../../formats/consult/bilingual.ts';
import { type ConsultFiles, consultReader } from '../../formats/consult/consult-reader.ts';
import { withSliceColumns } from '../../formats/consult/slice-columns.ts';

export interface ScoreConsultOptions {
  readonly reviews?: ConsultReviews;
  /** Where they come from, for the manifest. */
  readonly reviewFiles?: readonly ReadFile[];
  /** Where the run is written; with several systems a folder in it for each. Null: nothing is written. */
  readonly out: string | null;
  readonly set?: readonly string[];
  /** What each run folder gets beside its ledger: reports. */
  readonly watch?: FolderOptions['watch'];
  readonly onOpen?: NonNullable<FolderOptions['onOpen']>;
  readonly progress?: (system: string, share: number) => void;
}

/** One system's consultations, scored. */
export interface ScoredSystem {
  readonly system: string;
  readonly run: Run;
  readonly cases: readonly CaseResult[];
  readonly parity: readonly ParityRow[];
}

export interface ScoredConsult {
  readonly systems: readonly ScoredSystem[];
  /** Null with one system, and where nothing was written that could be compared. */
  readonly comparison: Comparison | null;
  /** Columns of the cases that do not slice, having a value of their own for nearly every case. */
  readonly leftColumns: readonly string[];
}

/** Runs inside the folder of a run would leave the old one standing beside them as if it were theirs. */
function refuseRun(out: string): void {
  if (!existsSync(join(out, 'manifest.json'))) return;
  throw new UsageError(
    `${out} holds the run of one system, and several systems get a folder each inside`,
    'name another folder with --out, or remove this one',
  );
}

function sameCases(systems: readonly ScoredSystem[]): boolean {
  const [first, ...others] = systems.map(({ cases }) =>
    cases
      .map(({ case: id }) => id)
      .sort()
      .join('\n'),
  );
  return others.every((ids) => ids === first);
}

/** Scores every system's answers into a run of its own, and compares the runs with the first. */
export async function scoreConsult(
  given: Plan,
  files: readonly ConsultFiles[],
  options: ScoreConsultOptions,
): Promise<ScoredConsult> {
  if (files.length === 0) throw new UsageError('there are no answers to score', 'give --predictions FILE');
  if (options.out !== null && files.length > 1) refuseRun(options.out);
  const { plan, left } = withSliceColumns(given, files);
  const systems: ScoredSystem[] = [];
  for (const own of files) {
    const pairs = new LanguagePairs(plan);
    const cases: CaseResult[] = [];
    const reader = consultReader(own, plan, options.reviews ?? NO_REVIEWS, options.reviewFiles ?? []);
    let parity: readonly ParityRow[] = [];
    const shared = {
      set: options.set ?? [],
      sink: {
        intervals: (share: number) => options.progress?.(own.system, share),
        scored({ variants }) {
          for (const { case: scored, verdicts, result } of variants) {
            pairs.add(scored, verdicts);
            cases.push(result);
          }
        },
      },
      alsoMeasured: async () => parityMeasures((parity = await pairs.rows())),
    } satisfies Partial<FolderOptions>;
    const run =
      options.out === null
        ? await scoreToRun(plan, reader, shared)
        : await scoreToFolder(plan, reader, {
            ...shared,
            out: files.length === 1 ? options.out : join(options.out, own.system),
            ...(options.watch === undefined ? {} : { watch: options.watch }),
            ...(options.onOpen === undefined ? {} : { onOpen: options.onOpen }),
          });
    systems.push({ system: own.system, run, cases, parity });
  }
  const folders = systems.map(({ run }) => run.folder);
  // Systems that answered in different languages share some cases, and are compared over these.
  const comparison =
    options.out === null || systems.length < 2
      ? null
      : await compareRuns(folders, sameCases(systems) ? {} : { force: 'cases' });
  return { systems, comparison, leftColumns: left };
}
