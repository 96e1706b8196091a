import type { LiveRun } from '../../../src/server/runs/live-data.ts';

export const FEWEST = 2;
export const MOST = 6;

/** What a selection of runs comes to. */
export interface Selection {
  /** Those that are there and can be opened, the baseline first. */
  readonly runs: readonly LiveRun[];
  /** Of `runs`: those that were not scored as the baseline was. */
  readonly unlike: readonly LiveRun[];
}

export function selectionOf(runs: readonly LiveRun[], selected: readonly string[]): Selection {
  const byPath = new Map(runs.map((run) => [run.path, run]));
  const there = selected.flatMap((path) => {
    const run = byPath.get(path);
    return run === undefined || run.about === null ? [] : [run];
  });
  const [baseline] = there;
  return { runs: there, unlike: there.filter((run) => baseline !== undefined && !isAlike(baseline, run)) };
}

/** Whether two runs were scored in the same way, over the same cases. */
export function isAlike(a: LiveRun, b: LiveRun): boolean {
  return a.about !== null && b.about !== null && a.about.comparable === b.about.comparable;
}
