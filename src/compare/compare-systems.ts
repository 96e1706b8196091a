import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { UsageError } from '../data/problems.ts';
import type { CaseReviews, OpenedSystems, ParityRow } from '../formats/case-format.ts';
import type { CaseResult } from '../measure/tally.ts';
import type { Run } from '../score/run.ts';
import { joinSinks } from '../score/score.ts';
import { type FolderOptions, scoreToFolder, scoreToRun } from '../score/score-to-folder.ts';
import { errorPrint } from './case-change.ts';
import { compareTallied, type TalliedRun } from './compare-runs.ts';
import { makeSet } from './paired-sets.ts';
import { signatureNotices } from './signature-differences.ts';

export interface CompareSystemsOptions extends Pick<
  FolderOptions,
  'set' | 'ledger' | 'watch' | 'files' | 'caseRecords' | 'madeBy' | 'onOpen' | 'name' | 'note' | 'tags'
> {
  /** Where the run is written; with several systems a folder in it for each. Null: nothing is kept. */
  readonly out: string | null;
  readonly progress?: (system: string, share: number) => void;
  /** Whether the values of every case are kept in memory. */
  readonly keepCases?: boolean;
}

/** One system's cases, scored. */
export interface SystemRun {
  readonly system: string;
  readonly run: Run;
  readonly parity: readonly ParityRow[];
  /** The values of every case, if they are kept. */
  readonly cases?: readonly CaseResult[];
}

/** Scores the output of every system into its own run, and compares the runs with the first; null with one system. */
export async function compareSystems(
  { plan, systems }: Pick<OpenedSystems, 'plan' | 'systems'>,
  reviews: CaseReviews | null,
  { out, progress, keepCases = false, ...options }: CompareSystemsOptions,
) {
  if (systems.length === 0) throw new UsageError('there are no answers to score', 'give --predictions FILE');
  const isOnly = systems.length === 1;
  // Runs inside the folder of a run would leave the old one standing beside them as if it were theirs.
  if (out !== null && !isOnly && existsSync(join(out, 'manifest.json')))
    throw new UsageError(
      `${out} holds the run of one system, and several systems get a folder each inside`,
      'name another folder with --out, or remove this one',
    );
  const runs: SystemRun[] = [];
  const tallied: TalliedRun[] = [];
  for (const opened of systems) {
    const { system } = opened;
    const figures = opened.figures?.(plan);
    const cases: CaseResult[] = [];
    let parity: readonly ParityRow[] = [];
    const errors = new Map<string, number>();
    const set = makeSet(plan.measures, plan.interval?.cluster ?? null);
    const shared = {
      ...options,
      ...(options.name === undefined || isOnly ? {} : { name: `${options.name} (${system})` }),
      sink: joinSinks([
        {
          intervals: (share) => progress?.(system, share),
          scored({ variants }) {
            for (const variant of variants) {
              figures?.add(variant.case, variant.verdicts);
              if (isOnly) continue;
              set.add(variant);
              errors.set(variant.case.id, errorPrint(variant.verdicts));
            }
          },
        },
        keepCases ? { scored: ({ variants }) => void cases.push(...variants.map(({ result }) => result)) } : {},
      ]),
      async alsoMeasured() {
        const found = await figures?.finish();
        parity = found?.parity ?? [];
        return found?.measures ?? [];
      },
    };
    const reader = opened.read(plan, reviews);
    const folder = out === null || isOnly ? out : join(out, system);
    const run =
      folder === null
        ? await scoreToRun(plan, reader, shared)
        : await scoreToFolder(plan, reader, { ...shared, out: folder });
    runs.push({ system, run, parity, ...(keepCases ? { cases } : {}) });
    // Here each is called by its system: the name that they share does not show which is which.
    const { about: _, ...unnamed } = run;
    tallied.push({ run: { ...unnamed, folder: folder ?? system }, ...set, errors });
  }
  if (isOnly) return { systems: runs, comparison: null };
  // Systems that answered in different languages share some cases, and are compared over these.
  const notices = signatureNotices(
    tallied.map(({ run }) => run),
    'cases',
  );
  const comparison = await compareTallied(tallied, plan.measures, notices);
  const compared = comparison.systems.map((one, at) => ({ ...one, folder: runs[at]!.run.folder }));
  return { systems: runs, comparison: { ...comparison, systems: compared } };
}
