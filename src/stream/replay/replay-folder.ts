import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import { sideBySide } from '../../experiment.ts';
import {
  deterministicGzip,
  InputError,
  lockFolder,
  removePartials,
  sortedJson,
  UsageError,
  writeAside,
} from '../../plugin.ts';
import { isFailedDecision, isUnansweredSummary } from '../failed-call.ts';
import { readRunLog } from '../read-run-log.ts';
import { readTrace } from '../read-trace.ts';
import type { RunLog, RunMeta } from '../run-log-records.ts';
import type { Trace } from '../trace-records.ts';
import type { StreamModel } from './model.ts';
import type { ReadVariant } from './read-variant.ts';
import { replayCase } from './replay-case.ts';
import { openReplayWorkers, type ReplayQueue } from './replay-jobs.ts';
import { type AnswersOf, isSameRun, type ReplaySetting, runMetaOf } from './run-meta.ts';
import type { TimestampCounts } from './trace-clock.ts';

export interface ReplayOptions {
  readonly traces: readonly string[];
  readonly variants: readonly ReadVariant[];
  readonly model: StreamModel;
  readonly setting: ReplaySetting;
  readonly out: string;
  /** `file`: a case is called by its file, as the published logs do. */
  readonly caseName?: 'meta' | 'file';
  /** The recorded answers to a case, if there are any: other answers make another run. */
  readonly answersOf?: AnswersOf;
  /** Also replays traces that are marked as not a real conversation. */
  readonly allowStubs?: boolean;
  /** Writes over logs of other runs, which are refused otherwise. */
  readonly force?: boolean;
  /** Also replays finished cases in which a call failed. */
  readonly retryFailed?: boolean;
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

interface ExistingLog {
  readonly file: string;
  readonly caseId: string;
  readonly meta: (timestamps: TimestampCounts) => RunMeta;
  readonly earlier: RunLog | null;
  readonly same: boolean;
}

/** The path of a log, how it begins, and which one is there already. */
export async function existingLog(
  trace: Trace,
  traceFile: string,
  variant: ReadVariant,
  { setting, out, answersOf, caseName }: ReplayOptions,
): Promise<ExistingLog> {
  const file = join(out, variant.id, `${trace.meta.case_id}.run.jsonl.gz`);
  const caseId = caseName === 'file' ? basename(traceFile).replace(/\.jsonl(?:\.gz)?$/, '') : trace.meta.case_id;
  const answers = (await answersOf?.(trace.meta.case_id, variant.id)) ?? null;
  const meta = (timestamps: TimestampCounts): RunMeta =>
    runMetaOf(trace, caseId, variant, setting, answers, timestamps);
  const earlier = await earlierLog(file);
  const same = earlier !== null && isSameRun(earlier.meta, meta({ fromTrace: 0, fromFallback: 0 }));
  return { file, caseId, meta, earlier, same };
}

/**
 * The log of a case: the one that is there, or a new one, made here or `elsewhere`. One that was written after `since` is
 * not made again for its failures: it was made again already.
 */
export async function replayLog(
  trace: Trace,
  traceFile: string,
  variant: ReadVariant,
  options: ReplayOptions,
  since: number,
  elsewhere: (() => Promise<RunLog>) | null = null,
): Promise<{ log: RunLog; kept: boolean }> {
  const { file, caseId, meta, earlier, same } = await existingLog(trace, traceFile, variant, options);
  const write = (log: RunLog): RunLog => {
    const next = 'finished cases are kept: fix that and run the same command again';
    writeAside(file, deterministicGzip(runLogText(log)), { next });
    return log;
  };
  const mayRetry = options.retryFailed === true && !(existsSync(file) && statSync(file).mtimeMs >= since);
  if (earlier !== null && same && !(mayRetry && hasFailedCall(earlier))) {
    const { derived_from_t_emitted: fromTrace = 0, derived_from_fallback: fromFallback = 0 } =
      earlier.meta.timestamp_derivation ?? {};
    const now = meta({ fromTrace, fromFallback });
    // No answer is asked for again because another extractor is to measure it.
    const isCurrent = sortedJson(earlier.meta) === sortedJson(now);
    return { log: isCurrent ? earlier : write({ ...earlier, meta: now }), kept: true };
  }
  if (elsewhere !== null) return { log: await elsewhere(), kept: false };
  const { timestamps, ...records } = await replayCase(trace, variant, options.model, caseId);
  return { log: write({ meta: meta(timestamps), ...records }), kept: false };
}

function hasFailedCall({ decisions, summaries }: RunLog): boolean {
  return decisions.some(isFailedDecision) || summaries.some(isUnansweredSummary);
}

/** The existing log; null if absent, or if it cannot be read and is made again. */
async function earlierLog(file: string): Promise<RunLog | null> {
  if (!existsSync(file)) return null;
  try {
    return await readRunLog(file);
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
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

/** A run log as its file holds it: one record a line, sorted keys; the run, then flushes, decisions and summaries. */
function runLogText({ meta, flushes, decisions, summaries }: RunLog): string {
  return [meta, ...flushes, ...decisions, ...summaries].map((record) => `${sortedJson(record)}\n`).join('');
}
