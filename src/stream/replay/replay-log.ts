import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { Batches } from '../../experiment.ts';
import { deterministicGzip, InputError, sortedJson, writeAside } from '../../plugin.ts';
import { isFailedDecision, isUnansweredSummary } from '../failed-call.ts';
import { readRunLog } from '../read-run-log.ts';
import type { RunLog, RunMeta } from '../run-log-records.ts';
import type { Trace } from '../trace-records.ts';
import type { StreamModel } from './model.ts';
import type { ReadVariant } from './read-variant.ts';
import { replayCase } from './replay-case.ts';
import { type AnswersOf, isSameRun, type ReplaySetting, runMetaOf } from './run-meta.ts';
import type { TimestampCounts } from './trace-clock.ts';

/** What decides a log, beside its trace and variant. */
export interface ReplayLogOptions {
  readonly model: StreamModel;
  readonly setting: ReplaySetting;
  readonly out: string;
  /** `file`: a case is called by its file, as the published logs do. */
  readonly caseName?: 'meta' | 'file';
  /** The recorded answers to a case, if there are any: other answers make another run. */
  readonly answersOf?: AnswersOf;
  /** Also replays finished cases in which a call failed. */
  readonly retryFailed?: boolean;
  /** Whose batches the calls of a case go into: then all variants of a case are replayed at once. */
  readonly batches?: Pick<Batches, 'within'> | null;
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
  { setting, out, answersOf, caseName }: ReplayLogOptions,
): Promise<ExistingLog> {
  const file = join(out, variant.id, `${trace.meta.case_id}.run.jsonl.gz`);
  const caseId = caseName === 'file' ? basename(traceFile).replace(/\.jsonl(?:\.gz|\.zst)?$/, '') : trace.meta.case_id;
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
  options: ReplayLogOptions,
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
  const work = async (): Promise<RunLog> => {
    const { timestamps, ...records } = await replayCase(trace, variant, options.model, caseId);
    return write({ meta: meta(timestamps), ...records });
  };
  const log = await (options.batches?.within(`${variant.id} ${trace.meta.case_id}`, work) ?? work());
  return { log, kept: false };
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

/** A run log as its file holds it: one record a line, sorted keys; the run, then flushes, decisions and summaries. */
function runLogText({ meta, flushes, decisions, summaries }: RunLog): string {
  return [meta, ...flushes, ...decisions, ...summaries].map((record) => `${sortedJson(record)}\n`).join('');
}
