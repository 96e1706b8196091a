import { Readable } from 'node:stream';

import type { FolderLock } from '../../data/folder-lock.ts';
import { AnswerCache, answerKey } from '../answer-cache.ts';
import { type BatchSlot, batchSlot } from '../batch/batch-slot.ts';
import { type AdaptiveLimit, adaptiveLimit } from '../limits/adaptive-limit.ts';
import type { Budget } from '../limits/budget.ts';
import { MOST_TRIES } from '../limits/call-with-limits.ts';
import { Pace } from '../limits/estimate.ts';
import type { JobTask } from '../queue/jobs.ts';
import type { QueueAnswers } from '../queue/queue-answers.ts';
import type { StopCause } from '../summary.ts';
import { type TargetCase, triedShape } from '../targets/target.ts';
import type { AnswerLog, LogEntry } from './answer-log.ts';
import { type Asker, askTarget, gateOf } from './ask-target.ts';
import type { ExperimentFile } from './experiment-schema.ts';
import type { PreparedRun } from './prepare-run.ts';
import { type FrozenItem, readFrozen } from './run-folder.ts';
import type { RunExperimentOptions } from './run-settings.ts';
import { type ItemOutcome, itemOutcome, loggedOutcome, loggedOutcomes } from './scorer.ts';

export type Stopped = { readonly by: Exclude<StopCause, 'limit' | 'access'>; readonly text: string } | null;

/** What asking needs of a run that is under way. */
export interface Generation {
  readonly options: Omit<RunExperimentOptions, 'backend' | 'loaded' | 'queue'> & {
    readonly loaded: { readonly experiment: Pick<ExperimentFile, 'repeats' | 'prices' | 'cache'> };
  };
  readonly prepared: Pick<PreparedRun, 'folder' | 'ids' | 'target' | 'settings' | 'plan'> &
    Partial<Pick<PreparedRun, 'batches'>>;
  readonly log: AnswerLog;
  readonly budget: Budget;
  /** Opens what workers answer; left out: this process asks. */
  readonly openAnswers?: ((isOver: () => boolean, abort: AbortSignal) => Promise<QueueAnswers>) | null | undefined;
  /** Of the folder: without it nothing more is asked or written. */
  readonly lock?: Pick<FolderLock, 'check'>;
  /** Outcomes that were not there before, and what ended the asking before the last. */
  readonly asked: { added: number; stopped: Stopped };
}

interface Asking extends Generation {
  readonly cache: AnswerCache | null;
  readonly asker: Asker;
  /** Workers that ask; null if this process does. */
  readonly answers: QueueAnswers | null;
  readonly abort: AbortSignal;
  /** Its line is on the disk. */
  readonly onEntry: (entry: LogEntry) => void;
}

const STOPPED: Stopped = { by: 'interrupt', text: 'the same command resumes it' };

/** Further answers are not asked for while so many wait for an earlier item's: they are held in memory. */
const MOST_WAITING = 1000;
/** Questions that wait for workers, those included that are not handed out yet. */
export const MOST_QUEUED = 10_000;

/**
 * Asks the target for every item that is wanted, a bounded number at a time, with progress, and logs what became of each.
 * Hands on the outcomes of the first repeat in the order of the dataset, those that were there before among them. Once
 * nobody takes them any more, no further item is begun.
 */
