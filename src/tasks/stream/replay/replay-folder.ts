import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';

import { lockFolder } from '../../../data/folder-lock.ts';
import { InputError, UsageError } from '../../../data/problems.ts';
import { sortedJson } from '../../../data/sorted-json.ts';
import { removePartials, writeAside } from '../../../data/write-file.ts';
import { sideBySide } from '../../../experiment/limits/side-by-side.ts';
import { deterministicGzip } from '../deterministic-gzip.ts';
import { isFailedDecision, isUnansweredSummary } from '../failed-call.ts';
import { readRunLog } from '../read-run-log.ts';
import { readTrace } from '../read-trace.ts';
import type { RunLog, RunMeta } from '../run-log-records.ts';
import type { Trace } from '../trace-records.ts';
import type { StreamModel } from './model.ts';
import type { ReadVariant } from './read-variant.ts';
import { replayCase } from './replay-case.ts';
import { runLogText } from './run-log-text.ts';
import { type AnswersOf, isSameRun, type ReplaySetting, runMetaOf } from './run-meta.ts';

export interface ReplayOptions {
  readonly traces: readonly string[];
  readonly variants: readonly ReadVariant[];
  readonly model: StreamModel;
  readonly setting: ReplaySetting;
  readonly out: string;
  /** `file`: a case is called by its file, as the published logs do. */
  readonly caseName?: 'meta' | 'file';
  /** The recorded answers to a case, where there are such: other answers make another run. */
  readonly answersOf?: AnswersOf;
  /** Also replays traces that say of themselves that they are no real conversation. */
  readonly allowStubs?: boolean;
  /** Writes over logs of other runs, which are refused otherwise. */
  readonly force?: boolean;
  /** Also replays finished cases in which a call failed. */
  readonly retryFailed?: boolean;
  /** How many cases are worked on at a time; more than one only helps where a model is waited for. */
  readonly concurrency?: number;
  /** Told of each case that is done, or was done before. */
  readonly done?: (progress: ReplayProgress) => void;
}

export interface ReplayProgress {
  readonly caseId: string;
  readonly variant: string;
  readonly kept: boolean;
  readonly log: RunLog;
  readonly finished: number;
  readonly total: number;
}

/** What one variant came to over all cases. */
export interface ReplayTotals {
  readonly variant: string;
  readonly cases: number;
  /** Cases whose log was there already. */
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

/**
 * Replays traces through variants into `out/<variant>/<case>.run.jsonl.gz`. A log appears whole or not at all, so the
 * same call after a kill keeps what is finished, does the rest, and ends with the same bytes.
 */
export async function replayFolder(options: ReplayOptions): Promise<ReplayTotals[]> {
  const { variants, out } = options;
  const totals = new Map(variants.map(({ id }) => [id, emptyTotals(id)]));
  await lookAtAll(options);
  const unlock = lockFolder(out, '--out');
  try {
    for (const { id } of variants) removePartials(join(out, id));
    await replayAll(options, (progress) => {
      count(totals.get(progress.variant)!, progress.log, progress.kept);
    });
  } finally {
    unlock();
  }
  return [...totals.values()];
}

/** Every trace, and every log that is there, is looked at before the first call is paid for. */
async function lookAtAll(options: ReplayOptions): Promise<void> {
  const seen = new Map<string, string>();
  for (const file of options.traces) {
    const trace = await readTrace(file);
    refuseTwice(seen, trace, file);
    if (trace.meta.stub_mode === true && options.allowStubs !== true)
      throw new UsageError(
        `${file}: stub_mode is true, so this is no real conversation`,
        'leave it out, or replay it all the same with --allow-stubs',
      );
    for (const variant of options.variants) {
      const { file: log, earlier, same } = await there(trace, caseNameOf(trace, file, options), variant, options);
      if (earlier !== null && !same && options.force !== true)
        throw new UsageError(
          `${log} is the log of another run (another model, other settings or another trace)`,
          'name another --out, or write over it with --force',
        );
    }
  }
}

function caseNameOf(trace: Trace, file: string, { caseName }: ReplayOptions): string {
  return caseName === 'file' ? basename(file).replace(/\.jsonl(?:\.gz)?$/, '') : trace.meta.case_id;
}

async function replayAll(options: ReplayOptions, told: (progress: ReplayProgress) => void): Promise<void> {
  const { traces, variants } = options;
  const total = traces.length * variants.length;
  let finished = 0;
  await sideBySide(traces, options.concurrency ?? 1, async (file) => {
    const trace = await readTrace(file);
    const caseId = caseNameOf(trace, file, options);
    for (const variant of variants) {
      const { log, kept } = await oneLog(trace, caseId, variant, options);
      finished += 1;
      const progress = { caseId, variant: variant.id, kept, log, finished, total };
      told(progress);
      options.done?.(progress);
    }
  });
}

interface LogThere {
  readonly file: string;
  readonly meta: (fromTrace: number, fromFallback: number) => RunMeta;
  readonly earlier: RunLog | null;
  /** Whether it is the log of this very run. */
  readonly same: boolean;
}

/** Where a log goes, how it begins, and what is there already. */
async function there(
  trace: Trace,
  caseId: string,
  variant: ReadVariant,
  { setting, out, answersOf }: ReplayOptions,
): Promise<LogThere> {
  const file = join(out, variant.id, `${trace.meta.case_id}.run.jsonl.gz`);
  const answers = (await answersOf?.(trace.meta.case_id, variant.id)) ?? null;
  const meta = (fromTrace: number, fromFallback: number): RunMeta =>
    runMetaOf(trace, caseId, variant, setting, answers, { fromTrace, fromFallback });
  const earlier = await earlierLog(file);
  return { file, meta, earlier, same: earlier !== null && isSameRun(earlier.meta, meta(0, 0)) };
}

async function oneLog(
  trace: Trace,
  caseId: string,
  variant: ReadVariant,
  options: ReplayOptions,
): Promise<{ log: RunLog; kept: boolean }> {
  const { file, meta, earlier, same } = await there(trace, caseId, variant, options);
  const write = (log: RunLog): RunLog => {
    const next = 'finished cases are kept: mend that and give the same command again';
    writeAside(file, deterministicGzip(runLogText(log)), { next });
    return log;
  };
  if (earlier !== null && same && !(options.retryFailed === true && hasFailedCall(earlier))) {
    const counts = earlier.meta.timestamp_derivation;
    const now = meta(counts?.derived_from_t_emitted ?? 0, counts?.derived_from_fallback ?? 0);
    // No answer is asked for again because another extractor is to measure it.
    const isCurrent = sortedJson(earlier.meta) === sortedJson(now);
    return { log: isCurrent ? earlier : write({ ...earlier, meta: now }), kept: true };
  }
  const { timestamps, createdAt: _, ...rest } = await replayCase(trace, variant, options.model, caseId);
  return { log: write({ meta: meta(timestamps.fromTrace, timestamps.fromFallback), ...rest }), kept: false };
}

function hasFailedCall({ decisions, summaries }: RunLog): boolean {
  return decisions.some(isFailedDecision) || summaries.some(isUnansweredSummary);
}

/** The log that is there; null where there is none, or one that cannot be read and is made again. */
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
