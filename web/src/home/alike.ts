import { type LiveRun, seriesOf } from '../../../src/server/runs/live-data.ts';

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

/** Runs that can be read of a recipe over the same cases, where there are several; the series with the newest run first. */
export function seriesGroups(runs: readonly LiveRun[]): readonly (readonly [LiveRun, ...LiveRun[]])[] {
  const groups = Map.groupBy(
    runs.filter(({ about }) => about !== null),
    ({ about }) => (about === null ? '' : seriesOf(about)),
  );
  return [...groups.values()]
    .map((group) => group.toSorted((a, b) => b.date - a.date))
    .flatMap(([newest, ...others]) =>
      newest === undefined || others.length === 0 ? [] : [[newest, ...others] as const],
    )
    .sort(([a], [b]) => b.date - a.date);
}

/** Whether two runs were scored in the same way, over the same cases. */
export function isAlike(a: LiveRun, b: LiveRun): boolean {
  return a.about !== null && b.about !== null && a.about.comparable === b.about.comparable;
}