export async function* newOutcomes(session: Generation): AsyncGenerator<ItemOutcome> {
  const { options, prepared, log, asked } = session;
  const { target, settings, plan, folder, ids } = prepared;
  const { cacheFolder, limit, onlyFailed = false, onNotice, onStage } = options;
  const { repeats, cache: wantsCache } = options.loaded.experiment;
  const chosen = new Set(limit == null ? ids : ids.slice(0, limit));
  const isWanted = (id: string, repeat: number): boolean =>
    chosen.has(id) && (onlyFailed ? log.hasFailed(id, repeat) : !log.has(id, repeat));
  let total = 0;
  for (const id of chosen) for (let repeat = 1; repeat <= repeats; repeat += 1) if (isWanted(id, repeat)) total += 1;
  if (total === 0) {
    onStage?.('scoring');
    yield* loggedOutcomes(prepared, log, 1);
    return;
  }
  const isKept = cacheFolder !== null && wantsCache && target.cacheable;
  const cache = isKept ? new AnswerCache(cacheFolder, onNotice) : null;
  const mode = prepared.batches?.mode ?? null;
  const failed = new AbortController();
  const abort = AbortSignal.any([failed.signal, ...(options.abort === undefined ? [] : [options.abort])]);
  const atOnce = adaptiveLimit(settings.most);
  const calls = gateOf(target, atOnce, settings.rates, null);
  const asker = { target, policy: settings.policy, prices: options.loaded.experiment.prices ?? null, calls };
  const answers = (await session.openAnswers?.(() => isOver(session), abort)) ?? null;
  const progress = progressOf(session, atOnce, answers, total);
  const asking: Asking = { ...session, cache, asker, answers, abort, onEntry: (entry) => progress.add(entry) };
  const inHand = new Set<Promise<unknown>>();
  const outcomeOf = async ([item, repeat, number]: Questioned): Promise<ItemOutcome | null> => {
    try {
      const isAsked = asked.stopped === null && isWanted(item.id, repeat) && !isOver(session);
      if (isAsked) progress.begin();
      const outcome = isAsked ? await answerOne(asking, item, [number, repeat]) : null;
      if (isAsked && outcome === null && mode === null) asked.stopped ??= stopOf(session);
      return repeat > 1 ? null : (outcome ?? (await loggedOutcome(log, plan, item, repeat)));
    } catch (error) {
      failed.abort();
      throw error;
    }
  };
  const questions = async function* (): AsyncGenerator<Questioned> {
    let number = 0;
    for await (const item of readFrozen(folder)) {
      for (let repeat = 1; repeat <= repeats; repeat += 1) yield [item, repeat, number];
      number += 1;
    }
  };
  const window = { concurrency: answers === null ? settings.most : MOST_QUEUED, highWaterMark: MOST_WAITING };
  const outcomes: AsyncIterable<{ readonly outcome: ItemOutcome | null }> = Readable.from(questions()).map(
    async (question: Questioned) => {
      const own = outcomeOf(question);
      inHand.add(own);
      return { outcome: await own.finally(() => inHand.delete(own)) };
    },
    window,
  );
  let isWhole = false;
  try {
    for await (const { outcome } of outcomes) if (outcome !== null) yield outcome;
    isWhole = true;
  } finally {
    if (!isWhole) asked.stopped ??= STOPPED;
    await Promise.allSettled(inHand);
    progress.end();
    await answers?.close();
    cache?.close();
  }
  if (options.abort?.aborted === true) asked.stopped ??= STOPPED;
  if (mode !== null) asked.stopped ??= stopOf(session);
  onStage?.('scoring');
}

type Questioned = readonly [item: FrozenItem, repeat: number, number: number];

/** Why an item has no outcome: batches are left to the provider, an answer cannot be read, or the user gave up. */
function stopOf({ prepared: { batches } }: Generation): Stopped {
  const unread = batches?.unread() ?? null;
  if (unread !== null) return { by: 'unread', text: unread };
  if (batches?.mode === 'submit')
    return { by: 'submitted', text: 'the same command without --submit-only takes their answers' };
  if (batches?.mode === 'cancel')
    return { by: 'cancelled', text: 'the same command without --cancel takes what they answered' };
  return STOPPED;
}

/** Whether no further item is begun; why is noted. */
function isOver({ options, budget, asked, lock }: Generation): boolean {
  lock?.check();
  if (options.stop?.aborted === true) asked.stopped = STOPPED;
  const spent = budget.reached();
  if (spent !== null) asked.stopped ??= { by: 'budget', text: spent };
  return asked.stopped !== null;
}

