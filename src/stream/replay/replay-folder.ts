import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { sideBySide } from '../../experiment.ts';
import type { Shard } from '../../pipeline.ts';
import { Cleanup, lockFolder, removePartials, UsageError } from '../../plugin.ts';
import { keepStoplists, type StopFiles } from '../concepts/stoplist-files.ts';
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
  /** Only every so many of the traces, so that several processes replay one folder; each log is whole by itself. */
  readonly shard?: Shard | undefined;
  /** Stoplists that the logs state; a copy is kept next to the logs. */
  readonly stopFiles?: StopFiles | null;
  /** Called for each case that is done, or was done before. */
  readonly done?: (progress: ReplayProgress) => void;
  readonly onNotice?: (text: string) => void;
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
  const { variants, out, concurrency = 1, shard, batches = null, done } = options;
  const traces = options.traces.filter((_, at) => shard === undefined || at % shard.of === shard.number - 1);
  const totals = new Map(variants.map(({ id }) => [id, emptyTotals(id)]));
  await lookAtAll({ ...options, traces });
  await using held = new Cleanup();
  // Other shards, perhaps of other machines, write beside this one: what of their files is half done is theirs.
  const locked = shard === undefined ? out : join(out, `.shard-${shard.number}-of-${shard.of}`);
  const lock = await lockFolder(locked, '--out', options.onNotice);
  held.defer(() => {
    lock.release();
    if (shard !== undefined) rmSync(locked, { recursive: true, force: true });
  });
  if (shard === undefined) for (const { id } of variants) removePartials(join(out, id));
  if (options.stopFiles != null) keepStoplists(options.stopFiles, out);
  const total = traces.length * variants.length;
  let finished = 0;
  const workers = options.queue == null ? null : await openReplayWorkers(options, options.queue);
  held.defer(async () => workers?.close());
  const cases = traces.flatMap((file, number) =>
    variants.map((variant, at) => ({ file, variant, task: [number, at] as const })),
  );
  // By this process, a trace goes through its variants one after the other, unless they wait for batches.
  const isApart = workers !== null || batches !== null;
  const groups = isApart ? cases.map((one) => [one]) : Map.groupBy(cases, ({ file }) => file).values();
  const atOnce = workers !== null ? MOST_QUEUED : batches === null ? concurrency : concurrency * variants.length;
  await sideBySide(groups, atOnce, async (group) => {
    const trace = await readTrace(group[0]!.file);
    for (const { file, variant, task } of group) {
      lock.check();
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
