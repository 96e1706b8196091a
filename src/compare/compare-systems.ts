import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { UsageError } from '../data/problems.ts';
import type { CaseReviews, OpenedSystems, ParityRow } from '../formats/case-format.ts';
import type { Plan } from '../recipe/plan.ts';
import type { Run } from '../score/run.ts';
import { joinSinks, type ScoreSink } from '../score/score.ts';
import { type FolderOptions, scoreToFolder, scoreToRun } from '../score/score-to-folder.ts';
import { compareRuns } from './compare-runs.ts';
import type { Comparison } from './comparison.ts';

export interface CompareSystemsOptions extends Pick<
  FolderOptions,
  'set' | 'watch' | 'files' | 'caseRecords' | 'madeBy' | 'onOpen'
> {
  /** Where the run is written; with several systems a folder in it for each. Null: nothing is kept. */
  readonly out: string | null;
  readonly progress?: (system: string, share: number) => void;
  /** Also told of every verdict and case. */
  readonly sink?: (system: string) => ScoreSink;
}

/** One system's cases, scored. */
export interface SystemRun {
  readonly system: string;
  readonly run: Run;
  readonly parity: readonly ParityRow[];
}

export interface SystemRuns {
  readonly systems: readonly SystemRun[];
  /** With the first as the baseline; null with one system. */
  readonly comparison: Comparison | null;
}

/** Scores what every system said into a run of its own, and compares the runs with the first. */
export async function compareSystems(
  { plan, systems }: Pick<OpenedSystems, 'plan' | 'systems'>,
  reviews: CaseReviews | null,
  options: CompareSystemsOptions,
): Promise<SystemRuns> {
  if (systems.length === 0) throw new UsageError('there are no answers to score', 'give --predictions FILE');
  const { out } = options;
  if (systems.length === 1 || out !== null) {
    if (out !== null && systems.length > 1) refuseRun(out);
    const runs = await scoreEach(plan, systems, reviews, out, options);
    return { systems: runs, comparison: await compared(runs) };
  }
  // Runs are compared from their ledgers: these are gone afterwards.
  const folder = mkdtempSync(join(tmpdir(), 'assay-'));
  const clear = (): void => rmSync(folder, { recursive: true, force: true });
  options.onOpen?.({ abandon: clear });
  try {
    const { watch: _, files: __, caseRecords: ___, ...rest } = options;
    const runs = await scoreEach(plan, systems, reviews, folder, rest);
    return {
      systems: runs.map((one) => ({ ...one, run: { ...one.run, folder: '' } })),
      comparison: withoutFolders(await compared(runs), folder),
    };
  } finally {
    clear();
  }
}

async function scoreEach(
  plan: Plan,
  systems: OpenedSystems['systems'],
  reviews: CaseReviews | null,
  out: string | null,
  { progress, sink, ...options }: Omit<CompareSystemsOptions, 'out'>,
): Promise<SystemRun[]> {
  const runs: SystemRun[] = [];
  for (const opened of systems) {
    const { system } = opened;
    const figures = opened.figures?.(plan);
    let parity: readonly ParityRow[] = [];
    const shared = {
      ...options,
      sink: joinSinks([
        {
          intervals: (share) => progress?.(system, share),
          scored({ variants }) {
            for (const { case: given, verdicts } of variants) figures?.add(given, verdicts);
          },
        },
        ...(sink === undefined ? [] : [sink(system)]),
      ]),
      async alsoMeasured() {
        const found = await figures?.finish();
        parity = found?.parity ?? [];
        return found?.measures ?? [];
      },
    };
    const reader = opened.read(plan, reviews);
    const folder = out === null || systems.length === 1 ? out : join(out, system);
    const run =
      folder === null
        ? await scoreToRun(plan, reader, shared)
        : await scoreToFolder(plan, reader, { ...shared, out: folder });
    runs.push({ system, run, parity });
  }
  return runs;
}

/** Runs inside the folder of a run would leave the old one standing beside them as if it were theirs. */
function refuseRun(out: string): void {
  if (!existsSync(join(out, 'manifest.json'))) return;
  throw new UsageError(
    `${out} holds the run of one system, and several systems get a folder each inside`,
    'name another folder with --out, or remove this one',
  );
}

/** Systems that answered in different languages share some cases, and are compared over these. */
async function compared(runs: readonly SystemRun[]): Promise<Comparison | null> {
  if (runs.length < 2) return null;
  return compareRuns(
    runs.map(({ run }) => run.folder),
    { force: 'cases' },
  );
}

function withoutFolders(comparison: Comparison | null, folder: string): Comparison | null {
  if (comparison === null) return null;
  return {
    ...comparison,
    systems: comparison.systems.map((system) => ({ ...system, folder: '' })),
    notices: comparison.notices.map((notice) => notice.replaceAll(join(folder, '/'), '')),
  };
}