function progressOf(session: Generation, calls: AdaptiveLimit, answers: QueueAnswers | null, total: number) {
  const { options, budget, asked, prepared } = session;
  const pace = new Pace();
  const counts = { failed: 0, cached: 0 };
  let begun = 0;
  const tell = (): void => {
    const { cost, tokens } = budget.spent;
    const { allowed, pausedForMs } = calls.state();
    const { workers = null, out = begun - asked.added, capacity = allowed } = answers?.state() ?? {};
    const left = pace.leftMs(total - asked.added);
    options.onProgress?.({
      total,
      done: asked.added,
      ...counts,
      inFlight: Math.min(out, capacity),
      allowed: capacity,
      workers,
      pausedForMs,
      cost,
      tokens,
      ratePerSecond: pace.perSecond(),
      secondsLeft: left === null ? null : left / 1000,
      ...(prepared.batches == null ? {} : { batches: prepared.batches.progress() }),
    });
  };
  // A pause or a slow server must be seen too, when nothing comes in.
  const ticking = setInterval(tell, 250);
  return {
    begin: () => void (begun += 1),
    add({ outcome, cached }: LogEntry): void {
      asked.added += 1;
      if (outcome === 'failed') counts.failed += 1;
      if (cached) counts.cached += 1;
      pace.add();
      tell();
    },
    end: () => clearInterval(ticking),
  };
}

/** Answers that were paid for, and failures of which it is known what they cost. */
export function countsForBudget({ cached, outcome, usage }: LogEntry): boolean {
  return !cached && (outcome === 'answered' || usage !== null);
}

/** One item, from the question to the line on the disk; null if the call was given up. */
async function answerOne(asking: Asking, item: FrozenItem, task: JobTask): Promise<ItemOutcome | null> {
  const { prepared, cache, budget, log, answers, asker, abort, lock } = asking;
  const [, repeat] = task;
  const given: TargetCase = { id: item.id, input: item.input, metadata: item.metadata ?? null, repeat };
  const key = cache === null ? '' : answerKey(prepared.target.identity, given);
  const kept = cache?.get(key) ?? null;
  const now = new Date().toISOString();
  const free = { cached: true, cost: 0, attempts: 0, startedAt: now, endedAt: now };
  const begin = async (): Promise<void> => {
    lock?.check();
    await log.begin({ begun: item.id, repeat, at: new Date().toISOString() });
  };
  const entry: LogEntry | null =
    kept === null
      ? await (answers?.ask(task, item.id) ?? askTarget(asker, given, abort, begin, slotOf(asking, given, begin)))
      : { item: item.id, repeat, outcome: 'answered', ...kept, ...free };
  if (entry === null) return null;
  if (countsForBudget(entry)) budget.spend(entry.usage, entry.cost);
  const earlier = log.hasFailed(item.id, repeat) ? await log.get(item.id, repeat) : null;
  const outcome = await itemOutcome(prepared.plan, item, withTries(entry, earlier));
  // Its holder has read the log: a line that comes later would move all others.
  lock?.check();
  await log.append(outcome.entry);
  // Kept once its cost is logged: after a kill in between, it would be an answer that cost nothing.
  if (kept === null && entry.outcome === 'answered') {
    const { output, usage, latencyMs, passages, raw } = entry;
    cache?.put(key, { output, usage, latencyMs, passages, raw });
  }
  asking.onEntry(outcome.entry);
  return outcome;
}

/** A failure that this outcome takes the place of was an attempt before it. */
function withTries(entry: LogEntry, earlier: LogEntry | null): LogEntry {
  const before = earlier?.outcome === 'failed' ? [...(earlier.tries ?? []), triedShape.parse(earlier)] : [];
  const tries = [...before, ...(entry.tries ?? [])].slice(-MOST_TRIES);
  return { ...entry, tries: tries.length === 0 ? undefined : tries };
}

/** An item that is asked again, after an outcome, is another request than before: old batches do not answer it. */
function slotOf({ prepared, log }: Asking, { id, repeat }: TargetCase, begin: () => Promise<void>): BatchSlot | null {
  if (prepared.batches == null) return null;
  return batchSlot(`${log.known(id, repeat)?.outcomes ?? 0} ${repeat} ${id}`, begin);
}
