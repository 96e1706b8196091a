import { join } from 'node:path';

import { sideBySide } from '../../experiment.ts';
import { lockFolder, removePartials, UsageError } from '../../plugin.ts';
import { isFailedDecision, isUnansweredSummary } from '../failed-call.ts';
import { readTrace } from '../read-trace.ts';
import type { RunLog } from '../run-log-records.ts';
import type { Trace } from '../trace-records.ts';
import type { ReadVariant } from './read-variant.ts';
import { openReplayWorkers, type ReplayQueue } from './replay-jobs.ts';
import { existingLog, replayLog, type ReplayLogOptions } from './replay-log.ts';

export interface ReplayOptions extends ReplayLogOptions {
  readonly traces: readonly string[];
  readonly variants: readonly ReadVariant[];
  /** Also replays traces that are marked as not a real conversation. */
  readonly allowStubs?: boolean;
  /** Writes over logs of other runs, which are refused otherwise. */
  readonly force?: boolean;
  /** How many cases are worked on at a time; more than one helps only if a model has to be waited for. */
  readonly concurrency?: number;
  /** Called for each case that is done, or was done before. */
  readonly done?: (progress: ReplayProgress) => void;
  /** Workers of this queue replay, instead of this process. */
  readonly queue?: ReplayQueue | null;
}

export interface ReplayProgress {
  readonly caseId: string;
  readonly variant: string;
  readonly kept: boolean;
  readonly log: RunLog;
  readonly finished: number;
  readonly total: number;
}

export interface ReplayTotals {
  readonly variant: string;
  readonly cases: number;
  readonly kept: number;
  readonly flushes: number;
  readonly decisions: number;
  readonly failedDecisions: number;
  readonly summaries: number;
  readonly failedSummaries: number;
  /** Decisions and summaries that got no answer at all. */
  readonly failedCalls: number;
  readonly fallbackTimestamps: number;
}

/** Cases that wait for workers. */
const MOST_QUEUED = 1000;

/**
 * Replays traces through variants into `out/<variant>/<case>.run.jsonl.gz`. A log appears whole or not at all, so the
 * same call after a kill keeps what is finished, does the rest, and ends with the same bytes.
 */
export async function replayFolder(options: ReplayOptions): Promise<ReplayTotals[]> {
  const { traces, variants, out, concurrency = 1, done } = options;
  const totals = new Map(variants.map(({ id }) => [id, emptyTotals(id)]));
  await lookAtAll(options);
  await using held = new AsyncDisposableStack();
  const unlock = lockFolder(out, '--out');
  held.defer(() => unlock());
  for (const { id } of variants) removePartials(join(out, id));
  const total = traces.length * variants.length;
  let finished = 0;
  const workers = options.queue == null ? null : await openReplayWorkers(options, options.queue);
  held.defer(async () => workers?.close());
  const cases = traces.flatMap((file, number) =>
    variants.map((variant, at) => ({ file, variant, task: [number, at] as const })),
  );
  // By this process, a trace goes through its variants one after the other.
  const groups = workers === null ? Map.groupBy(cases, ({ file }) => file).values() : cases.map((one) => [one]);
  await sideBySide(groups, workers === null ? concurrency : MOST_QUEUED, async (group) => {
    const trace = await readTrace(group[0]!.file);
    for (const { file, variant, task } of group) {
      const elsewhere = workers === null ? null : () => workers.replay(task);
      const { log, kept } = await replayLog(trace, file, variant, options, Infinity, elsewhere);
      count(totals.get(variant.id)!, log, kept);
      finished += 1;
      done?.({ caseId: log.meta.case_id, variant: variant.id, kept, log, finished, total });
    }
  });
  return [...totals.values()];
}

/** Every trace and every existing log is read before the first call is paid for. */
async function lookAtAll(options: ReplayOptions): Promise<void> {
  const seen = new Map<string, string>();
  for (const file of options.traces) {
    const trace = await readTrace(file);
    refuseTwice(seen, trace, file);
    if (trace.meta.stub_mode === true && options.allowStubs !== true)
      throw new UsageError(
        `${file}: stub_mode is true, so this is not a real conversation`,
        'leave it out, or replay it anyway with --allow-stubs',
      );
    for (const variant of options.variants) {
      const { file: log, earlier, same } = await existingLog(trace, file, variant, options);
      if (earlier !== null && !same && options.force !== true)
        throw new UsageError(
          `${log} is the log of another run (another model, other settings or another trace)`,
          'name another --out, or write over it with --force',
        );
    }
  }
}

function refuseTwice(seen: Map<string, string>, { meta }: Trace, file: string): void {
  const other = seen.get(meta.case_id);
  if (other !== undefined)
    throw new UsageError(`${file} and ${other} are both the case ${meta.case_id}`, 'each case has one trace');
  seen.set(meta.case_id, file);
}

type MutableTotals = { -readonly [Key in keyof ReplayTotals]: ReplayTotals[Key] };

function emptyTotals(variant: string): MutableTotals {
  return {
    variant,
    cases: 0,
    kept: 0,
    flushes: 0,
    decisions: 0,
    failedDecisions: 0,
    summaries: 0,
    failedSummaries: 0,
    failedCalls: 0,
    fallbackTimestamps: 0,
  };
}

function count(totals: MutableTotals, { meta, flushes, decisions, summaries }: RunLog, kept: boolean): void {
  totals.cases += 1;
  totals.kept += kept ? 1 : 0;
  totals.flushes += flushes.length;
  totals.decisions += decisions.length;
  totals.failedDecisions += decisions.filter(isFailedDecision).length;
  totals.summaries += summaries.length;
  totals.failedSummaries += summaries.filter(({ schema_ok: ok }) => !ok).length;
  totals.failedCalls += decisions.filter(isFailedDecision).length + summaries.filter(isUnansweredSummary).length;
  totals.fallbackTimestamps += meta.timestamp_derivation?.derived_from_fallback ?? 0;
}
